/* SPDX-License-Identifier: MIT */
/* The seccomp filter that notifies the tracer of every call on a path. */
#include "tracer/linux/filter.h"

#include <linux/audit.h>
#include <linux/errno.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>

#include "tracer/linux/sys.h"

#define NR_OFFSET offsetof(struct seccomp_data, nr)
#define ARCH_OFFSET offsetof(struct seccomp_data, arch)
#define ARG0_OFFSET offsetof(struct seccomp_data, args[0]) /* low half: little endian */

#define PRCTL_X86_64 157
#define PRCTL_AARCH64 167

#define X32_BIT 0x40000000u
/* The x32 calls that have a number of their own because of pointers in memory. */
#define X32_EXECVE 520
#define X32_EXECVEAT 545

/** A filter being written. */
struct writer {
    struct sock_filter *out;
    size_t count;
};

static void put(struct writer *writer, uint16_t code, uint32_t k, uint8_t jt, uint8_t jf)
{
    writer->out[writer->count].code = code;
    writer->out[writer->count].jt = jt;
    writer->out[writer->count].jf = jf;
    writer->out[writer->count].k = k;
    writer->count++;
}

static void load(struct writer *writer, size_t offset)
{
    put(writer, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void answer(struct writer *writer, uint32_t action)
{
    put(writer, BPF_RET | BPF_K, action, 0, 0);
}

/** Is it the number of an earlier row too? Twins share one on some machines. */
static int is_repeat(size_t row, enum ft_machine machine)
{
    for (size_t i = 0; i < row; i++)
        if (ft_syscalls[i].number[machine] == ft_syscalls[row].number[machine])
            return 1;
    return 0;
}

/** With the number loaded: one comparison a call, then ALLOW, then @action. The kernel works
 * the answers for constant numbers out beforehand (5.11+), so that other calls cost nothing. */
static void put_calls(struct writer *writer, enum ft_machine machine, uint32_t action)
{
    size_t first = writer->count;
    for (size_t i = 0; i < ft_syscalls_count; i++)
        if (ft_syscalls[i].number[machine] >= 0 && !is_repeat(i, machine))
            put(writer, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)ft_syscalls[i].number[machine], 0, 0);
    if (machine == FT_MACHINE_X86_64) {
        put(writer, BPF_JMP | BPF_JEQ | BPF_K, X32_EXECVE, 0, 0);
        put(writer, BPF_JMP | BPF_JEQ | BPF_K, X32_EXECVEAT, 0, 0);
    }
    size_t allow = writer->count;
    answer(writer, SECCOMP_RET_ALLOW);
    answer(writer, action);
    for (size_t i = first; i < allow; i++)
        writer->out[i].jt = (uint8_t)(allow + 1 - (i + 1));
}

/** prctl(FT_FILTER_PROBE) is answered by ourselves. */
static void put_probe(struct writer *writer, uint32_t prctl_number)
{
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, prctl_number, 0, 4); /* else past the four below */
    load(writer, ARG0_OFFSET);
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, FT_FILTER_PROBE, 0, 1);
    answer(writer, SECCOMP_RET_ERRNO | FT_FILTER_PROBE_ERROR);
    answer(writer, SECCOMP_RET_ALLOW);
}

static void put_x86_64(struct writer *writer, uint32_t action)
{
    size_t other = writer->count;
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 0);
    load(writer, NR_OFFSET);
    put(writer, BPF_JMP | BPF_JSET | BPF_K, X32_BIT, 0, 1);
    put(writer, BPF_ALU | BPF_AND | BPF_K, ~X32_BIT, 0, 0);
    put_probe(writer, PRCTL_X86_64);
    put_calls(writer, FT_MACHINE_X86_64, action);
    writer->out[other].jf = (uint8_t)(writer->count - (other + 1));
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_I386, 1, 0);
    answer(writer, SECCOMP_RET_ALLOW);
    load(writer, NR_OFFSET);
    put_calls(writer, FT_MACHINE_I386, action);
}

static void put_aarch64(struct writer *writer, uint32_t action)
{
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_AARCH64, 1, 0);
    answer(writer, SECCOMP_RET_ALLOW);
    load(writer, NR_OFFSET);
    put_probe(writer, PRCTL_AARCH64);
    put_calls(writer, FT_MACHINE_AARCH64, action);
}

size_t ft_filter_build(enum ft_machine kernel, uint32_t action, struct sock_filter *out)
{
    struct writer writer = {out, 0};

    load(&writer, ARCH_OFFSET);
    if (kernel == FT_MACHINE_AARCH64)
        put_aarch64(&writer, action);
    else
        put_x86_64(&writer, action);
    return writer.count;
}

static long install(const struct sock_fprog *program, unsigned long flags)
{
    return SYS3(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, program);
}

int ft_filter_install(uint32_t action)
{
    struct sock_filter code[FT_FILTER_MAX];
    const struct sock_fprog program = {
        .len = (unsigned short)ft_filter_build(FT_MACHINE_OWN, action, code),
        .filter = code,
    };
    /* Without SPEC_ALLOW kernels before 5.16 slow every branch of the program down. */
    unsigned long flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    if (action == SECCOMP_RET_USER_NOTIF)
        flags |= SECCOMP_FILTER_FLAG_NEW_LISTENER;

    long fd = install(&program, flags);
    if (fd == -EACCES) {
        SYS4(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0);
        fd = install(&program, flags);
    }
    return (int)fd;
}
