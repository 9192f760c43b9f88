/* SPDX-License-Identifier: MIT */
/* What a notified system call is about to try. */
#include "tracer/linux/notified.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "tracer/linux/syscalls.h"
#include "tracer/linux/task.h"
#include "tracer/ops.h"
#include "tracer/path.h"

#define PAGE_BYTES 4096u
#define FIRST_READ_BYTES 256u
#define TID_TRUST_NS 10000000u /* no machine starts 32,768 threads in that time */
#define X32_BIT 0x40000000u
#define X32_EXECVE 520
#define X32_EXECVEAT 545

/** The same through /proc, where a sandbox denies the call. */
static ssize_t read_proc_memory(uint32_t tid, uint64_t address, char *to, size_t size_bytes)
{
    int fd = ft_task_open(tid, "mem", O_RDONLY);
    if (fd < 0)
        return -1;
    ssize_t n = pread(fd, to, size_bytes, (off_t)address);
    close(fd);
    return n;
}

/** Read @size_bytes at @address of a task, up to the first page that is not there. */
static size_t read_memory(uint32_t tid, uint64_t address, char *to, size_t size_bytes)
{
    size_t done = 0;
    while (done < size_bytes) {
        size_t part = PAGE_BYTES - (size_t)((address + done) % PAGE_BYTES);
        if (part > size_bytes - done)
            part = size_bytes - done;
        struct iovec here = {to + done, part};
        struct iovec there = {(void *)(uintptr_t)(address + done), part};
        ssize_t n = process_vm_readv((pid_t)tid, &here, 1, &there, 1, 0);
        if (n < 0 && errno != EFAULT && errno != ESRCH)
            n = read_proc_memory(tid, address + done, to + done, part);
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    return done;
}

/** Read a string. @return its length, or -1 when there is no NUL within FT_PATH_MAX bytes */
static ssize_t read_string(uint32_t tid, uint64_t address, char *to)
{
    /* Most paths are short and end on their first page: one call. */
    size_t want = PAGE_BYTES - (size_t)(address % PAGE_BYTES);
    if (want > FIRST_READ_BYTES)
        want = FIRST_READ_BYTES;
    size_t have = read_memory(tid, address, to, want);
    char *end = memchr(to, '\0', have);
    if (!end && have == want) {
        have += read_memory(tid, address + have, to + have, FT_PATH_MAX - have);
        end = memchr(to, '\0', have);
    }
    return end ? end - to : -1;
}

/** @return its length, 0 where it has no path, -1 where there is no such descriptor */
static ssize_t read_folder(uint32_t tid, int dirfd, char *out)
{
    char link[FT_TASK_PATH_BYTES], name[sizeof("fd/2147483647")] = "cwd";
    if (dirfd < 0 && dirfd != AT_FDCWD)
        return -1;
    if (dirfd != AT_FDCWD)
        (void)snprintf(name, sizeof(name), "fd/%d", dirfd);
    ft_task_path(tid, name, link);
    ssize_t n = readlink(link, out, FT_PATH_MAX);
    if (n < 0 && errno == ENOENT && dirfd != AT_FDCWD)
        return -1;
    return n > 0 && out[0] == '/' ? n : 0;
}

static void add_path(struct ft_notified *out, uint32_t tid, unsigned access, int dirfd,
                     uint64_t address)
{
    struct ft_notified_path *path = &out->paths[out->count];
    ssize_t length = address ? read_string(tid, address, path->path) : 0;
    if (length <= 0) {
        out->unknown += length < 0;
        return; /* NULL and "" name nothing; the kernel says EFAULT to a bad pointer */
    }
    ssize_t base = path->path[0] == '/' ? 0 : read_folder(tid, dirfd, path->base);
    if (base < 0)
        return; /* below nothing: the kernel says EBADF */
    path->access = access;
    path->path_bytes = (size_t)length;
    path->base_bytes = (size_t)base;
    out->count++;
}

static void add_descriptor(struct ft_notified *out, uint32_t tid, unsigned access, int fd)
{
    struct ft_notified_path *path = &out->paths[out->count];
    ssize_t length = read_folder(tid, fd, path->path);
    if (length <= 0)
        return;
    path->path_bytes = (size_t)length;
    path->access = access;
    path->base_bytes = 0;
    out->count++;
}

/** A clock that costs no system call; its step is some milliseconds. */
static uint64_t coarse_ns(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/** @flags of execveat(2) */
static void add_exec(struct ft_notified *out, uint32_t tid, int dirfd, uint64_t address,
                     uint64_t flags)
{
    add_path(out, tid, FT_READ, dirfd, address);
    const char *path = out->paths[0].path;
    if (!out->count && !out->unknown && (flags & AT_EMPTY_PATH)) {
        path = ""; /* the descriptor itself; its path is only where it leads to */
        add_descriptor(out, tid, FT_READ, dirfd);
    }
    if (!out->count)
        return;
    ft_notified_exec_read(&out->exec, tid, dirfd, path);
    if (out->exec.has_relative) {
        ssize_t length = read_folder(tid, AT_FDCWD, out->cwd);
        out->cwd_bytes = length > 0 ? (size_t)length : 0;
    }
}

/** The process that a thread belongs to. */
static uint32_t process_of(struct ft_notified *notified, uint32_t tid)
{
    size_t slot = tid % FT_NOTIFIED_TIDS;
    uint64_t now_ns = coarse_ns();
    if (notified->tids[slot].tid == tid) {
        /* Numbers are used again, but not before all others were: now and then the kernel
         * says whether the pair still holds. */
        bool fresh = now_ns - notified->tids[slot].checked_ns < TID_TRUST_NS;
        if (fresh || syscall(SYS_tgkill, notified->tids[slot].pid, tid, 0) == 0 || errno == EPERM) {
            notified->tids[slot].checked_ns = fresh ? notified->tids[slot].checked_ns : now_ns;
            return notified->tids[slot].pid;
        }
    }

    /* Mostly it is a process's first thread, and only that has its number. */
    uint32_t pid = tid;
    if (syscall(SYS_tgkill, tid, tid, 0) != 0 && errno != EPERM) {
        struct ft_task_status status;
        pid = !ft_task_status(tid, &status) && status.pid ? status.pid : tid;
    }
    notified->tids[slot].tid = tid;
    notified->tids[slot].pid = pid;
    notified->tids[slot].checked_ns = now_ns;
    return pid;
}

/** The row of the table for a notified call, or NULL. */
static const struct ft_syscall *find_call(const struct seccomp_data *data)
{
    enum ft_machine machine = FT_MACHINE_X86_64;
    int number = data->nr;

    if (data->arch == AUDIT_ARCH_I386)
        machine = FT_MACHINE_I386;
    else if (data->arch == AUDIT_ARCH_AARCH64)
        machine = FT_MACHINE_AARCH64;
    if (machine == FT_MACHINE_X86_64 && ((unsigned)number & X32_BIT)) {
        number = (int)((unsigned)number & ~X32_BIT);
        if (number == X32_EXECVE)
            number = SYS_execve;
        else if (number == X32_EXECVEAT)
            number = SYS_execveat;
    }
    for (size_t i = 0; i < ft_syscalls_count; i++) {
        if (ft_syscalls[i].number[machine] == number)
            return &ft_syscalls[i];
    }
    return NULL;
}

static void add_openat2(struct ft_notified *out, uint32_t tid, const uint64_t *args)
{
    uint64_t flags = 0; /* the first member of struct open_how */
    if (read_memory(tid, args[2], (char *)&flags, sizeof(flags)) != sizeof(flags))
        flags = 0;
    add_path(out, tid, ft_flags_access(flags), (int)args[0], args[1]);
}

/** A pinned object's name; the other commands of bpf(2) have none. */
static void add_pinned(struct ft_notified *out, uint32_t tid, const uint64_t *args)
{
    struct ft_bpf_object object = {0};

    if (args[0] != FT_BPF_OBJ_PIN && args[0] != FT_BPF_OBJ_GET)
        return;
    size_t size = args[2] < sizeof(object) ? (size_t)args[2] : sizeof(object);
    if (read_memory(tid, args[1], (char *)&object, size) != size)
        return; /* the kernel says EFAULT */
    add_path(out, tid, args[0] == FT_BPF_OBJ_PIN ? FT_WRITE : FT_READ, ft_bpf_folder(&object),
             object.path);
}

static void add_paths(struct ft_notified *out, uint32_t tid, unsigned rule, const uint64_t *args)
{
    switch ((enum ft_rule)rule) {
    case FT_RULE_OPEN:
        return add_path(out, tid, ft_flags_access(args[1]), AT_FDCWD, args[0]);
    case FT_RULE_OPENAT:
        return add_path(out, tid, ft_flags_access(args[2]), (int)args[0], args[1]);
    case FT_RULE_OPENAT2:
        return add_openat2(out, tid, args);
    case FT_RULE_EXEC:
        return add_exec(out, tid, AT_FDCWD, args[0], 0);
    case FT_RULE_EXECAT:
        return add_exec(out, tid, (int)args[0], args[1], args[4]);
    case FT_RULE_READ_0:
        return add_path(out, tid, FT_READ, AT_FDCWD, args[0]);
    case FT_RULE_READ_1:
        return add_path(out, tid, FT_READ, AT_FDCWD, args[1]);
    case FT_RULE_READ_AT:
        return add_path(out, tid, FT_READ, (int)args[0], args[1]);
    case FT_RULE_READ_AT_3:
        return add_path(out, tid, FT_READ, (int)args[3], args[4]);
    case FT_RULE_READ_AT_4:
        return add_path(out, tid, FT_READ, (int)args[4], args[5]);
    case FT_RULE_WRITE_0:
        return add_path(out, tid, FT_WRITE, AT_FDCWD, args[0]);
    case FT_RULE_WRITE_1:
        return add_path(out, tid, FT_WRITE, AT_FDCWD, args[1]);
    case FT_RULE_WRITE_AT:
        return add_path(out, tid, FT_WRITE, (int)args[0], args[1]);
    case FT_RULE_WRITE_AT_1:
        return add_path(out, tid, FT_WRITE, (int)args[1], args[2]);
    case FT_RULE_LINK:
        add_path(out, tid, FT_READ, AT_FDCWD, args[0]);
        return add_path(out, tid, FT_WRITE, AT_FDCWD, args[1]);
    case FT_RULE_LINKAT:
        add_path(out, tid, FT_READ, (int)args[0], args[1]);
        return add_path(out, tid, FT_WRITE, (int)args[2], args[3]);
    case FT_RULE_RENAME:
        add_path(out, tid, FT_WRITE, AT_FDCWD, args[0]);
        return add_path(out, tid, FT_WRITE, AT_FDCWD, args[1]);
    case FT_RULE_RENAMEAT:
        add_path(out, tid, FT_WRITE, (int)args[0], args[1]);
        return add_path(out, tid, FT_WRITE, (int)args[2], args[3]);
    case FT_RULE_LIST_FD:
        return add_descriptor(out, tid, FT_LIST, (int)args[0]);
    case FT_RULE_IO_URING:
        out->reason = FT_REASON_IO_URING;
        return;
    case FT_RULE_MOUNT_OPTION:
        if (args[1] == FT_FSCONFIG_SET_PATH || args[1] == FT_FSCONFIG_SET_PATH_EMPTY)
            add_path(out, tid, FT_READ, (int)args[4], args[3]);
        return;
    case FT_RULE_BPF:
        return add_pinned(out, tid, args);
    }
}

bool ft_notified_read(struct ft_notified *out, const struct seccomp_notif *notification)
{
    const struct ft_syscall *call = find_call(&notification->data);

    out->count = 0;
    out->exec.count = 0;
    out->exec.loses_privileges = false;
    out->unknown = 0;
    out->reason = FT_REASON_NONE;
    if (!call)
        return false;
    uint64_t args[6];
    memcpy(args, notification->data.args, sizeof(args));
    out->op = call->op;
    out->pid = process_of(out, notification->pid);
    add_paths(out, notification->pid, call->rule, args);
    if (call->op == FT_OP_chroot)
        out->reason = FT_REASON_CHROOT;
    else if (out->unknown)
        out->reason = FT_REASON_PATH_UNKNOWN;
    else if (out->exec.loses_privileges)
        out->reason = FT_REASON_SETUID_BELOW;
    return true;
}

bool ft_notified_is_denied(const struct ft_notified *notified, const struct ft_log *log)
{
    return notified->reason == FT_REASON_IO_URING && (log->head->flags & FT_FLAG_DENY_IO_URING);
}

static void note_reason(const struct ft_notified *notified, struct ft_log *log)
{
    const struct ft_record head = {
        .pid = notified->pid,
        .op = (uint16_t)notified->op,
        .error = (uint16_t)notified->reason,
        .kind = FT_KIND_NOTE,
    };
    const struct ft_notified_path *path = &notified->paths[0];
    ft_log_put(log, &head, NULL, 0, path->path, notified->count ? path->path_bytes : 0);
}

static void commit_loaded(const struct ft_notified *notified, struct ft_log *log)
{
    for (unsigned i = 0; i < notified->exec.count; i++) {
        const char *path = notified->exec.paths[i];
        const struct ft_record head = {
            .pid = notified->pid,
            .op = FT_OP_loader,
            .error = (uint16_t)notified->exec.errors[i],
            .kind = FT_KIND_ACCESS,
            .access = FT_READ,
        };
        size_t base_bytes = path[0] == '/' ? 0 : notified->cwd_bytes;
        ft_log_put(log, &head, notified->cwd, base_bytes, path, strlen(path));
    }
}

void ft_notified_commit(const struct ft_notified *notified, unsigned error, struct ft_log *log)
{
    if (notified->reason)
        note_reason(notified, log);
    for (unsigned i = 0; i < notified->count; i++) {
        const struct ft_notified_path *path = &notified->paths[i];
        const struct ft_record head = {
            .pid = notified->pid,
            .op = (uint16_t)notified->op,
            .error = (uint16_t)error,
            .kind = FT_KIND_ACCESS,
            .access = (uint8_t)path->access,
        };
        ft_log_put(log, &head, path->base, path->base_bytes, path->path, path->path_bytes);
    }
    commit_loaded(notified, log);
}
