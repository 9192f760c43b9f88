/* SPDX-License-Identifier: MIT */
/* Runs a command with something denied: without seccomp|listener|ptrace|... COMMAND [ARG...] */
#include "case.h"
#include "bpf.h"

#define DENY(error) (SECCOMP_RET_ERRNO | (error))

static int no_seccomp(void)
{
    struct sock_filter code[] = {BPF_LOAD(nr),
                                 BPF_IF(SYS_seccomp, DENY(EPERM)),
                                 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
                                 BPF_LOAD(args[0]),
                                 BPF_IF(PR_SET_SECCOMP, DENY(EPERM)),
                                 BPF_RETURN(SECCOMP_RET_ALLOW)};
    return bpf_install(code, sizeof code / sizeof code[0], 0);
}

/* As a kernel before 5.0: the flag is unknown. */
static int no_listener(void)
{
    struct sock_filter code[] = {
        BPF_LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 3),
        BPF_LOAD(args[1]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, SECCOMP_FILTER_FLAG_NEW_LISTENER, 0, 1),
        BPF_RETURN(DENY(EINVAL)),
        BPF_RETURN(SECCOMP_RET_ALLOW)};
    return bpf_install(code, sizeof code / sizeof code[0], 0);
}

static int no_call(unsigned number, int error)
{
    struct sock_filter code[] = {BPF_LOAD(nr), BPF_IF(number, DENY((unsigned)error)),
                                 BPF_RETURN(SECCOMP_RET_ALLOW)};
    return bpf_install(code, sizeof code / sizeof code[0], 0);
}

int main(int argc, char **argv)
{
    int at = 1;
    for (; at < argc; at++) {
        /* ptrace first of all by the caller: a filter against seccomp comes last. */
        if (strcmp(argv[at], "seccomp") == 0)
            CHECK(no_seccomp() == 0);
        else if (strcmp(argv[at], "listener") == 0)
            CHECK(no_listener() == 0);
        else if (strcmp(argv[at], "ptrace") == 0)
            CHECK(no_call(SYS_ptrace, EPERM) == 0);
        else if (strcmp(argv[at], "memfd") == 0)
            CHECK(no_call(SYS_memfd_create, ENOSYS) == 0);
        else if (strcmp(argv[at], "vm_readv") == 0)
            CHECK(no_call(SYS_process_vm_readv, EPERM) == 0);
        else
            break;
    }
    CHECK(at < argc);
    execvp(argv[at], argv + at);
    return 127;
}
