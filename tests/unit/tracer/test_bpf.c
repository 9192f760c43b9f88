/* SPDX-License-Identifier: MIT */
/* The interpreter of seccomp filters answers as the kernel would. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/compiler.h"
#include "tracer/linux/bpf.h"

static const struct seccomp_data data = {
    .nr = 42, .arch = 7, .instruction_pointer = 0x500000004, .args = {0x100000002, 6}};

#define RUN(...)                                                                                   \
    ft_bpf_run((const struct sock_filter[]){__VA_ARGS__},                                          \
               ARRAY_LEN(((const struct sock_filter[]){__VA_ARGS__})), &data)
#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (at))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define RETURN_A BPF_STMT(BPF_RET | BPF_A, 0)
#define CONSTANT(value) BPF_STMT(BPF_LD | BPF_IMM, (value))
#define ALU(operation, value) BPF_STMT(BPF_ALU | (operation) | BPF_K, (value))
#define JUMP(operation, value) BPF_JUMP(BPF_JMP | (operation) | BPF_K, (value), 0, 1)

static void test_loads(void **state)
{
    (void)state;
    static const uint32_t words[] = {42, 7, 4, 5, 2, 1, 6, 0};
    for (uint32_t i = 0; i < ARRAY_LEN(words); i++)
        assert_int_equal(RUN(LOAD(4 * i), RETURN_A), words[i]);
    assert_int_equal(RUN(BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0), RETURN_A), sizeof(data));
    assert_int_equal(
        RUN(CONSTANT(9), BPF_STMT(BPF_ST, 3), CONSTANT(1), BPF_STMT(BPF_LD | BPF_MEM, 3), RETURN_A),
        9);
    assert_int_equal(RUN(BPF_STMT(BPF_LDX | BPF_IMM, 8), BPF_STMT(BPF_STX, 15), CONSTANT(1),
                         BPF_STMT(BPF_LD | BPF_MEM, 15), RETURN_A),
                     8);
}

static void test_arithmetic(void **state)
{
    (void)state;
    static const struct {
        uint16_t operation;
        uint32_t value, result; /* of 12 */
    } cases[] = {
        {BPF_ADD, 5, 17}, {BPF_SUB, 13, 0xffffffff}, {BPF_MUL, 3, 36}, {BPF_DIV, 5, 2},
        {BPF_OR, 3, 15},  {BPF_AND, 6, 4},           {BPF_XOR, 5, 9},  {BPF_LSH, 2, 48},
        {BPF_RSH, 2, 3},  {BPF_NEG, 0, 0xfffffff4},  {BPF_LSH, 32, 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_int_equal(RUN(CONSTANT(12), ALU(cases[i].operation, cases[i].value), RETURN_A),
                         cases[i].result);
        assert_int_equal(RUN(CONSTANT(cases[i].value), BPF_STMT(BPF_MISC | BPF_TAX, 0),
                             CONSTANT(12), BPF_STMT(BPF_ALU | cases[i].operation | BPF_X, 0),
                             RETURN_A),
                         cases[i].result);
    }
    assert_int_equal(RUN(BPF_STMT(BPF_LDX | BPF_IMM, 8), BPF_STMT(BPF_MISC | BPF_TXA, 0), RETURN_A),
                     8);
}

static void test_jumps(void **state)
{
    (void)state;
    static const struct {
        uint16_t operation;
        uint32_t value, taken; /* of 12 */
    } cases[] = {
        {BPF_JEQ, 12, 1}, {BPF_JEQ, 11, 0}, {BPF_JGT, 12, 0}, {BPF_JGT, 11, 1},
        {BPF_JGE, 12, 1}, {BPF_JGE, 13, 0}, {BPF_JSET, 4, 1}, {BPF_JSET, 3, 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(
            RUN(CONSTANT(12), JUMP(cases[i].operation, cases[i].value), RETURN(1), RETURN(0)),
            cases[i].taken);
    assert_int_equal(RUN(BPF_STMT(BPF_JMP | BPF_JA, 1), RETURN(1), RETURN(2)), 2);
}

static void test_what_is_no_filter_kills(void **state)
{
    (void)state;
    assert_int_equal(ft_bpf_run(NULL, 0, &data), SECCOMP_RET_KILL_PROCESS);
    assert_int_equal(RUN(CONSTANT(1)), SECCOMP_RET_KILL_PROCESS);
    assert_int_equal(RUN(LOAD(2), RETURN(SECCOMP_RET_ALLOW)), SECCOMP_RET_KILL_PROCESS);
    assert_int_equal(RUN(LOAD(sizeof(data)), RETURN(SECCOMP_RET_ALLOW)), SECCOMP_RET_KILL_PROCESS);
    assert_int_equal(RUN(BPF_STMT(BPF_JMP | BPF_JA, 0xffffffff), RETURN(SECCOMP_RET_ALLOW)),
                     SECCOMP_RET_KILL_PROCESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_what_is_no_filter_kills),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
