/* SPDX-License-Identifier: MIT */
/* Recording from inside a watched program. */
#include <errno.h>

#include "common/compiler.h"
#include "tracer/log_write.h"
#include "tracer/windows/hook.h"
#include "tracer/windows/ntstatus.h"

/** Units' bytes of a record's path; what is longer stands in its folder's place. */
#define PATH_BYTES (FT_PATH_MAX & ~1u)

static void ft_log_wait(void)
{
    const LARGE_INTEGER pause = {.QuadPart = -2000}; /* 200 us, in 100 ns */
    if (ft_hook_state.tracer && WaitForSingleObject(ft_hook_state.tracer, 0) == WAIT_OBJECT_0)
        ft_hook_state.log = NULL; /* nobody will make room */
    else if (ft_hook_state.delay_execution)
        (void)ft_hook_state.delay_execution(FALSE, &pause);
}

/** A thread has a place of its own as long as numbers do not collide: they are multiples of 4. */
static uint32_t writer(void)
{
    return (uint32_t)((GetCurrentThreadId() >> 2) * 0x9e3779b1u >> 24);
}

static void append(enum ft_kind kind, enum ft_op op, unsigned access, unsigned error, DWORD pid,
                   const void *base, uint32_t base_bytes, const void *path, uint32_t path_bytes)
{
    const struct ft_record head = {
        .pid = pid,
        .op = (uint16_t)op,
        .error = (uint16_t)error,
        .kind = (uint8_t)kind,
        .access = (uint8_t)access,
    };
    struct ft_log_head *log = ft_hook_state.log;
    if (LIKELY(log != NULL))
        ft_log_append(log, writer(), &head, base, base_bytes, path, path_bytes);
}

/** A name without a folder that does not fit a path: its first part becomes the folder. */
static NO_INLINE void append_long(enum ft_kind kind, enum ft_op op, unsigned access, unsigned error,
                                  DWORD pid, const char *path, uint32_t path_bytes)
{
    const WCHAR *units = (const WCHAR *)(const void *)path;
    uint32_t cut = (path_bytes - PATH_BYTES) / 2;
    while (cut < path_bytes / 2 && units[cut] != '\\')
        cut++;
    uint32_t base_bytes = cut * 2;
    if (base_bytes > FT_BASE_MAX || base_bytes >= path_bytes) {
        append(FT_KIND_NOTE, FT_OP_loader, FT_NT_NAMES, FT_REASON_PATH_UNKNOWN, pid, NULL, 0, path,
               PATH_BYTES);
        return;
    }
    append(kind, op, access, error, pid, path, base_bytes, path + base_bytes + 2,
           path_bytes - base_bytes - 2);
}

void ft_note_names(enum ft_kind kind, enum ft_op op, unsigned access, unsigned error, DWORD pid,
                   const void *base, uint32_t base_bytes, const void *path, uint32_t path_bytes)
{
    access |= FT_NT_NAMES;
    if (LIKELY(path_bytes <= PATH_BYTES && base_bytes <= FT_BASE_MAX))
        append(kind, op, access, error, pid, base, base_bytes, path, path_bytes);
    else if (!base_bytes)
        append_long(kind, op, access, error, pid, path, path_bytes);
    else
        append(FT_KIND_NOTE, FT_OP_loader, access, FT_REASON_PATH_UNKNOWN, pid, NULL, 0, path,
               path_bytes < PATH_BYTES ? path_bytes : PATH_BYTES);
}

void ft_note_reason(enum ft_reason reason, const char *text)
{
    uint32_t n = 0;
    while (text[n])
        n++;
    append(FT_KIND_NOTE, FT_OP_loader, 0, reason, ft_hook_state.pid, NULL, 0, text, n);
}

bool ft_note_readable(const void *address, size_t size_bytes)
{
    const uintptr_t page = 4096;
    uintptr_t at = (uintptr_t)address, end = at + size_bytes;
    char byte;

    if (!at || end < at || !ft_hook_state.read_memory)
        return false;
    for (; at < end; at = (at & ~(page - 1)) + page) {
        SIZE_T done;
        if (!NT_OK(
                ft_hook_state.read_memory(GetCurrentProcess(), (const void *)at, &byte, 1, &done)))
            return false;
    }
    return true;
}

uint32_t ft_note_handle_name(HANDLE handle, struct ft_object_name *out)
{
    ULONG returned;
    out->name.Length = 0;
    if (!ft_hook_state.query_object ||
        !NT_OK(ft_hook_state.query_object(handle, 1 /* ObjectNameInformation */, out, sizeof(*out),
                                          &returned)))
        return 0;
    return out->name.Buffer ? out->name.Length : 0;
}

/** Is it open on a disk or a share? To ask a pipe for its name can wait for whoever reads it; the
 * device's kind the kernel tells at once. */
static bool is_on_disk(HANDLE handle)
{
    static const uint8_t disks[] = {0x02, 0x03, 0x07, 0x08, 0x09, 0x14, 0x35};
    struct {
        ULONG type, characteristics;
    } device = {0, 0};
    IO_STATUS_BLOCK io;
    if (!ft_hook_state.query_volume ||
        !NT_OK(ft_hook_state.query_volume(handle, &io, &device, sizeof(device),
                                          4 /* FileFsDeviceInformation */)))
        return false;
    for (uint32_t i = 0; i < sizeof(disks); i++)
        if (disks[i] == device.type)
            return true;
    return false;
}

/** Longer than most: a stack frame that most calls do without. */
static NO_INLINE void note_below_long(enum ft_op op, unsigned access, unsigned error, HANDLE root,
                                      const void *path, uint32_t path_bytes)
{
    struct {
        struct ft_object_name head;
        WCHAR more[(FT_BASE_MAX - sizeof(((struct ft_object_name *)0)->units)) / 2];
    } room;
    ULONG returned;
    if (NT_OK(ft_hook_state.query_object(root, 1, &room, sizeof(room), &returned)) &&
        room.head.name.Buffer)
        ft_note_names(FT_KIND_ACCESS, op, access, error, ft_hook_state.pid, room.head.name.Buffer,
                      room.head.name.Length, path, path_bytes);
    else if (error != EBADF) /* below nothing */
        ft_note_names(FT_KIND_ACCESS, op, access, error, ft_hook_state.pid, NULL, 0, path,
                      path_bytes);
}

static NO_INLINE void note_below(enum ft_op op, unsigned access, unsigned error, HANDLE root,
                                 const void *path, uint32_t path_bytes)
{
    struct ft_object_name folder;
    /* Without a name it is what is open, opened once more: perhaps a pipe. */
    if (!path_bytes && !is_on_disk(root))
        return;
    uint32_t folder_bytes = ft_note_handle_name(root, &folder);
    if (folder_bytes)
        ft_note_names(FT_KIND_ACCESS, op, access, error, ft_hook_state.pid, folder.name.Buffer,
                      folder_bytes, path, path_bytes);
    else if (ft_hook_state.query_object)
        note_below_long(op, access, error, root, path, path_bytes);
}

/** May what the call was given be read? The kernel has, unless it gave up before. */
static bool readable_after(NTSTATUS status, const OBJECT_ATTRIBUTES *attributes)
{
    if (LIKELY(NT_OK(status) || (uint32_t)status == FT_STATUS_NAME_NOT_FOUND ||
               (uint32_t)status == FT_STATUS_PATH_NOT_FOUND))
        return true;
    if ((uint32_t)status == FT_STATUS_ACCESS_VIOLATION ||
        (uint32_t)status == FT_STATUS_MISALIGNMENT)
        return false;
    return ft_note_readable(attributes, sizeof(*attributes)) &&
           ft_note_readable(attributes->ObjectName, sizeof(*attributes->ObjectName)) &&
           ft_note_readable(attributes->ObjectName->Buffer, attributes->ObjectName->Length);
}

void ft_note_object(enum ft_op op, unsigned access, NTSTATUS status,
                    const OBJECT_ATTRIBUTES *attributes)
{
    if (UNLIKELY(!ft_hook_state.log || !attributes || !readable_after(status, attributes)))
        return;
    const UNICODE_STRING *name = attributes->ObjectName;
    const void *path = name ? name->Buffer : NULL;
    uint32_t path_bytes = path ? name->Length : 0u;
    unsigned error = (unsigned)ft_ntstatus_errno((uint32_t)status);
    if (UNLIKELY(attributes->RootDirectory != NULL))
        note_below(op, access, error, attributes->RootDirectory, path, path_bytes);
    else if (path_bytes)
        ft_note_names(FT_KIND_ACCESS, op, access, error, ft_hook_state.pid, NULL, 0, path,
                      path_bytes);
}
