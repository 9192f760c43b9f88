/* SPDX-License-Identifier: MIT */
/* Landlock for files, a seccomp filter for calls. */
#include "report/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PATH_SIZE 4096

/* Calls that are younger than the oldest headers; they have one number on every processor. */
#define CALL_CLONE3 435
#define CALL_PIDFD_GETFD 438
#define CALL_FCHMODAT2 452
#define CALL_SETXATTRAT 463
#define CALL_REMOVEXATTRAT 466

/* What headers of older kernels lack; the running kernel says by its ABI whether it knows them. */
#define FS_REFER (UINT64_C(1) << 13)    /* ABI 2 */
#define FS_TRUNCATE (UINT64_C(1) << 14) /* ABI 3 */

#define FS_WRITE (LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE)
#define FS_CHANGE (FS_WRITE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE)
#define FS_HANDLED                                                                                 \
    (FS_CHANGE | FS_REFER | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_REMOVE_DIR |           \
     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK |  \
     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_SYM)

/** The rules in the making. */
struct rules {
    int fd;
    uint64_t handled;
};

/** Allow @access to what is at @path, and below it when it is a folder. What cannot be opened is
 * not allowed: then writing it fails with the system's own reason. */
static void allow(const struct rules *rules, const char *path, uint64_t access)
{
    struct stat info;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return;
    if (!fstat(fd, &info)) {
        struct landlock_path_beneath_attr rule = {
            .allowed_access =
                access & rules->handled & (S_ISDIR(info.st_mode) ? ~UINT64_C(0) : FS_WRITE),
            .parent_fd = fd,
        };
        (void)syscall(SYS_landlock_add_rule, rules->fd, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    (void)close(fd);
}

/** The folder that @path lies in. @return false when that is too long to be used */
static bool folder_of(const char *path, char out[PATH_SIZE])
{
    const char *slash = strrchr(path, '/');
    int n = slash == path ? snprintf(out, PATH_SIZE, "/")
            : slash       ? snprintf(out, PATH_SIZE, "%.*s", (int)(slash - path), path)
                          : snprintf(out, PATH_SIZE, ".");
    return n > 0 && n < PATH_SIZE;
}

/** A file that is written beside and renamed: its folder. A device or pipe: just that. */
static void allow_replaced(const struct rules *rules, const char *path)
{
    char folder[PATH_SIZE];
    struct stat info;
    bool is_there = !stat(path, &info);
    if (is_there && !S_ISREG(info.st_mode)) {
        allow(rules, path, FS_WRITE);
        return;
    }
    char *real = is_there ? realpath(path, NULL) : NULL; /* what a link names is replaced */
    if (folder_of(real ? real : path, folder))
        allow(rules, folder, FS_CHANGE);
    free(real);
}

static void allow_appended(const struct rules *rules, const char *path)
{
    if (access(path, F_OK))
        allow_replaced(rules, path);
    else
        allow(rules, path, FS_WRITE);
}

/** @return whether writing is shut off */
static bool enter_landlock(const struct rep_sandbox *allowed)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    struct rules rules = {.handled = FS_HANDLED};
    if (abi < 1)
        return false;
    if (abi < 2)
        rules.handled &= ~FS_REFER; /* refused by itself */
    if (abi < 3)
        rules.handled &= ~FS_TRUNCATE; /* truncate(2) is not refused then */

    /* only the first field: a size that every kernel with Landlock takes */
    const uint64_t attributes = rules.handled;
    rules.fd = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0);
    if (rules.fd < 0)
        return false;
    for (size_t i = 0; i < allowed->replaced_count; i++) {
        if (allowed->replaced[i])
            allow_replaced(&rules, allowed->replaced[i]);
    }
    for (size_t i = 0; i < allowed->appended_count; i++) {
        if (allowed->appended[i])
            allow_appended(&rules, allowed->appended[i]);
    }
    for (size_t i = 0; i < allowed->folders_count; i++) {
        if (allowed->folders[i])
            allow(&rules, allowed->folders[i], FS_CHANGE);
    }
    bool entered = !syscall(SYS_landlock_restrict_self, rules.fd, 0);
    (void)close(rules.fd);
    return entered;
}

#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), ANSWER(EPERM)
/* A flag of a loaded argument's lower half; both processors are little endian. */
#define IF_ARGUMENT(test, value, yes, no) BPF_JUMP(BPF_JMP | (test) | BPF_K, (value), yes, no)

/** @return whether calls are shut off */
static bool enter_seccomp(void)
{
    const uint32_t own_pid = (uint32_t)getpid();
    struct sock_filter code[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0),
        ANSWER(ENOSYS), /* i386 on x86-64 */
        LOAD(nr),
#if defined(__x86_64__)
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1), /* x32 */
        ANSWER(ENOSYS),
        REFUSE(SYS_fork),
        REFUSE(SYS_vfork),
        REFUSE(SYS_chmod),
        REFUSE(SYS_chown),
        REFUSE(SYS_lchown),
        REFUSE(SYS_mknod),
        REFUSE(SYS_utime),
        REFUSE(SYS_utimes),
        REFUSE(SYS_futimesat),
#endif
        /* programs, and io_uring, which no filter sees into */
        REFUSE(SYS_execve),
        REFUSE(SYS_execveat),
        REFUSE(SYS_io_uring_setup),
        /* names' owners, rights and times, which Landlock leaves alone */
        REFUSE(SYS_fchmodat),
        REFUSE(CALL_FCHMODAT2),
        REFUSE(SYS_fchownat),
        REFUSE(SYS_fchown),
        REFUSE(SYS_mknodat),
        REFUSE(SYS_utimensat),
        REFUSE(SYS_truncate),
        REFUSE(SYS_setxattr),
        REFUSE(SYS_lsetxattr),
        REFUSE(SYS_fsetxattr),
        REFUSE(SYS_removexattr),
        REFUSE(SYS_lremovexattr),
        REFUSE(SYS_fremovexattr),
        REFUSE(CALL_SETXATTRAT),
        REFUSE(CALL_REMOVEXATTRAT),
        REFUSE(SYS_open_by_handle_at),
        /* other processes */
        REFUSE(SYS_ptrace),
        REFUSE(SYS_process_vm_readv),
        REFUSE(SYS_process_vm_writev),
        REFUSE(CALL_PIDFD_GETFD),
        REFUSE(SYS_pidfd_send_signal),
        REFUSE(SYS_kill),
        REFUSE(SYS_tkill),
        REFUSE(SYS_rt_sigqueueinfo),
        REFUSE(SYS_rt_tgsigqueueinfo),
        /* the machine */
        REFUSE(SYS_mount),
        REFUSE(SYS_umount2),
        REFUSE(SYS_pivot_root),
        REFUSE(SYS_chroot),
        REFUSE(SYS_unshare),
        REFUSE(SYS_setns),
        REFUSE(SYS_bpf),
        REFUSE(SYS_perf_event_open),
        REFUSE(SYS_userfaultfd),
        REFUSE(SYS_keyctl),
        REFUSE(SYS_add_key),
        REFUSE(SYS_request_key),
        /* serving */
        REFUSE(SYS_listen),
        REFUSE(SYS_accept),
        REFUSE(SYS_accept4),
        /* a signal to a thread of ours, as abort() sends it */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 4),
        LOAD(args[0]),
        IF_ARGUMENT(BPF_JEQ, own_pid, 0, 1),
        ALLOW,
        ANSWER(EPERM),
        /* our own limits */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 5),
        LOAD(args[0]),
        IF_ARGUMENT(BPF_JEQ, 0, 1, 0),
        IF_ARGUMENT(BPF_JEQ, own_pid, 0, 1),
        ALLOW,
        ANSWER(EPERM),
        /* the rights of a file that is replaced are kept, but it gains no privileges */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fchmod, 0, 4),
        LOAD(args[1]),
        IF_ARGUMENT(BPF_JSET, S_ISUID | S_ISGID | S_ISVTX, 1, 0),
        ALLOW,
        ANSWER(EPERM),
        /* threads are made by clone; its younger brother hides its flags from a filter, and the C
           library takes the elder when it is not there */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CALL_CLONE3, 0, 1),
        ANSWER(ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        LOAD(args[0]),
        IF_ARGUMENT(BPF_JSET, CLONE_THREAD, 8, 0),
        ANSWER(EPERM),
        /* what names are resolved with, and what is connected to */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 6),
        LOAD(args[0]),
        IF_ARGUMENT(BPF_JEQ, AF_UNIX, 4, 0),
        IF_ARGUMENT(BPF_JEQ, AF_INET, 3, 0),
        IF_ARGUMENT(BPF_JEQ, AF_INET6, 2, 0),
        IF_ARGUMENT(BPF_JEQ, AF_NETLINK, 1, 0),
        ANSWER(EAFNOSUPPORT),
        ALLOW,
    };
    const struct sock_fprog program = {.len = (unsigned short)ARRAY_LEN(code), .filter = code};
    return !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

unsigned rep_sandbox_enter(const struct rep_sandbox *allowed, const char **missing)
{
    /* Both ask for it; nothing is started here that could gain anything. */
    bool ready = !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    unsigned entered = ready && enter_landlock(allowed) ? REP_SANDBOX_WRITES : 0;
    if (ready && enter_seccomp())
        entered |= REP_SANDBOX_CALLS;
    *missing = entered == (REP_SANDBOX_WRITES | REP_SANDBOX_CALLS) ? ""
               : entered == REP_SANDBOX_CALLS  ? "this kernel has no Landlock: files can be written"
               : entered == REP_SANDBOX_WRITES ? "this kernel takes no seccomp filter"
                                               : "this kernel has neither Landlock nor seccomp";
    return entered;
}
