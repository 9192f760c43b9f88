/* SPDX-License-Identifier: MIT */
/* What takes the place of ntdll's functions: call what was there, then record. */
#include "common/compiler.h"
#include "tracer/windows/hook.h"
#include "tracer/windows/ntstatus.h"

#define ORIGINAL(type, function) ((type *)ft_hook_state.originals[FT_HOOK_##function])

static unsigned error_of(NTSTATUS status)
{
    return (unsigned)ft_ntstatus_errno((uint32_t)status);
}

/** What a program wants of a file that it opens. */
static unsigned wanted(ACCESS_MASK rights, ULONG disposition, ULONG options)
{
    const ACCESS_MASK writing = FILE_WRITE_DATA | FILE_APPEND_DATA | FILE_WRITE_EA |
                                FILE_WRITE_ATTRIBUTES | WRITE_DAC | WRITE_OWNER | GENERIC_WRITE |
                                GENERIC_ALL | MAXIMUM_ALLOWED;
    const ACCESS_MASK reading = FILE_READ_DATA | FILE_EXECUTE | GENERIC_READ | GENERIC_EXECUTE |
                                GENERIC_ALL | MAXIMUM_ALLOWED;
    bool makes = disposition != FILE_OPEN;
    bool writes = makes || (rights & writing) || (options & FT_OPTION_DELETE_ON_CLOSE);
    bool reads = (rights & reading) && !(makes && (options & FT_OPTION_DIRECTORY));
    return (writes ? FT_WRITE : 0) | (reads || !writes ? FT_READ : 0);
}

/** What is open, by its own name. */
static NO_INLINE void note_handle(enum ft_op op, unsigned access, NTSTATUS status, HANDLE handle,
                                  const void *path, uint32_t path_bytes)
{
    struct ft_object_name name;
    uint32_t name_bytes = ft_note_handle_name(handle, &name);
    ft_note_names(FT_KIND_ACCESS, op, access, error_of(status), ft_hook_state.pid, name.name.Buffer,
                  name_bytes, path, path_bytes);
}

/** The name may be a file's number, which says nothing: then ask what was opened. */
static void note_open(enum ft_op op, unsigned access, NTSTATUS status, ULONG options,
                      const OBJECT_ATTRIBUTES *attributes, HANDLE *handle)
{
    if (LIKELY(!(options & FT_OPTION_BY_FILE_ID)))
        ft_note_object(op, access, status, attributes);
    else if (NT_OK(status) && ft_hook_state.log)
        note_handle(op, access, status, *handle, NULL, 0);
}

static NTSTATUS NTAPI hook_NtCreateFile(HANDLE *handle, ACCESS_MASK rights,
                                        OBJECT_ATTRIBUTES *attributes, IO_STATUS_BLOCK *io,
                                        LARGE_INTEGER *size, ULONG file_attributes, ULONG share,
                                        ULONG disposition, ULONG options, void *extended,
                                        ULONG extended_bytes)
{
    NTSTATUS status = ORIGINAL(ft_nt_create_file,
                               NtCreateFile)(handle, rights, attributes, io, size, file_attributes,
                                             share, disposition, options, extended, extended_bytes);
    note_open(FT_OP_NtCreateFile, wanted(rights, disposition, options), status, options, attributes,
              handle);
    return status;
}

static NTSTATUS NTAPI hook_NtOpenFile(HANDLE *handle, ACCESS_MASK rights,
                                      OBJECT_ATTRIBUTES *attributes, IO_STATUS_BLOCK *io,
                                      ULONG share, ULONG options)
{
    NTSTATUS status =
        ORIGINAL(ft_nt_open_file, NtOpenFile)(handle, rights, attributes, io, share, options);
    note_open(FT_OP_NtOpenFile, wanted(rights, FILE_OPEN, options), status, options, attributes,
              handle);
    return status;
}

static NTSTATUS NTAPI hook_NtQueryAttributesFile(const OBJECT_ATTRIBUTES *attributes, void *out)
{
    NTSTATUS status = ORIGINAL(ft_nt_query_attributes, NtQueryAttributesFile)(attributes, out);
    ft_note_object(FT_OP_NtQueryAttributesFile, FT_READ, status, attributes);
    return status;
}

static NTSTATUS NTAPI hook_NtQueryFullAttributesFile(const OBJECT_ATTRIBUTES *attributes, void *out)
{
    NTSTATUS status = ORIGINAL(ft_nt_query_attributes, NtQueryFullAttributesFile)(attributes, out);
    ft_note_object(FT_OP_NtQueryFullAttributesFile, FT_READ, status, attributes);
    return status;
}

static NTSTATUS NTAPI hook_NtQueryInformationByName(const OBJECT_ATTRIBUTES *attributes,
                                                    IO_STATUS_BLOCK *io, void *out, ULONG out_bytes,
                                                    int information)
{
    NTSTATUS status = ORIGINAL(ft_nt_query_by_name, NtQueryInformationByName)(
        attributes, io, out, out_bytes, information);
    ft_note_object(FT_OP_NtQueryInformationByName, FT_READ, status, attributes);
    return status;
}

static NTSTATUS NTAPI hook_NtDeleteFile(OBJECT_ATTRIBUTES *attributes)
{
    NTSTATUS status = ORIGINAL(ft_nt_delete_file, NtDeleteFile)(attributes);
    ft_note_object(FT_OP_NtDeleteFile, FT_WRITE, status, attributes);
    return status;
}

static bool has_wildcard(const WCHAR *units, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (units[i] == '*' || units[i] == '?' || units[i] == '<' || units[i] == '>' ||
            units[i] == '"')
            return true;
    return false;
}

/** A listing; with a pattern that is one file's whole name it asks whether that is there. */
static void note_listing(NTSTATUS status, HANDLE folder, const UNICODE_STRING *pattern)
{
    /* The end of what is recorded already. */
    if (!ft_hook_state.log || (uint32_t)status == FT_STATUS_NO_MORE_FILES)
        return;
    bool read = NT_OK(status) || (uint32_t)status == FT_STATUS_NO_SUCH_FILE;
    if (read && pattern && pattern->Length && !has_wildcard(pattern->Buffer, pattern->Length / 2u))
        note_handle(FT_OP_NtQueryDirectoryFile, FT_READ, status, folder, pattern->Buffer,
                    pattern->Length);
    else if ((uint32_t)status == FT_STATUS_NO_SUCH_FILE)
        note_handle(FT_OP_NtQueryDirectoryFile, FT_LIST, 0, folder, NULL, 0);
    else
        note_handle(FT_OP_NtQueryDirectoryFile, FT_LIST, status, folder, NULL, 0);
}

static NTSTATUS NTAPI hook_NtQueryDirectoryFile(HANDLE folder, HANDLE event, void *apc,
                                                void *context, IO_STATUS_BLOCK *io, void *out,
                                                ULONG out_bytes, int information, BOOLEAN single,
                                                UNICODE_STRING *pattern, BOOLEAN restart)
{
    NTSTATUS status = ORIGINAL(ft_nt_query_directory, NtQueryDirectoryFile)(
        folder, event, apc, context, io, out, out_bytes, information, single, pattern, restart);
    note_listing(status, folder, pattern);
    return status;
}

static NTSTATUS NTAPI hook_NtQueryDirectoryFileEx(HANDLE folder, HANDLE event, void *apc,
                                                  void *context, IO_STATUS_BLOCK *io, void *out,
                                                  ULONG out_bytes, int information, ULONG flags,
                                                  UNICODE_STRING *pattern)
{
    NTSTATUS status = ORIGINAL(ft_nt_query_directory_ex, NtQueryDirectoryFileEx)(
        folder, event, apc, context, io, out, out_bytes, information, flags, pattern);
    note_listing(status, folder, pattern);
    return status;
}

/** The new name of a file: absolute, below a folder that is open, or in the file's own folder. */
static NO_INLINE void note_new_name(NTSTATUS status, const struct ft_object_name *old,
                                    const struct ft_new_name *given, ULONG given_bytes)
{
    const size_t head_bytes = offsetof(struct ft_new_name, name);
    if (given_bytes < head_bytes || (!NT_OK(status) && !ft_note_readable(given, given_bytes)) ||
        given->name_bytes > given_bytes - head_bytes || given->name_bytes > UINT16_MAX)
        return;
    UNICODE_STRING name = {(USHORT)given->name_bytes, (USHORT)given->name_bytes,
                           (WCHAR *)(uintptr_t)given->name};
    OBJECT_ATTRIBUTES attributes;
    InitializeObjectAttributes(&attributes, &name, 0, given->root, NULL);
    bool absolute = name.Length && name.Buffer[0] == '\\';
    if (given->root || absolute) {
        ft_note_object(FT_OP_NtSetInformationFile, FT_WRITE, status, &attributes);
        return;
    }
    uint32_t folder_bytes = old->name.Length;
    while (folder_bytes && old->name.Buffer[folder_bytes / 2 - 1] != '\\')
        folder_bytes -= 2;
    ft_note_names(FT_KIND_ACCESS, FT_OP_NtSetInformationFile, FT_WRITE, error_of(status),
                  ft_hook_state.pid, old->name.Buffer, folder_bytes, name.Buffer, name.Length);
}

/** What a call of NtSetInformationFile does to a name, or what stands with it. */
enum change { CHANGE_NONE, CHANGE_METADATA, CHANGE_RENAME, CHANGE_LINK, CHANGE_DELETE };

static enum change change_of(int information)
{
    switch (information) {
    case 4: /* FileBasicInformation: times and attributes */
        return CHANGE_METADATA;
    case 10: /* FileRenameInformation */
    case 65: /* FileRenameInformationEx */
        return CHANGE_RENAME;
    case 11: /* FileLinkInformation */
    case 72: /* FileLinkInformationEx */
        return CHANGE_LINK;
    case 13: /* FileDispositionInformation */
    case 64: /* FileDispositionInformationEx */
        return CHANGE_DELETE;
    default:
        return CHANGE_NONE;
    }
}

static NO_INLINE NTSTATUS set_names(enum change change, HANDLE handle, IO_STATUS_BLOCK *io,
                                    void *given, ULONG given_bytes, int information)
{
    struct ft_object_name old; /* asked before: afterwards it has another */
    uint32_t old_bytes = ft_note_handle_name(handle, &old);
    NTSTATUS status = ORIGINAL(ft_nt_set_information,
                               NtSetInformationFile)(handle, io, given, given_bytes, information);
    if (change == CHANGE_DELETE) {
        /* A flag in the first byte of both forms; without it a deletion is taken back. */
        bool deletes = given_bytes && (NT_OK(status) || ft_note_readable(given, 1)) &&
                       (*(const unsigned char *)given & 1);
        if (!deletes)
            return status;
    }
    ft_note_names(FT_KIND_ACCESS, FT_OP_NtSetInformationFile,
                  change == CHANGE_LINK ? FT_READ : FT_WRITE, error_of(status), ft_hook_state.pid,
                  NULL, 0, old.name.Buffer, old_bytes);
    if (change == CHANGE_RENAME || change == CHANGE_LINK)
        note_new_name(status, &old, given, given_bytes);
    return status;
}

static NTSTATUS NTAPI hook_NtSetInformationFile(HANDLE handle, IO_STATUS_BLOCK *io, void *given,
                                                ULONG given_bytes, int information)
{
    enum change change = change_of(information);
    if (change != CHANGE_NONE && ft_hook_state.log)
        return set_names(change, handle, io, given, given_bytes, information);
    return ORIGINAL(ft_nt_set_information, NtSetInformationFile)(handle, io, given, given_bytes,
                                                                 information);
}

/** The image's name, as the kernel is told it. */
static UNICODE_STRING image_name(const struct ft_process_parameters *parameters,
                                 const struct ft_process_attributes *attributes)
{
    size_t count = 0;
    if (attributes && attributes->total_bytes > sizeof(attributes->total_bytes))
        count = (attributes->total_bytes - sizeof(attributes->total_bytes)) /
                sizeof(attributes->entries[0]);
    for (size_t i = 0; i < count && i < 64; i++) {
        const struct ft_process_attribute *entry = &attributes->entries[i];
        if (entry->attribute == FT_ATTRIBUTE_IMAGE_NAME && entry->size_bytes <= UINT16_MAX)
            return (UNICODE_STRING){(USHORT)entry->size_bytes, (USHORT)entry->size_bytes,
                                    (WCHAR *)entry->value};
    }
    return parameters ? parameters->image_path : (UNICODE_STRING){0};
}

/** After a call that failed: the kernel may not have come to look at all that it was given. */
static bool are_readable(const struct ft_process_parameters *parameters,
                         const struct ft_process_attributes *attributes)
{
    if (attributes && !(ft_note_readable(attributes, sizeof(*attributes)) &&
                        ft_note_readable(attributes, attributes->total_bytes)))
        return false;
    return !parameters || ft_note_readable(parameters, sizeof(*parameters));
}

/** Every way of Win32 to start a program ends here: its first thread is kept from its first
 * instruction until the process is entered. */
static NTSTATUS NTAPI hook_NtCreateUserProcess(
    HANDLE *process, HANDLE *thread, ACCESS_MASK process_rights, ACCESS_MASK thread_rights,
    OBJECT_ATTRIBUTES *process_attributes, OBJECT_ATTRIBUTES *thread_attributes,
    ULONG process_flags, ULONG thread_flags, struct ft_process_parameters *parameters,
    void *creation, struct ft_process_attributes *attributes)
{
    ULONG flags = thread_flags | (ft_hook_state.log ? FT_THREAD_SUSPENDED : 0);
    NTSTATUS status = ORIGINAL(ft_nt_create_user_process, NtCreateUserProcess)(
        process, thread, process_rights, thread_rights, process_attributes, thread_attributes,
        process_flags, flags, parameters, creation, attributes);
    if (!ft_hook_state.log && flags == thread_flags)
        return status;
    UNICODE_STRING image = {0};
    if (NT_OK(status) || are_readable(parameters, attributes))
        image = image_name(parameters, attributes);
    if (image.Length && (NT_OK(status) || ft_note_readable(image.Buffer, image.Length)))
        ft_note_names(FT_KIND_ACCESS, FT_OP_NtCreateUserProcess, FT_READ, error_of(status),
                      ft_hook_state.pid, NULL, 0, image.Buffer, image.Length);
    if (!NT_OK(status))
        return status;
    ft_hook_enter_child(*process, *thread, image.Buffer, image.Length);
    if (flags != thread_flags)
        (void)ft_hook_state.resume_thread(*thread, NULL);
    return status;
}

uintptr_t ft_hook_replacement(enum ft_hook hook)
{
    static void (*const replacements[])(void) = {
#define FT_HOOK(op, function) [FT_HOOK_##function] = (void (*)(void))hook_##function,
#include "tracer/windows/calls.def"
    };
    return (uintptr_t)replacements[hook];
}
