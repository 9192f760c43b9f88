/* SPDX-License-Identifier: MIT */
/* Which calls in machine code are taken over, what is moved, and what the stub does: by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "common/compiler.h"
#include "tracer/sites.h"
#include "tracer/x86_decode.h"

#define ADDRESS 0x401000u
#define PADDING 128u

static bool open_only(uint32_t number)
{
    return number == 2 || number == 257;
}

/** Find sites in @code between nops. @return their number; the first one is in *out */
static size_t find(const void *code, size_t size_bytes, struct ft_site *out)
{
    unsigned char text[4 * PADDING];
    struct ft_site sites[8];
    assert_true(size_bytes <= sizeof(text) - 2 * (size_t)PADDING);
    memset(text, 0x90, sizeof(text));
    memcpy(text + PADDING, code, size_bytes);
    size_t count = ft_sites_find(text, sizeof(text), ADDRESS - PADDING, open_only, sites, 8);
    *out = count ? sites[0] : (struct ft_site){0};
    return count;
}

#define FIND(out, ...)                                                                             \
    find((const unsigned char[]){__VA_ARGS__}, sizeof((const unsigned char[]){__VA_ARGS__}), out)

#define SYSCALL 0x0f, 0x05
#define COMPARE 0x48, 0x3d, 0x00, 0xf0, 0xff, 0xff /* cmp $-4096, %rax */
#define LOAD(number) 0xb8, number, 0, 0, 0         /* mov $NUMBER, %eax */

static void assert_site(const struct ft_site *site, unsigned offset, unsigned size_bytes)
{
    assert_int_equal(site->address, ADDRESS + offset);
    assert_int_equal(site->size_bytes, size_bytes);
}

static void takes_a_loaded_number(void **state)
{
    (void)state;
    struct ft_site site;
    assert_int_equal(FIND(&site, 0x89, 0xfe, LOAD(2), SYSCALL, COMPARE), 1);
    assert_site(&site, 2, 5);
    assert_memory_equal(site.bytes, ((unsigned char[]){LOAD(2)}), 5);
}

static void takes_what_stands_between(void **state)
{
    (void)state;
    struct ft_site site;
    /* The number, then mov %rdi, %rsi and mov $-100, %edi: the last one is enough. */
    assert_int_equal(FIND(&site, 0xb8, 1, 1, 0, 0, 0x48, 0x89, 0xfe, 0xbf, 0x9c, 0xff, 0xff, 0xff,
                          SYSCALL, COMPARE),
                     1);
    assert_site(&site, 8, 5);
    /* Two moves of three bytes, and a number that nobody knows, as in Go. */
    assert_int_equal(
        FIND(&site, 0x48, 0x89, 0xfa, 0x48, 0x89, 0xce, 0x48, 0x89, 0xdf, SYSCALL, COMPARE), 1);
    assert_site(&site, 3, 6);
}

static void follows_a_number_through_a_register(void **state)
{
    (void)state;
    struct ft_site site;
    /* mov $NUMBER, %r9d or %ebx; mov $2, %edi; mov %r9d or %ebx, %eax */
    assert_int_equal(
        FIND(&site, 0x41, 0xb9, 20, 0, 0, 0, 0xbf, 2, 0, 0, 0, 0x44, 0x89, 0xc8, SYSCALL, COMPARE),
        0);
    assert_int_equal(
        FIND(&site, 0x41, 0xb9, 2, 0, 0, 0, 0xbf, 2, 0, 0, 0, 0x44, 0x89, 0xc8, SYSCALL, COMPARE),
        1);
    assert_site(&site, 6, 8);
    assert_int_equal(FIND(&site, 0xbb, 20, 0, 0, 0, 0xbf, 2, 0, 0, 0, 0x89, 0xd8, SYSCALL, COMPARE),
                     0);
    /* What is loaded into another one says nothing. */
    assert_int_equal(
        FIND(&site, 0xbb, 20, 0, 0, 0, 0xbf, 2, 0, 0, 0, 0x44, 0x89, 0xd8, SYSCALL, COMPARE), 1);
    assert_int_equal(
        FIND(&site, 0x41, 0xbb, 20, 0, 0, 0, 0xbf, 2, 0, 0, 0, 0x89, 0xd8, SYSCALL, COMPARE), 1);
}

static void knows_a_futex(void **state)
{
    (void)state;
    struct ft_site site;
    /* mov $128, %esi, or and $128, %esi, with a number that nobody knows */
    assert_int_equal(FIND(&site, 0xbe, 0x80, 0, 0, 0, 0x44, 0x89, 0xc8, SYSCALL, COMPARE), 0);
    assert_int_equal(FIND(&site, 0x81, 0xe6, 0x80, 0, 0, 0, SYSCALL, COMPARE), 0);
    assert_int_equal(FIND(&site, 0xbe, 0x81, 0, 0, 0, 0x44, 0x89, 0xc8, SYSCALL, COMPARE), 1);
}

static void leaves_other_numbers(void **state)
{
    (void)state;
    struct ft_site site;
    assert_int_equal(FIND(&site, LOAD(3), SYSCALL, COMPARE), 0);
    assert_int_equal(FIND(&site, LOAD(56), 0x48, 0x89, 0xfe, 0x48, 0x89, 0xd7, SYSCALL, COMPARE),
                     0);
    assert_int_equal(FIND(&site, 0x48, 0xc7, 0xc0, 15, 0, 0, 0, SYSCALL, COMPARE), 0);
    assert_int_equal(FIND(&site, 0xbf, 1, 0, 0, 0, 0x31, 0xc0, SYSCALL, COMPARE), 0);
}

static void leaves_what_cannot_be_moved(void **state)
{
    (void)state;
    struct ft_site site;
    /* lea 16(%rip), %rdi; a call; a return; two bytes; an endbr64 within. */
    assert_int_equal(FIND(&site, LOAD(2), 0x48, 0x8d, 0x3d, 16, 0, 0, 0, SYSCALL, COMPARE), 0);
    assert_int_equal(FIND(&site, 0xe8, 1, 0, 0, 0, SYSCALL, COMPARE), 0);
    assert_int_equal(FIND(&site, LOAD(2), 0xc3, SYSCALL, COMPARE), 0);
    assert_int_equal(FIND(&site, 0xeb, 2, 0x89, 0xd0, SYSCALL, COMPARE), 0);
    assert_int_equal(
        FIND(&site, 0x48, 0x89, 0xd0, 0xf3, 0x0f, 0x1e, 0xfa, 0x89, 0xd0, SYSCALL, COMPARE), 1);
    assert_site(&site, 3, 6); /* at its start a landing pad may stand */
    assert_int_equal(FIND(&site, 0x89, 0xd0, 0xf3, 0x0f, 0x1e, 0xfa, SYSCALL, COMPARE), 0);
}

static void leaves_what_is_jumped_into(void **state)
{
    (void)state;
    struct ft_site site;
    /* 1: xor %edi, %edi; 2: mov $2, %edx (5); mov %edx, %eax; syscall; jmp to one of them */
    assert_int_equal(FIND(&site, 0x31, 0xff, 0x90, 0x90, 0x90, 0x89, 0xd0, SYSCALL, 0xeb, 0xf9), 0);
    /* To the call itself: it is still there. */
    assert_int_equal(FIND(&site, 0xbf, 0, 0, 0, 0, 0x89, 0xd0, SYSCALL, 0xeb, 0xfc), 1);
    /* To the start of what is moved: the jump to the stub is there. */
    assert_int_equal(FIND(&site, 0xbf, 0, 0, 0, 0, 0x89, 0xd0, SYSCALL, 0xeb, 0xf5), 1);
    /* Between, from before, and by 32 bits. */
    assert_int_equal(FIND(&site, 0x74, 5, 0xbf, 0, 0, 0, 0, 0x89, 0xd0, SYSCALL, 0xc3), 0);
    assert_int_equal(
        FIND(&site, 0xbf, 0, 0, 0, 0, 0x89, 0xd0, SYSCALL, 0xe9, 0xf7, 0xff, 0xff, 0xff), 0);
    assert_int_equal(
        FIND(&site, 0x0f, 0x84, 5, 0, 0, 0, 0xbf, 0, 0, 0, 0, 0x89, 0xd0, SYSCALL, 0xc3), 0);
}

static void leaves_cancellation_points(void **state)
{
    (void)state;
    struct ft_site site;
    assert_int_equal(FIND(&site, 0x48, 0x89, 0xf0, 0x4c, 0x89, 0x5c, 0x24, 0x08, SYSCALL, 0xc3), 0);
    assert_int_equal(FIND(&site, 0x48, 0x89, 0xf0, 0x4c, 0x8b, 0x4c, 0x24, 0x08, SYSCALL, 0xc3), 1);
}

static void is_not_misled_by_data(void **state)
{
    (void)state;
    struct ft_site site;
    /* movabs $0x90050f00000002b8, %rdi: the call is a part of the number. */
    assert_int_equal(FIND(&site, 0x48, 0xbf, 0xb8, 2, 0, 0, 0, 0x0f, 0x05, 0x90, 0xc3), 0);
    /* mov $0x050f, %eax */
    assert_int_equal(FIND(&site, 0xb8, 0x0f, 0x05, 1, 0, 0xc3), 0);
    /* The whole text is too short for anything. */
    const unsigned char start[] = {SYSCALL, 0xc3};
    assert_int_equal(ft_sites_find(start, sizeof(start), 0, open_only, &site, 1), 0);
    assert_int_equal(ft_sites_find(start, 0, 0, open_only, &site, 1), 0);
}

static void writes_a_stub_that_can_be_decoded(void **state)
{
    (void)state;
    struct ft_site site;
    unsigned char stub[FT_STUB_MAX_BYTES], jump[FT_JUMP_BYTES];
    assert_int_equal(FIND(&site, LOAD(2), SYSCALL, COMPARE), 1);
    const uint64_t address = 0x150000;
    size_t size = ft_stub_write(&site, address, 0x150000, stub);
    assert_in_range(size, 1, sizeof(stub));
    uint64_t targets[4] = {0};
    size_t count = 0;
    for (size_t at = 0; at < size;) {
        struct ft_x86 instruction;
        assert_true(ft_x86_decode(stub + at, size - at, &instruction));
        if (instruction.has_target && count < ARRAY_LEN(targets))
            targets[count++] = address + at + (uint64_t)instruction.target;
        at += instruction.size_bytes;
        assert_true(at <= size);
    }
    /* Over the jump back to the call; to the call; behind it. */
    assert_int_equal(count, 3);
    assert_int_equal(targets[0], address + size - FT_JUMP_BYTES);
    assert_int_equal(targets[1], site.address + site.size_bytes);
    assert_int_equal(targets[2], site.address + site.size_bytes + 2);
    assert_true(ft_jump_write(site.address, address, jump));
    assert_false(ft_jump_write(site.address, site.address + (1ull << 32), jump));
    assert_int_equal(ft_stub_write(&site, address + (1ull << 40), 0x150000, stub), 0);
}

static void decodes(void **state)
{
    (void)state;
    static const struct {
        unsigned char code[FT_X86_MAX_BYTES];
        unsigned size_bytes;
        bool control, rip_relative;
    } table[] = {
        {{0x90}, 1, false, false},
        {{0x48, 0x89, 0xe5}, 3, false, false},
        {{0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8}, 10, false, false},
        {{0x66, 0xb8, 1, 2}, 4, false, false},
        {{0xa3, 1, 2, 3, 4, 5, 6, 7, 8}, 9, false, false},
        {{0xf6, 0x05, 1, 2, 3, 4, 5}, 7, false, true},
        {{0xf7, 0xd0}, 2, false, false},
        {{0xff, 0x25, 1, 2, 3, 4}, 6, true, true},
        {{0xff, 0x34, 0x25, 1, 2, 3, 4}, 7, false, false},
        {{0x0f, 0x05}, 2, true, false},
        {{0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0}, 8, false, false},
        {{0xc5, 0xf8, 0x77}, 3, false, false},
        {{0xc4, 0xe3, 0x75, 0x38, 0xc0, 1}, 6, false, false},
        {{0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x40, 1}, 7, false, false},
        {{0xc3}, 1, true, false},
        {{0xcd, 0x80}, 2, true, false},
    };
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        struct ft_x86 out;
        assert_true(ft_x86_decode(table[i].code, FT_X86_MAX_BYTES, &out));
        assert_int_equal(out.size_bytes, table[i].size_bytes);
        assert_int_equal(out.control, table[i].control);
        assert_int_equal(out.rip_relative, table[i].rip_relative);
        assert_false(ft_x86_decode(table[i].code, table[i].size_bytes - 1, &out));
    }
    static const unsigned char refused[][4] = {
        {0x06}, {0x0f, 0x04}, {0xd6}, {0x9a}, {0x48, 0x66, 0x90}};
    for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
        struct ft_x86 out;
        assert_false(ft_x86_decode(refused[i], sizeof(refused[i]), &out));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decodes),
        cmocka_unit_test(takes_a_loaded_number),
        cmocka_unit_test(takes_what_stands_between),
        cmocka_unit_test(follows_a_number_through_a_register),
        cmocka_unit_test(knows_a_futex),
        cmocka_unit_test(leaves_other_numbers),
        cmocka_unit_test(leaves_what_cannot_be_moved),
        cmocka_unit_test(leaves_what_is_jumped_into),
        cmocka_unit_test(leaves_cancellation_points),
        cmocka_unit_test(is_not_misled_by_data),
        cmocka_unit_test(writes_a_stub_that_can_be_decoded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
