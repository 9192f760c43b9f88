/* SPDX-License-Identifier: MIT */
/* syscall(2) by number: recorded by the table that the kernel's filter is made of. */
#include "tracer/linux/preload.h"

#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/prctl.h>
#include <stdarg.h>

#include "tracer/image.h"
#include "tracer/linux/preload_allowed.h"
#include "tracer/linux/preload_jump.h"
#include "tracer/linux/sys.h"
#include "tracer/linux/syscalls.h"

#if defined(__x86_64__)
#define OUR_MACHINE FT_MACHINE_X86_64
#else
#define OUR_MACHINE FT_MACHINE_AARCH64
#endif

typedef long syscall_function(long number, long a, long b, long c, long d, long e, long f);

static const struct ft_syscall *find_call(long number)
{
    for (size_t i = 0; i < ft_syscalls_count; i++)
        if (ft_syscalls[i].number[OUR_MACHINE] == number)
            return &ft_syscalls[i];
    return NULL;
}

static const char *text(long argument)
{
    return (const char *)argument;
}

/** A pinned object's name; the other commands of bpf(2) have none. */
static void note_pinned(int error, const long *args)
{
    struct ft_bpf_object object = {0};
    uint32_t size = (unsigned long)args[2] < sizeof(object) ? (uint32_t)args[2] : sizeof(object);

    if ((args[0] != FT_BPF_OBJ_PIN && args[0] != FT_BPF_OBJ_GET) ||
        !ft_memory_read(text(args[1]), &object, size))
        return;
    ft_note_at(FT_OP_bpf, args[0] == FT_BPF_OBJ_PIN ? FT_WRITE : FT_READ, error,
               ft_bpf_folder(&object), text((long)object.path));
}

/** Record the paths of a call that has come back with @error. */
static void note_call(const struct ft_syscall *call, int error, const long *args)
{
    enum ft_op op = (enum ft_op)call->op;

    switch ((enum ft_rule)call->rule) {
    case FT_RULE_OPEN:
        return ft_note_at(op, ft_flags_access((unsigned long)args[1]), error, AT_FDCWD,
                          text(args[0]));
    case FT_RULE_OPENAT:
        return ft_note_at(op, ft_flags_access((unsigned long)args[2]), error, (int)args[0],
                          text(args[1]));
    case FT_RULE_OPENAT2: {
        /* The first member of struct open_how; a bad pointer is a bad call. */
        bool known = error != EFAULT && ft_path_readable(text(args[2]), EINVAL);
        unsigned long flags = known ? *(const unsigned long *)args[2] : 0;
        return ft_note_at(op, ft_flags_access(flags), error, (int)args[0], text(args[1]));
    }
    case FT_RULE_READ_0:
        return ft_note_at(op, FT_READ, error, AT_FDCWD, text(args[0]));
    case FT_RULE_READ_1:
        return ft_note_at(op, FT_READ, error, AT_FDCWD, text(args[1]));
    case FT_RULE_READ_AT:
        return ft_note_at(op, FT_READ, error, (int)args[0], text(args[1]));
    case FT_RULE_READ_AT_3:
        return ft_note_at(op, FT_READ, error, (int)args[3], text(args[4]));
    case FT_RULE_READ_AT_4:
        return ft_note_at(op, FT_READ, error, (int)args[4], text(args[5]));
    case FT_RULE_WRITE_0:
        return ft_note_at(op, FT_WRITE, error, AT_FDCWD, text(args[0]));
    case FT_RULE_WRITE_1:
        return ft_note_at(op, FT_WRITE, error, AT_FDCWD, text(args[1]));
    case FT_RULE_WRITE_AT:
        return ft_note_at(op, FT_WRITE, error, (int)args[0], text(args[1]));
    case FT_RULE_WRITE_AT_1:
        return ft_note_at(op, FT_WRITE, error, (int)args[1], text(args[2]));
    case FT_RULE_LINK:
        ft_note_at(op, FT_READ, error, AT_FDCWD, text(args[0]));
        return ft_note_at(op, FT_WRITE, error, AT_FDCWD, text(args[1]));
    case FT_RULE_LINKAT:
        ft_note_at(op, FT_READ, error, (int)args[0], text(args[1]));
        return ft_note_at(op, FT_WRITE, error, (int)args[2], text(args[3]));
    case FT_RULE_RENAME:
        ft_note_at(op, FT_WRITE, error, AT_FDCWD, text(args[0]));
        return ft_note_at(op, FT_WRITE, error, AT_FDCWD, text(args[1]));
    case FT_RULE_RENAMEAT:
        ft_note_at(op, FT_WRITE, error, (int)args[0], text(args[1]));
        return ft_note_at(op, FT_WRITE, error, (int)args[2], text(args[3]));
    case FT_RULE_LIST_FD:
        return ft_note_fd(op, FT_LIST, error, (int)args[0]);
    case FT_RULE_MOUNT_OPTION:
        if (args[1] == FT_FSCONFIG_SET_PATH || args[1] == FT_FSCONFIG_SET_PATH_EMPTY)
            ft_note_at(op, FT_READ, error, (int)args[4], text(args[3]));
        return;
    case FT_RULE_BPF:
        return note_pinned(error, args);
    case FT_RULE_EXEC:
    case FT_RULE_EXECAT:
    case FT_RULE_IO_URING:
        return; /* noted before they are tried, the first two by the exec functions */
    }
}

/** Effects on what we keep about the process. */
static void follow(long number, int error, const long *args)
{
    if (number == __NR_chroot)
        ft_note_root_changed(error, text(args[0]));
    if (number == __NR_chdir || number == __NR_fchdir || number == __NR_chroot)
        ft_note_cwd_changed();
    if (number == __NR_unshare)
        ft_note_folders_part((int)args[0]);
}

static bool is_followed(long number)
{
    return number == __NR_fchdir || number == __NR_unshare;
}

/** The filter that a call with these arguments puts on; NULL without. */
static const void *filter_of(long number, long a, long b, long c)
{
    if (number == __NR_prctl)
        return ft_own_filter_of_prctl((unsigned long)a, (unsigned long)b, text(c));
    return number == __NR_seccomp ? ft_own_filter_of_seccomp((unsigned long)a, text(c)) : NULL;
}

static long filtering_syscall(syscall_function *next, long number, const long *args,
                              const void *filter)
{
    uint32_t before = ft_own_filter_ahead();
    long result = next(number, args[0], args[1], args[2], args[3], args[4], args[5]);
    ft_own_filter_done(before, result >= 0, filter);
    return result;
}

extern int execve(const char *path, char *const *argv, char *const *envp);
extern int execveat(int dirfd, const char *path, char *const *argv, char *const *envp, int flags);

/** A call that is in the table. */
static long noted_syscall(long number, const long *args)
{
    const struct ft_syscall *call = find_call(number);
    syscall_function *next = (syscall_function *)ft_next(FT_FN_syscall);

    if (call && call->rule == FT_RULE_EXEC)
        return execve(text(args[0]), (char *const *)args[1], (char *const *)args[2]);
    if (call && call->rule == FT_RULE_EXECAT)
        return execveat((int)args[0], text(args[1]), (char *const *)args[2], (char *const *)args[3],
                        (int)args[4]);
    if (call && call->rule == FT_RULE_IO_URING) {
        if (ft_preload_log->flags & FT_FLAG_DENY_IO_URING)
            return ft_no_such_function(), -1;
        ft_note_reason(FT_REASON_IO_URING, "");
    }
    const void *filter = filter_of(number, args[0], args[1], args[2]);
    if (filter)
        return filtering_syscall(next, number, args, filter);
    if (call && ft_op_moves_folders((enum ft_op)call->op))
        ft_note_cwd_known();
    long result = next(number, args[0], args[1], args[2], args[3], args[4], args[5]);
    int error = ft_error_of(result == -1);
    if (call)
        note_call(call, error, args);
    follow(number, error, args);
    return result;
}

HIDDEN long ft_syscall_noted(long number, ...);

/** What the wrapper below calls for a number of the table. */
__attribute__((used)) long ft_syscall_noted(long number, ...)
{
    va_list list;
    long args[6];
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        args[i] = va_arg(list, long);
    va_end(list);
    return noted_syscall(number, args);
}

HIDDEN void *ft_syscall_enter(long number, long a, long b, long c);

/** A call that makes a child. */
static void follow_clone(long number, long a, long b)
{
    uint64_t flags; /* the first member of struct clone_args */
    if (number == __NR_clone)
        ft_note_clone((uint64_t)a);
    else if (number == __NR_clone3 && b >= (long)sizeof(flags) &&
             ft_memory_read(text(a), &flags, sizeof(flags)))
        ft_note_clone(flags);
}

/** Where the wrapper below goes on: every other call leaves no frame of ours behind, because
 * some (clone, vfork) return twice. */
__attribute__((used)) void *ft_syscall_enter(long number, long a, long b, long c)
{
    void *next = ft_next(FT_FN_syscall);
    if (ft_preload_log)
        follow_clone(number, a, b);
    bool noted = ft_preload_log && next &&
                 (find_call(number) || is_followed(number) || filter_of(number, a, b, c));
    return noted ? (void *)ft_syscall_noted : next;
}

FT_JUMP_ON(syscall, ft_syscall_enter);

EXPORT int prctl(int option, ...);
EXPORT int prctl(int option, ...)
{
    int (*next)(int, ...) = (int (*)(int, ...))ft_next(FT_FN_prctl);
    unsigned long args[4];
    va_list list;

    va_start(list, option);
    for (int i = 0; i < 4; i++)
        args[i] = va_arg(list, unsigned long);
    va_end(list);
    if (!next)
        return ft_no_such_function(), -1;
    if (ft_preload_log && option == PR_SET_NO_NEW_PRIVS)
        ft_own_settle(); /* a filter is what mostly comes next */
    const void *filter =
        ft_own_filter_of_prctl((unsigned long)option, args[0], text((long)args[1]));
    if (!ft_preload_log || !filter)
        return next(option, args[0], args[1], args[2], args[3]);
    uint32_t before = ft_own_filter_ahead();
    int result = next(option, args[0], args[1], args[2], args[3]);
    ft_own_filter_done(before, result >= 0, filter);
    return result;
}
