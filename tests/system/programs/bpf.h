/* SPDX-License-Identifier: MIT */
/* Small seccomp filters for the programs that need one. */
#ifndef SYSTEM_BPF_H
#define SYSTEM_BPF_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BPF_LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define BPF_RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))
/* When the loaded number is this one, return the action; else go on. */
#define BPF_IF(value, action) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, 1), BPF_RETURN(action)

static inline int bpf_install(struct sock_filter *code, size_t count, unsigned flags)
{
    struct sock_fprog program = {.len = (unsigned short)count, .filter = code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

#endif
