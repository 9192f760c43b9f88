/* SPDX-License-Identifier: MIT */
/* The seccomp filter that notifies the tracer of every call on a path. */
#include "tracer/linux/filter.h"

#include <linux/audit.h>
#include <linux/errno.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <stdbool.h>

#include "tracer/linux/payload.h"
#include "tracer/linux/sys.h"

#define NR_OFFSET offsetof(struct seccomp_data, nr)
#define ARCH_OFFSET offsetof(struct seccomp_data, arch)
#define ARG0_OFFSET offsetof(struct seccomp_data, args[0]) /* low half: little endian */
#define ARG1_OFFSET offsetof(struct seccomp_data, args[1])
#define ADDRESS_OFFSET offsetof(struct seccomp_data, instruction_pointer)

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

/* Calls of x86-64 that matter to the payload; the numbers of this machine may be others. */
#define ARCH_PRCTL 158
#define ARCH_SET_FS 0x1002u
#define RT_SIGACTION 13
#define CANCEL_SIGNAL 32 /* glibc's, for pthread_cancel() */
#define CLONE 56
#define CLONE_VM_FLAG 0x100u
#define CLONE_THREAD_FLAG 0x10000u
#define CLONE_NEWPID_FLAG 0x20000000u
#define VFORK 58
#define CLONE3 435
#define SECCOMP 317
#define UNSHARE 272
#define SETNS 308
#define I386_CLONE 120
#define I386_PRCTL 172
#define I386_UNSHARE 310
#define I386_SETNS 346
#define I386_SECCOMP 354

/** With the number loaded: notify of a call, whatever its arguments. */
static void put_always(struct writer *writer, uint32_t number, uint32_t action)
{
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
    answer(writer, action);
}

/** With the number loaded: of a call with one of these flags in its first argument. */
static void put_flags(struct writer *writer, uint32_t number, uint32_t flags, uint32_t action)
{
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4);
    load(writer, ARG0_OFFSET);
    put(writer, BPF_JMP | BPF_JSET | BPF_K, flags, 0, 1);
    answer(writer, action);
    answer(writer, SECCOMP_RET_ALLOW);
}

/** What the payload depends on. */
static void put_inject(struct writer *writer, uint32_t action)
{
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, ARCH_PRCTL, 0, 4);
    load(writer, ARG0_OFFSET);
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, ARCH_SET_FS, 0, 1);
    answer(writer, action);
    answer(writer, SECCOMP_RET_ALLOW);
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, RT_SIGACTION, 0, 9);
    load(writer, ARG0_OFFSET);
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, CANCEL_SIGNAL, 0, 6);
    load(writer, ARG1_OFFSET); /* to ask what the handler is changes nothing */
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
    load(writer, ARG1_OFFSET + 4);
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
    answer(writer, SECCOMP_RET_ALLOW);
    answer(writer, action);
    answer(writer, SECCOMP_RET_ALLOW);
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, CLONE, 0, 6);
    load(writer, ARG0_OFFSET);
    put(writer, BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWPID_FLAG, 2, 0);
    put(writer, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD_FLAG, 2, 0);
    put(writer, BPF_JMP | BPF_JSET | BPF_K, CLONE_VM_FLAG, 0, 1);
    answer(writer, action);
    answer(writer, SECCOMP_RET_ALLOW);
    put_flags(writer, UNSHARE, CLONE_NEWPID_FLAG, action);
    put_always(writer, VFORK, action);
    put_always(writer, CLONE3, action);
    put_always(writer, SECCOMP, action);
    put_always(writer, SETNS, action);
}

/** The same of i386, where there is no payload: who has a filter of its own, or other numbers? */
static void put_inject_i386(struct writer *writer, uint32_t action)
{
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, I386_PRCTL, 0, 4);
    load(writer, ARG0_OFFSET);
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, 1);
    answer(writer, action);
    answer(writer, SECCOMP_RET_ALLOW);
    put_flags(writer, I386_CLONE, CLONE_NEWPID_FLAG, action);
    put_flags(writer, I386_UNSHARE, CLONE_NEWPID_FLAG, action);
    put_always(writer, CLONE3, action);
    put_always(writer, I386_SECCOMP, action);
    put_always(writer, I386_SETNS, action);
}

/** Where a call on a path comes from: from the payload it has been recorded by that. */
static void put_exempt(struct writer *writer)
{
    load(writer, ADDRESS_OFFSET + 4);
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 4);
    load(writer, ADDRESS_OFFSET);
    put(writer, BPF_JMP | BPF_JGE | BPF_K, FT_PAYLOAD_BASE, 0, 2);
    put(writer, BPF_JMP | BPF_JGE | BPF_K, FT_PAYLOAD_BASE + FT_PAYLOAD_TEXT_BYTES, 1, 0);
    answer(writer, SECCOMP_RET_ALLOW);
}

/** With the number loaded: a comparison for each call of one kind; lead_to() says where to. */
static void put_rows(struct writer *writer, enum ft_machine machine, bool rare)
{
    for (size_t i = 0; i < ft_syscalls_count; i++)
        if (ft_syscalls[i].is_rare == rare && ft_syscalls[i].number[machine] >= 0 &&
            ft_syscalls[i].rule != FT_RULE_BPF && !is_repeat(i, machine))
            put(writer, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)ft_syscalls[i].number[machine], 0, 0);
}

/** Where the comparisons from @first to before @end go on when they hold. */
static void lead_to(struct writer *writer, size_t first, size_t end, size_t target)
{
    for (size_t i = first; i < end; i++)
        writer->out[i].jt = (uint8_t)(target - (i + 1));
}

/** bpf(2) looks up and changes maps in most of its calls: those with a name alone matter. */
static void put_bpf(struct writer *writer, enum ft_machine machine, uint32_t action)
{
    for (size_t i = 0; i < ft_syscalls_count; i++) {
        if (ft_syscalls[i].rule != FT_RULE_BPF)
            continue;
        put(writer, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)ft_syscalls[i].number[machine], 0, 4);
        load(writer, ARG0_OFFSET);
        put(writer, BPF_JMP | BPF_JEQ | BPF_K, FT_BPF_OBJ_PIN, 1, 0);
        put(writer, BPF_JMP | BPF_JEQ | BPF_K, FT_BPF_OBJ_GET, 0, 1);
        answer(writer, action);
    }
}

/** With the number loaded: one comparison a call, then ALLOW, then @action. The kernel works
 * the answers for constant numbers out beforehand (5.11+), so that other calls cost nothing. Calls
 * whose arguments decide are not among these, and stand before the rare ones for that. */
static void put_calls(struct writer *writer, enum ft_machine machine, uint32_t action,
                      enum ft_filter_kind kind)
{
    size_t first = writer->count;
    put_rows(writer, machine, false);
    if (machine == FT_MACHINE_X86_64) {
        put(writer, BPF_JMP | BPF_JEQ | BPF_K, X32_EXECVE, 0, 0);
        put(writer, BPF_JMP | BPF_JEQ | BPF_K, X32_EXECVEAT, 0, 0);
    }
    size_t end = writer->count;
    bool inject = kind == FT_FILTER_INJECT;
    if (inject && machine == FT_MACHINE_X86_64)
        put_inject(writer, action);
    else if (inject)
        put_inject_i386(writer, action);
    size_t first_rare = writer->count;
    put_rows(writer, machine, true);
    size_t end_rare = writer->count;
    put_bpf(writer, machine, action);
    answer(writer, SECCOMP_RET_ALLOW);
    size_t found = writer->count;
    if (inject && machine == FT_MACHINE_X86_64)
        put_exempt(writer);
    answer(writer, action);
    lead_to(writer, first, end, found);
    lead_to(writer, first_rare, end_rare, found);
}

/** prctl(FT_FILTER_PROBE) is answered by ourselves; of a filter of the program's own we hear. */
static void put_probe(struct writer *writer, uint32_t prctl_number, uint32_t action,
                      enum ft_filter_kind kind)
{
    size_t start = writer->count;
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, prctl_number, 0, 0);
    load(writer, ARG0_OFFSET);
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, FT_FILTER_PROBE, 0, 1);
    answer(writer, SECCOMP_RET_ERRNO | FT_FILTER_PROBE_ERROR);
    if (kind == FT_FILTER_INJECT) {
        put(writer, BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, 1);
        answer(writer, action);
    }
    answer(writer, SECCOMP_RET_ALLOW);
    writer->out[start].jf = (uint8_t)(writer->count - (start + 1));
}

static void put_x86_64(struct writer *writer, uint32_t action, enum ft_filter_kind kind)
{
    size_t other = writer->count;
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 0);
    load(writer, NR_OFFSET);
    put(writer, BPF_JMP | BPF_JSET | BPF_K, X32_BIT, 0, 1);
    put(writer, BPF_ALU | BPF_AND | BPF_K, ~X32_BIT, 0, 0);
    put_probe(writer, PRCTL_X86_64, action, kind);
    put_calls(writer, FT_MACHINE_X86_64, action, kind);
    writer->out[other].jf = (uint8_t)(writer->count - (other + 1));
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_I386, 1, 0);
    answer(writer, SECCOMP_RET_ALLOW);
    load(writer, NR_OFFSET);
    put_calls(writer, FT_MACHINE_I386, action, kind);
}

static void put_aarch64(struct writer *writer, uint32_t action)
{
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_AARCH64, 1, 0);
    answer(writer, SECCOMP_RET_ALLOW);
    load(writer, NR_OFFSET);
    put_probe(writer, PRCTL_AARCH64, action, FT_FILTER_PLAIN);
    put_calls(writer, FT_MACHINE_AARCH64, action, FT_FILTER_PLAIN);
}

size_t ft_filter_build(enum ft_machine kernel, uint32_t action, enum ft_filter_kind kind,
                       struct sock_filter *out)
{
    struct writer writer = {out, 0};

    load(&writer, ARCH_OFFSET);
    if (kernel == FT_MACHINE_AARCH64)
        put_aarch64(&writer, action);
    else
        put_x86_64(&writer, action, kind);
    return writer.count;
}

static long install(const struct sock_fprog *program, unsigned long flags)
{
    return SYS3(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, program);
}

int ft_filter_install(uint32_t action, enum ft_filter_kind kind)
{
    struct sock_filter code[FT_FILTER_MAX];
    const struct sock_fprog program = {
        .len = (unsigned short)ft_filter_build(FT_MACHINE_OWN, action, kind, code),
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
