/* SPDX-License-Identifier: MIT */
/* The tracer's side of recording from inside static programs. */
#include "tracer/linux/inject.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/ioctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tracer/image.h"
#include "tracer/linux/bootstrap.h"
#include "tracer/linux/payload.h"
#include "tracer/linux/request.h"
#include "tracer/ops.h"

const bool ft_can_inject = true;

_Static_assert(FT_BOOTSTRAP_MAX_BYTES <= FT_GUARD_PATCH_BYTES, "what it overwrites can be kept");

#define ARCH_SET_FS 0x1002u
#define CANCEL_SIGNAL 32
#define NEW_PID_FLAG 0x20000000u
#define VM_FLAG 0x100u
#define THREAD_FLAG 0x10000u
#define AUXV_ENTRY 9
#define AUXV_MAX_BYTES 1024

/* Newer than the headers of some systems (Linux 5.9). */
struct addfd {
    uint64_t id;
    uint32_t flags, srcfd, newfd, newfd_flags;
};
#define NOTIF_ADDFD SECCOMP_IOW(3, struct addfd)

/** What is asked of a program before anything is put into it. */
struct task {
    uint32_t tid, pid;
    uint64_t address; /* where the parked call returns to */
};

void ft_inject_init(struct ft_inject *inject, struct ft_log *log, struct ft_slots *slots,
                    int listener)
{
    inject->log = log;
    inject->slots = log->fd >= 0 ? slots : NULL; /* nobody else can map the log */
    inject->listener = listener;
}

static int open_proc(uint32_t tid, const char *name, int flags)
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/%lu/%s", (unsigned long)tid, name);
    int fd = open(path, flags | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static int read_at(int fd, void *to, size_t size_bytes, uint64_t address)
{
    ssize_t n = pread(fd, to, size_bytes, (off_t)address);
    return n == (ssize_t)size_bytes ? 0 : n < 0 ? -errno : -ESRCH;
}

static int write_at(int fd, const void *from, size_t size_bytes, uint64_t address)
{
    ssize_t n = pwrite(fd, from, size_bytes, (off_t)address);
    return n == (ssize_t)size_bytes ? 0 : n < 0 ? -errno : -ESRCH;
}

static unsigned long number_behind(const char *text, const char *field)
{
    const char *line = strstr(text, field);
    return line ? strtoul(line + strlen(field), NULL, 10) : 0;
}

/** Does the process have numbers in more than one name space? */
static bool is_renumbered(const char *text)
{
    const char *line = strstr(text, "\nNSpid:\t");
    if (!line)
        return false;
    line += sizeof("\nNSpid:\t") - 1;
    return memchr(line, '\t', strcspn(line, "\n")) != NULL;
}

static int read_status(uint32_t tid, char *text, size_t room_bytes)
{
    int fd = open_proc(tid, "status", O_RDONLY);
    if (fd < 0)
        return fd;
    ssize_t n = read(fd, text, room_bytes - 1);
    int ret = n < 0 ? -errno : 0;
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    return ret;
}

/** The first call under a filter is the exec of the program that is about to be watched. */
static void count_filters(struct ft_inject *inject, uint32_t tid)
{
    char text[4096];
    if (!read_status(tid, text, sizeof(text)))
        inject->filters = number_behind(text, "\nSeccomp_filters:\t");
    if (!inject->filters) {
        inject->filters = 1;
        inject->slots = NULL; /* a kernel before 5.9, which lacks NOTIF_ADDFD too */
    }
}

/** May this task be changed now? */
static int check_task(const struct ft_inject *inject, struct task *task)
{
    char text[4096];
    int ret = read_status(task->tid, text, sizeof(text));
    if (ret)
        return ret;
    task->pid = (uint32_t)number_behind(text, "\nTgid:\t");
    if (!task->pid || number_behind(text, "\nThreads:\t") != 1)
        return -EBUSY;
    if (number_behind(text, "\nSeccomp_filters:\t") != inject->filters)
        return -EPERM; /* one of its own might not let our calls pass */
    return is_renumbered(text) ? -EXDEV : 0;
}

/** Where a position-independent image has been loaded, against where it is linked. */
static int find_shift(uint32_t tid, const struct ft_slot *slot, uint64_t *out)
{
    uint64_t entries[AUXV_MAX_BYTES / sizeof(uint64_t)];
    *out = 0;
    if (!slot->is_movable)
        return 0;
    int fd = open_proc(tid, "auxv", O_RDONLY);
    if (fd < 0)
        return fd;
    ssize_t n = read(fd, entries, sizeof(entries));
    close(fd);
    for (ssize_t i = 0; i + 1 < n / (ssize_t)sizeof(uint64_t); i += 2) {
        if (entries[i] != AUXV_ENTRY)
            continue;
        *out = entries[i + 1] - slot->entry;
        return 0;
    }
    return -ENOENT;
}

static int give(const struct ft_inject *inject, uint64_t id, int fd)
{
    struct addfd addfd = {.id = id, .srcfd = (uint32_t)fd, .newfd_flags = O_CLOEXEC};
    long ret = syscall(SYS_ioctl, inject->listener, NOTIF_ADDFD, &addfd);
    return ret < 0 ? -errno : (int)ret;
}

/** Does a piece of memory lie within the image's code? */
static bool is_in_code(const struct ft_slot *slot, uint64_t address, size_t size_bytes)
{
    for (size_t i = 0; i < slot->segments_count; i++)
        if (address >= slot->segments[i].start && address < slot->segments[i].end)
            return size_bytes <= slot->segments[i].end - address;
    return false;
}

/** Is our payload in the memory already? Forked children have it, and may call again. */
static bool is_injected(const struct ft_inject *inject, int memory)
{
    uint64_t nonce = 0;
    return !read_at(memory, &nonce, sizeof(nonce), FT_PAYLOAD_DATA) &&
           nonce == inject->log->head->nonce;
}

static int free_patch(const struct ft_inject *inject)
{
    for (int i = 0; i < FT_GUARD_PATCHES; i++)
        if (!inject->patches[i].tid)
            return i;
    return -EAGAIN;
}

static int find_patch(const struct ft_inject *inject, uint32_t tid)
{
    for (int i = 0; i < FT_GUARD_PATCHES; i++)
        if (inject->patches[i].tid == tid)
            return i;
    return -ENOENT;
}

/** The patch is over: forget it. */
static void end_patch(struct ft_inject *inject, int place)
{
    int memory = inject->patches[place].memory;
    __atomic_store_n(&inject->patches[place].tid, 0, __ATOMIC_RELEASE);
    close(memory);
    ft_room_give_back(inject->log->head, 1);
    ft_slots_put(inject->slots, inject->slot_of_patch[place]);
    inject->slot_of_patch[place] = NULL;
    inject->is_waiting[place] = false;
}

/** Tell how an image came to be watched. */
static void note_entered(struct ft_inject *inject, const struct task *task, int error)
{
    char path[64], image[FT_PATH_MAX];
    (void)snprintf(path, sizeof(path), "/proc/%lu/exe", (unsigned long)task->tid);
    ssize_t n = readlink(path, image, sizeof(image));
    const struct ft_record head = {
        .pid = task->pid,
        .op = FT_OP_loader,
        .error = (uint16_t)-error,
        .kind = FT_KIND_ENTERED,
    };
    ft_log_put(inject->log, &head, NULL, 0, image, n > 0 ? (size_t)n : 0);
}

/** The image has code of its own where the filter lets calls through. */
static void note_exempt(struct ft_inject *inject, const struct task *task)
{
    const struct ft_record head = {
        .pid = task->pid,
        .op = FT_OP_loader,
        .error = FT_REASON_NOT_ENTERED,
        .kind = FT_KIND_NOTE,
    };
    ft_log_put(inject->log, &head, NULL, 0, NULL, 0);
}

/** Keep what the bootstrap will overwrite, where the guard finds it too. */
static int keep_code(struct ft_inject *inject, int place, const struct task *task, int memory)
{
    static const unsigned char call[] = {0x0f, 0x05};
    struct ft_guard_patch *patch = &inject->patches[place];
    unsigned char before[sizeof(call)];

    int ret = read_at(memory, before, sizeof(before), task->address - sizeof(before));
    if (!ret && memcmp(before, call, sizeof(call)) != 0)
        ret = -EILSEQ; /* not made by the instruction that we know */
    if (!ret)
        ret = read_at(memory, patch->bytes, FT_BOOTSTRAP_MAX_BYTES, task->address);
    if (!ret) /* where a kernel forbids to write, nothing has been changed yet */
        ret = write_at(memory, patch->bytes, 1, task->address);
    patch->address = task->address;
    patch->size_bytes = FT_BOOTSTRAP_MAX_BYTES;
    patch->memory = memory;
    return ret;
}

/** Park 1, all checks done: hand over the descriptors and write the bootstrap. */
static int write_bootstrap(struct ft_inject *inject, uint64_t id, int place,
                           const struct task *task, const struct ft_slot *slot, uint64_t shift)
{
    struct ft_guard_patch *patch = &inject->patches[place];
    unsigned char code[FT_BOOTSTRAP_MAX_BYTES];
    struct ft_bootstrap bootstrap = {
        .slot = slot,
        .stubs = slot->stubs + shift,
        .again = task->address - 2,
        .code = give(inject, id, slot->fd),
    };
    if (bootstrap.code < 0)
        return bootstrap.code;
    /* Without the second one the first must be closed all the same, by the program itself. */
    bootstrap.log = give(inject, id, inject->log->fd);
    size_t bytes = ft_bootstrap_write(&bootstrap, task->address, code);
    patch->size_bytes = bytes;
    __atomic_store_n(&patch->tid, task->tid, __ATOMIC_RELEASE);
    return write_at(patch->memory, code, bytes, task->address);
}

/** The image of a task: its slot, if there is anything to inject. */
static int find_slot(struct ft_inject *inject, const struct task *task, struct ft_slot **out)
{
    *out = NULL;
    int exe = open_proc(task->tid, "exe", O_RDONLY);
    if (exe < 0)
        return exe;
    int ret = ft_slots_get(inject->slots, exe, out);
    close(exe);
    return ret ? ret : (*out)->error;
}

/** Park 1. @return 0, or why the image will be watched by notification (negative) */
static int begin(struct ft_inject *inject, const struct seccomp_notif *notification,
                 struct task *task)
{
    struct ft_slot *slot = NULL;
    uint64_t shift = 0;
    int memory = -1;
    bool has_room = false;

    int ret = check_task(inject, task);
    if (!ret)
        ret = find_slot(inject, task, &slot);
    if (slot && slot->is_exempt)
        note_exempt(inject, task);
    if (!ret)
        ret = find_shift(task->tid, slot, &shift);
    if (!ret && !is_in_code(slot, task->address - shift, FT_BOOTSTRAP_MAX_BYTES))
        ret = -EFAULT;
    if (!ret && !(has_room = ft_room_take(inject->log->head)))
        ret = -EMFILE;
    if (!ret)
        ret = memory = open_proc(task->tid, "mem", O_RDWR);
    if (ret >= 0)
        ret = is_injected(inject, memory) ? -EALREADY : 0;
    int place = ret ? ret : free_patch(inject);
    if (place >= 0)
        ret = keep_code(inject, place, task, memory);
    else
        ret = place;
    if (!ret) {
        inject->slot_of_patch[place] = slot;
        ret = write_bootstrap(inject, notification->id, place, task, slot, shift);
        if (!ret || inject->patches[place].tid)
            return ret; /* from here on the second park tidies up */
        inject->slot_of_patch[place] = NULL;
    }
    if (memory >= 0)
        close(memory);
    if (has_room)
        ft_room_give_back(inject->log->head, 1);
    ft_slots_put(inject->slots, slot);
    return ret;
}

/** Would the jump touch the call that is parked, or the code that runs when it returns? */
static bool touches(const struct ft_site *site, uint64_t shift, uint64_t address)
{
    uint64_t start = site->address + shift;
    return address - 2 < start + site->size_bytes && address >= start;
}

/** One site: its code must be what the file has. @return true when it was patched */
static bool patch_site(int memory, const struct ft_site *site, uint64_t stub, uint64_t shift)
{
    unsigned char now[FT_SITE_MAX_BYTES + 2], jump[FT_JUMP_BYTES];
    uint64_t address = site->address + shift;
    return !read_at(memory, now, (size_t)site->size_bytes + 2, address) &&
           !memcmp(now, site->bytes, site->size_bytes) && now[site->size_bytes] == 0x0f &&
           now[site->size_bytes + 1] == 0x05 && ft_jump_write(address, stub + shift, jump) &&
           !write_at(memory, jump, sizeof(jump), address);
}

/** Park 2: the code is the program's own again; now its calls go to the payload. */
static int patch_sites(struct ft_inject *inject, const struct task *task, int memory,
                       const struct ft_slot *slot)
{
    uint64_t log = 0, nonce = inject->log->head->nonce, shift;
    size_t patched = 0;

    int ret = find_shift(task->tid, slot, &shift);
    if (!ret)
        ret = read_at(memory, &log, sizeof(log),
                      FT_PAYLOAD_DATA + offsetof(struct ft_payload_data, log));
    if (!ret && !log)
        ret = -ENOMEM; /* the log, or what comes before it, could not be mapped */
    if (!ret)
        ret = write_at(memory, &nonce, sizeof(nonce),
                       FT_PAYLOAD_DATA + offsetof(struct ft_payload_data, nonce));
    for (size_t i = 0; !ret && i < slot->sites_count; i++)
        patched += !touches(&slot->sites[i], shift, task->address) &&
                   patch_site(memory, &slot->sites[i], slot->stub_of_site[i], shift);
    return ret || patched ? ret : -ENOENT;
}

/** Give the code back what was there. */
static int restore(struct ft_inject *inject, int place)
{
    const struct ft_guard_patch *patch = &inject->patches[place];
    return write_at(patch->memory, patch->bytes, patch->size_bytes, patch->address);
}

/** What park() takes for an answer besides errors. */
enum { ANOTHER_TASK = 1, STILL_WAITING = 2 };

/** Park 2, or what looks like it. */
static int go_on(struct ft_inject *inject, int place, struct task *task)
{
    unsigned char byte;
    const struct ft_guard_patch *patch = &inject->patches[place];
    if (patch->address != task->address || read_at(patch->memory, &byte, 1, patch->address)) {
        end_patch(inject, place); /* its memory is gone with it */
        return ANOTHER_TASK;
    }
    if (inject->is_waiting[place]) {
        inject->is_waiting[place] = false;
        return STILL_WAITING;
    }
    int ret = restore(inject, place);
    if (!ret)
        ret = patch_sites(inject, task, patch->memory, inject->slot_of_patch[place]);
    end_patch(inject, place);
    return ret;
}

/** A new image is parked. */
static void park(struct ft_inject *inject, const struct seccomp_notif *notification)
{
    struct task task = {.tid = notification->pid,
                        .pid = notification->pid,
                        .address = notification->data.instruction_pointer};
    int place = find_patch(inject, task.tid);
    int ret = place >= 0 ? go_on(inject, place, &task) : ANOTHER_TASK;
    bool first = ret == ANOTHER_TASK;
    if (ret == STILL_WAITING)
        return;
    if (first)
        ret = begin(inject, notification, &task);
    /* Nobody misses what cannot be injected by its kind, nor what is there already. */
    if ((!first || ret) && ret != -ELIBBAD && ret != -EALREADY)
        note_entered(inject, &task, ret);
}

/** Set a word in the payload's data, if the task has one. */
static void tell_payload(const struct ft_inject *inject, uint32_t tid, size_t offset)
{
    const uint32_t yes = 1;
    int memory = open_proc(tid, "mem", O_RDWR);
    if (memory < 0)
        return;
    if (is_injected(inject, memory))
        (void)write_at(memory, &yes, sizeof(yes), FT_PAYLOAD_DATA + offset);
    close(memory);
}

static void decline(const struct ft_inject *inject, uint32_t tid)
{
    tell_payload(inject, tid, offsetof(struct ft_payload_data, declines));
}

static bool read_word(uint32_t tid, uint64_t address, uint64_t *out)
{
    struct iovec here = {out, sizeof(*out)}, there = {(void *)(uintptr_t)address, sizeof(*out)};
    *out = 0;
    return process_vm_readv((pid_t)tid, &here, 1, &there, 1, 0) == (ssize_t)sizeof(*out);
}

/** A new task, by these flags: what does it share? */
static void on_clone(const struct ft_inject *inject, uint32_t tid, uint64_t flags)
{
    if (flags & NEW_PID_FLAG)
        decline(inject, tid);
    if ((flags & VM_FLAG) && !(flags & THREAD_FLAG))
        tell_payload(inject, tid, offsetof(struct ft_payload_data, pid_is_unsure));
}

/** A handler for glibc's cancellation? Go, which takes every signal, blocks all the others. */
static bool is_for_cancellation(uint32_t tid, uint64_t action)
{
    const uint64_t mask_offset = 24; /* struct kernel_sigaction */
    uint64_t mask;
    return !read_word(tid, action + mask_offset, &mask) || mask != ~UINT64_C(0);
}

void ft_inject_before_answer(struct ft_inject *inject, const struct seccomp_notif *notification)
{
    const struct seccomp_data *data = &notification->data;
    uint32_t tid = notification->pid;
    uint64_t flags;

    if (inject->slots && !inject->filters)
        count_filters(inject, tid);
    if (!inject->slots || data->arch != AUDIT_ARCH_X86_64)
        return;
    switch (data->nr) {
    case SYS_arch_prctl:
        if ((uint32_t)data->args[0] == ARCH_SET_FS)
            park(inject, notification);
        break;
    case SYS_vfork:
        on_clone(inject, tid, VM_FLAG);
        break;
    case SYS_clone:
        on_clone(inject, tid, data->args[0]);
        break;
    case SYS_clone3:
        on_clone(inject, tid, read_word(tid, data->args[0], &flags) ? flags : VM_FLAG);
        break;
    case SYS_unshare:
        on_clone(inject, tid, data->args[0] & NEW_PID_FLAG);
        break;
    case SYS_rt_sigaction:
        if (data->args[0] == CANCEL_SIGNAL && is_for_cancellation(tid, data->args[1]))
            decline(inject, tid);
        break;
    case SYS_prctl:
    case SYS_seccomp:
    case SYS_setns:
    case SYS_chroot:
        decline(inject, tid);
        break;
    default:
        break;
    }
}

void ft_inject_unanswered(struct ft_inject *inject, const struct seccomp_notif *notification)
{
    int place = inject->slots && notification->data.nr == SYS_arch_prctl
                    ? find_patch(inject, notification->pid)
                    : -1;
    if (place < 0)
        return;
    /* A signal has taken the call back: it is made again, unless the task is gone. */
    inject->is_waiting[place] = true;
}

void ft_inject_leave(struct ft_inject *inject)
{
    for (int i = 0; i < FT_GUARD_PATCHES; i++) {
        if (!inject->patches[i].tid)
            continue;
        ft_slots_put(inject->slots, inject->slot_of_patch[i]);
        inject->patches[i].tid = 0;
    }
}

void ft_inject_fini(struct ft_inject *inject)
{
    for (int i = 0; i < FT_GUARD_PATCHES; i++)
        if (inject->patches[i].tid)
            end_patch(inject, i);
}
