/* SPDX-License-Identifier: MIT */
/* The filter notifies exactly the table's calls, on every architecture, and the kernel takes it. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "common/compiler.h"
#include "tracer/linux/filter.h"
#include "tracer/linux/payload.h"
#include "tracer/linux/sys.h"
#include "tracer/linux/syscalls.h"

#define ACTION SECCOMP_RET_USER_NOTIF
#define LAST_NUMBER 600
#define X32_BIT 0x40000000u
#define KERNEL_LIMIT 4096 /* BPF_MAXINSNS */

static struct sock_filter *code;
static size_t code_count;
static size_t steps; /* that the last run took */

/** Any architecture but those that the filter knows. */
static const uint32_t foreign[] = {AUDIT_ARCH_ARM, AUDIT_ARCH_RISCV64, AUDIT_ARCH_S390X, 0,
                                   UINT32_MAX};

/** The kernel whose filter is tested, whatever runs here. */
static enum ft_machine kernel;
static enum ft_filter_kind kind;

#define OWN_ARCH (kernel == FT_MACHINE_AARCH64 ? AUDIT_ARCH_AARCH64 : AUDIT_ARCH_X86_64)
#define OWN_MACHINE kernel
#define OWN_PRCTL (kernel == FT_MACHINE_AARCH64 ? 167u : 157u)

static int build(void)
{
    struct sock_filter room[FT_FILTER_MAX];
    code_count = ft_filter_build(kernel, ACTION, kind, room);
    if (code_count > FT_FILTER_MAX)
        return -1; /* it has written past its room */
    /* On the heap and of its exact size: a jump past the end is seen by the sanitizer too. */
    code = malloc(code_count * sizeof(*code));
    if (!code)
        return -1;
    memcpy(code, room, code_count * sizeof(*code));
    return 0;
}

static int build_x86_64(void **state)
{
    (void)state;
    kernel = FT_MACHINE_X86_64;
    kind = FT_FILTER_PLAIN;
    return build();
}

static int build_inject(void **state)
{
    (void)state;
    kernel = FT_MACHINE_X86_64;
    kind = FT_FILTER_INJECT;
    return build();
}

static int build_aarch64(void **state)
{
    (void)state;
    kernel = FT_MACHINE_AARCH64;
    kind = FT_FILTER_PLAIN;
    return build();
}

static int discard(void **state)
{
    (void)state;
    free(code);
    return 0;
}

/** Run the filter as the kernel does: classic BPF in the subset that seccomp(2) allows. */
static uint32_t run(const struct seccomp_data *data)
{
    uint32_t accumulator = 0;
    steps = 0;
    for (size_t at = 0; at < code_count; at++) {
        steps++;
        const struct sock_filter *step = &code[at];
        bool jump = false;
        switch (step->code) {
        case BPF_LD | BPF_W | BPF_ABS:
            assert_true(step->k % 4 == 0 && step->k + 4 <= sizeof(*data));
            memcpy(&accumulator, (const char *)data + step->k, 4);
            continue;
        case BPF_ALU | BPF_AND | BPF_K:
            accumulator &= step->k;
            continue;
        case BPF_RET | BPF_K:
            return step->k;
        case BPF_JMP | BPF_JEQ | BPF_K:
            jump = accumulator == step->k;
            break;
        case BPF_JMP | BPF_JSET | BPF_K:
            jump = (accumulator & step->k) != 0;
            break;
        case BPF_JMP | BPF_JGE | BPF_K:
            jump = accumulator >= step->k;
            break;
        case BPF_JMP | BPF_JGT | BPF_K:
            jump = accumulator > step->k;
            break;
        case BPF_JMP | BPF_JA:
            at += step->k;
            continue;
        default:
            fail_msg("instruction %zu has code %#x", at, step->code);
        }
        at += jump ? step->jt : step->jf;
    }
    fail_msg("the filter ends without an answer");
    return 0;
}

static uint32_t answer_from(uint64_t address, uint32_t number, uint64_t first, uint64_t second)
{
    const struct seccomp_data data = {.nr = (int)number,
                                      .arch = AUDIT_ARCH_X86_64,
                                      .instruction_pointer = address,
                                      .args = {first, second}};
    return run(&data);
}

static uint32_t answer(uint32_t arch, uint32_t number, uint64_t argument)
{
    const struct seccomp_data data = {
        .nr = (int)number, .arch = arch, .args = {argument, 1, 2, 3, 4, 5}};
    return run(&data);
}

/** Is it notified whatever its arguments? bpf(2) is not. */
static bool in_table(enum ft_machine machine, int number)
{
    for (size_t i = 0; i < ft_syscalls_count; i++)
        if (ft_syscalls[i].number[machine] == number)
            return ft_syscalls[i].rule != FT_RULE_BPF;
    return false;
}

static void assert_answers(uint32_t arch, enum ft_machine machine, uint32_t number, bool notified)
{
    uint32_t got = answer(arch, number, 0);
    if (got != (notified ? (uint32_t)ACTION : (uint32_t)SECCOMP_RET_ALLOW))
        fail_msg("call %#x of machine %d is %s", number, (int)machine,
                 notified ? "not notified" : "not allowed");
}

static void notifies_the_table_of_its_own_machine(void **state)
{
    (void)state;
    for (uint32_t number = 0; number <= LAST_NUMBER; number++) {
        /* x32's own numbers reach old kernels without their bit too. */
        if (OWN_MACHINE == FT_MACHINE_X86_64 && (number == 520 || number == 545))
            continue;
        assert_answers(OWN_ARCH, OWN_MACHINE, number, in_table(OWN_MACHINE, (int)number));
    }
    /* Numbers with any higher bit are no calls at all. */
    for (unsigned bit = 10; bit < 30; bit++)
        assert_answers(OWN_ARCH, OWN_MACHINE, 1u << bit | 2, false);
}

static void notifies_the_table_of_i386_and_x32(void **state)
{
    (void)state;
    if (OWN_MACHINE != FT_MACHINE_X86_64)
        skip(); /* only x86-64 runs these */
    for (uint32_t number = 0; number <= LAST_NUMBER; number++) {
        assert_answers(AUDIT_ARCH_I386, FT_MACHINE_I386, number,
                       in_table(FT_MACHINE_I386, (int)number));
        bool execs = number == 520 || number == 545; /* execve, execveat */
        assert_answers(AUDIT_ARCH_X86_64, FT_MACHINE_X86_64, X32_BIT | number,
                       execs || in_table(FT_MACHINE_X86_64, (int)number));
    }
}

/** Of bpf(2) the commands that name a file. */
static void notifies_of_pinned_objects(void **state)
{
    (void)state;
    const uint32_t number = kernel == FT_MACHINE_AARCH64 ? 280 : 321;
    for (uint64_t command = 0; command < 64; command++) {
        bool named = command == 6 || command == 7; /* BPF_OBJ_PIN, BPF_OBJ_GET */
        const uint32_t expected = named ? (uint32_t)ACTION : (uint32_t)SECCOMP_RET_ALLOW;
        assert_int_equal(answer(OWN_ARCH, number, command), expected);
        if (kernel == FT_MACHINE_X86_64)
            assert_int_equal(answer(AUDIT_ARCH_I386, 357, command), expected);
    }
}

/** The most steps, or the fewest, that a call of one kind takes. */
static size_t steps_of(bool rare, bool most)
{
    size_t found = most ? 0 : SIZE_MAX;
    for (size_t i = 0; i < ft_syscalls_count; i++) {
        int number = ft_syscalls[i].number[OWN_MACHINE];
        if (number < 0 || ft_syscalls[i].is_rare != rare)
            continue;
        (void)answer(OWN_ARCH, (uint32_t)number, 0);
        if (most ? steps > found : steps < found)
            found = steps;
    }
    return found;
}

/** What programs often do takes no step for what they hardly ever do. */
static void looks_for_rare_calls_last(void **state)
{
    (void)state;
    size_t rare = steps_of(true, false);
    assert_true(steps_of(false, true) <= rare);
    if (kind != FT_FILTER_INJECT)
        return;
    (void)answer(OWN_ARCH, 13 /* rt_sigaction */, 2);
    assert_true(steps < rare);
    (void)answer(OWN_ARCH, 56 /* clone */, 0x3d0f00);
    assert_true(steps < rare);
}

static void allows_other_architectures(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(foreign); i++)
        for (uint32_t number = 0; number <= LAST_NUMBER; number++)
            assert_int_equal(answer(foreign[i], number, FT_FILTER_PROBE), SECCOMP_RET_ALLOW);
}

static void answers_its_own_probe_alone(void **state)
{
    (void)state;
    assert_int_equal(answer(OWN_ARCH, OWN_PRCTL, FT_FILTER_PROBE),
                     SECCOMP_RET_ERRNO | FT_FILTER_PROBE_ERROR);
    assert_int_equal(answer(OWN_ARCH, OWN_PRCTL, PR_SET_NAME), SECCOMP_RET_ALLOW);
    assert_int_equal(answer(OWN_ARCH, OWN_PRCTL, 0), SECCOMP_RET_ALLOW);
    assert_int_equal(answer(OWN_ARCH, OWN_PRCTL + 1, FT_FILTER_PROBE), SECCOMP_RET_ALLOW);
}

/** Calls on paths are let through from the payload's text alone, whose ends are returns there. */
static void lets_the_payload_through(void **state)
{
    (void)state;
    const uint64_t first = FT_PAYLOAD_BASE, end = FT_PAYLOAD_BASE + FT_PAYLOAD_TEXT_BYTES;
    for (uint32_t number = 0; number <= LAST_NUMBER; number++) {
        if (!in_table(FT_MACHINE_X86_64, (int)number))
            continue;
        assert_int_equal(answer_from(first, number, 0, 0), SECCOMP_RET_ALLOW);
        assert_int_equal(answer_from(end - 1, number, 0, 0), SECCOMP_RET_ALLOW);
        assert_int_equal(answer_from(first - 1, number, 0, 0), ACTION);
        assert_int_equal(answer_from(end, number, 0, 0), ACTION);
        assert_int_equal(answer_from(first | 1ull << 32, number, 0, 0), ACTION);
        assert_int_equal(answer_from(first | 1ull << 47, number, 0, 0), ACTION);
    }
    assert_int_equal(answer(AUDIT_ARCH_I386, 5 /* open */, 0), ACTION);
}

/** What decides how the payload must work; each also from the payload's addresses. */
static void notifies_of_what_the_payload_needs(void **state)
{
    (void)state;
    static const struct {
        uint32_t number;
        uint64_t first, second;
        bool notified;
    } calls[] = {
        {158 /* arch_prctl */, 0x1002, 0, true}, /* ARCH_SET_FS */
        {158 /* arch_prctl */, 0x1001, 0, false},
        {158 /* arch_prctl */, 0x3001, 0, false},
        {13 /* rt_sigaction */, 32, 0x7fff0000, true},
        {13 /* rt_sigaction */, 32, 0x7fff00000000, true},
        {13 /* rt_sigaction */, 32, 0, false},
        {13 /* rt_sigaction */, 33, 0x7fff0000, false},
        {13 /* rt_sigaction */, 2, 0x7fff0000, false},
        {56 /* clone */, 0x4111, 0, true},     /* CLONE_VM | CLONE_VFORK | SIGCHLD */
        {56 /* clone */, 0x3d0f00, 0, false},  /* a thread */
        {56 /* clone */, 0x1200011, 0, false}, /* fork */
        {56 /* clone */, 0x20000011, 0, true}, /* CLONE_NEWPID */
        {272 /* unshare */, 0x20000000, 0, true},
        {272 /* unshare */, 0x200, 0, false},
        {58 /* vfork */, 0, 0, true},
        {435 /* clone3 */, 0x7fff0000, 88, true},
        {317 /* seccomp */, 1, 0, true},
        {308 /* setns */, 3, 0, true},
        {157 /* prctl */, PR_SET_SECCOMP, 2, true},
        {157 /* prctl */, PR_SET_NAME, 0, false},
        {57 /* fork */, 0, 0, false},
        {0 /* read */, 0, 0, false},
    };
    for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
        uint32_t got = answer_from(0x401000, calls[i].number, calls[i].first, calls[i].second);
        if (got != (calls[i].notified ? (uint32_t)ACTION : (uint32_t)SECCOMP_RET_ALLOW))
            fail_msg("call %u with %#llx is %s", calls[i].number,
                     (unsigned long long)calls[i].first,
                     calls[i].notified ? "not notified" : "not allowed");
    }
}

/** Of i386, what makes a process that the payload's rules do not hold for. */
static void notifies_of_strangers_of_i386(void **state)
{
    (void)state;
    static const struct {
        uint32_t number;
        uint64_t first;
        bool notified;
    } calls[] = {
        {172 /* prctl */, PR_SET_SECCOMP, true},
        {172 /* prctl */, PR_SET_NAME, false},
        {120 /* clone */, 0x20000011, true}, /* CLONE_NEWPID */
        {120 /* clone */, 0x4111, false},
        {310 /* unshare */, 0x20000000, true},
        {310 /* unshare */, 0x200, false},
        {435 /* clone3 */, 0x7fff0000, true},
        {354 /* seccomp */, 1, true},
        {346 /* setns */, 3, true},
        {384 /* arch_prctl */, 0x1002, false},
        {190 /* vfork */, 0, false},
        {3 /* read */, 0, false},
    };
    for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
        uint32_t got = answer(AUDIT_ARCH_I386, calls[i].number, calls[i].first);
        if (got != (calls[i].notified ? (uint32_t)ACTION : (uint32_t)SECCOMP_RET_ALLOW))
            fail_msg("i386's call %u with %#llx is %s", calls[i].number,
                     (unsigned long long)calls[i].first,
                     calls[i].notified ? "not notified" : "not allowed");
    }
}

static void has_no_call_twice_with_two_meanings(void **state)
{
    (void)state;
    for (size_t i = 0; i < ft_syscalls_count; i++)
        for (size_t k = 0; k < i; k++)
            for (size_t machine = 0; machine < FT_MACHINE_COUNT; machine++)
                if (ft_syscalls[i].number[machine] >= 0)
                    assert_int_not_equal(ft_syscalls[i].number[machine],
                                         ft_syscalls[k].number[machine]);
}

/** The table's numbers against those of this machine's own headers. */
static void has_the_numbers_of_the_headers(void **state)
{
    (void)state;
    static const int numbers[] = {
        __NR_openat,     __NR_execve,     __NR_execveat,   __NR_chdir,        __NR_faccessat,
        __NR_statx,      __NR_readlinkat, __NR_getdents64, __NR_mkdirat,      __NR_unlinkat,
        __NR_renameat2,  __NR_linkat,     __NR_symlinkat,  __NR_truncate,     __NR_fchmodat,
        __NR_fchownat,   __NR_utimensat,  __NR_setxattr,   __NR_lremovexattr, __NR_mount,
        __NR_pivot_root, __NR_statfs,     __NR_swapon,     __NR_umount2,      __NR_quotactl,
        __NR_open_tree,  __NR_move_mount, __NR_fsconfig,   __NR_fspick,       __NR_fanotify_mark};
    static const int absent[] = {0 /* read */, __NR_write,  __NR_close,  __NR_mmap,
                                 __NR_futex,   __NR_fchdir, __NR_fchmod, __NR_seccomp};
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        assert_true(in_table(FT_MACHINE_OWN, numbers[i]));
    for (size_t i = 0; i < ARRAY_LEN(absent); i++)
        assert_false(in_table(FT_MACHINE_OWN, absent[i]));
}

/** In a child: the kernel's own verifier and interpreter have the last word. */
static int under_the_filter(void)
{
    struct sock_filter room[FT_FILTER_MAX];
    const struct sock_fprog program = {
        .len = (unsigned short)ft_filter_build(FT_MACHINE_OWN, SECCOMP_RET_ERRNO | EHWPOISON, kind,
                                               room),
        .filter = room,
    };
    if (SYS4(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0))
        return 2;
    long ret = SYS3(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
    if (ret)
        return ret == -ENOSYS ? 77 : 3;
    if (SYS4(__NR_openat, -100, "/", 0, 0) != -EHWPOISON ||
        SYS3(__NR_faccessat, -100, "/", 0) != -EHWPOISON)
        return 4;
    if (SYS0(__NR_getpid) < 0 || SYS2(__NR_fchdir, -1, 0) != -EBADF)
        return 5;
    if (SYS4(__NR_prctl, FT_FILTER_PROBE, 0, 0, 0) != -FT_FILTER_PROBE_ERROR)
        return 6;
    return 0;
}

static void is_taken_by_the_kernel(void **state)
{
    (void)state;
    int status;
    assert_in_range(code_count, 1, KERNEL_LIMIT);
    assert_int_equal(SYS4(__NR_prctl, FT_FILTER_PROBE, 0, 0, 0), -EINVAL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        SYS1(__NR_exit_group, under_the_filter());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        skip(); /* this kernel has no seccomp filters */
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest filters[] = {
        cmocka_unit_test(notifies_the_table_of_its_own_machine),
        cmocka_unit_test(notifies_the_table_of_i386_and_x32),
        cmocka_unit_test(notifies_of_pinned_objects),
        cmocka_unit_test(looks_for_rare_calls_last),
        cmocka_unit_test(allows_other_architectures),
        cmocka_unit_test(answers_its_own_probe_alone),
    };
    const struct CMUnitTest injecting[] = {
        cmocka_unit_test(allows_other_architectures),
        cmocka_unit_test(answers_its_own_probe_alone),
        cmocka_unit_test(notifies_of_pinned_objects),
        cmocka_unit_test(looks_for_rare_calls_last),
        cmocka_unit_test(lets_the_payload_through),
        cmocka_unit_test(notifies_of_what_the_payload_needs),
        cmocka_unit_test(notifies_of_strangers_of_i386),
        cmocka_unit_test(is_taken_by_the_kernel),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_no_call_twice_with_two_meanings),
        cmocka_unit_test(has_the_numbers_of_the_headers),
        cmocka_unit_test(is_taken_by_the_kernel),
    };
    return cmocka_run_group_tests_name("x86-64", filters, build_x86_64, discard) +
           cmocka_run_group_tests_name("aarch64", filters, build_aarch64, discard) +
           cmocka_run_group_tests_name("injecting", injecting, build_inject, discard) +
           cmocka_run_group_tests_name("here", tests, build_x86_64, discard);
}
