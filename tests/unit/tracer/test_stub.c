/* SPDX-License-Identifier: MIT */
/* Entries of system calls are recognised by their bytes, and all others are left alone. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/compiler.h"
#include "tracer/windows/ntstatus.h"
#include "tracer/windows/stub.h"

#define ENTRY UINT64_C(0x7ff800001000)
#define ROOM UINT64_C(0x7ff7f0000040)
#define HOOK UINT64_C(0x123456789abc)

static struct ft_stub stub;

static void assert_bytes(const uint8_t *got, const char *expected, size_t count)
{
    assert_memory_equal(got, expected, count);
}

static const uint8_t windows_10[16] = {0x4c, 0x8b, 0xd1, 0xb8, 0x55, 0,    0,    0,
                                       0xf6, 0x04, 0x25, 0x08, 0x03, 0xfe, 0x7f, 0x01};
static const uint8_t windows_7[16] = {0x4c, 0x8b, 0xd1, 0xb8, 0x52, 0,    0, 0,
                                      0x0f, 0x05, 0xc3, 0x0f, 0x1f, 0x44, 0, 0};

static void knows_windows_10(void **state)
{
    (void)state;
    assert_int_equal(ft_stub_make(FT_STUB_X86_64, windows_10, ENTRY, ROOM, HOOK, &stub),
                     FT_STUB_HOOKED);
    assert_int_equal(stub.original, ROOM);
    assert_int_equal(stub.entry_bytes, 16);
    assert_bytes(stub.entry, "\xff\x25\0\0\0\0\xbc\x9a\x78\x56\x34\x12\0\0\xcc\xcc", 16);
    assert_memory_equal(stub.room, windows_10, 16);
    assert_bytes(stub.room + 16, "\xff\x25\0\0\0\0\x10\x10\0\0\xf8\x7f\0\0", 14);
}

static void knows_what_came_before(void **state)
{
    (void)state;
    assert_int_equal(ft_stub_make(FT_STUB_X86_64, windows_7, ENTRY, ROOM, HOOK, &stub),
                     FT_STUB_HOOKED);
    assert_int_equal(stub.original, ROOM);
    assert_memory_equal(stub.room, windows_7, 11); /* it ends in a return */
    assert_int_equal(stub.room[11], 0xcc);
}

static void chains_a_jump(void **state)
{
    (void)state;
    static const uint8_t ahead[16] = {0xe9, 0x00, 0x01, 0, 0};
    static const uint8_t back[16] = {0xe9, 0xfb, 0xff, 0xff, 0xff};

    assert_int_equal(ft_stub_make(FT_STUB_X86_64, ahead, ENTRY, ROOM, HOOK, &stub), FT_STUB_HOOKED);
    assert_int_equal(stub.original, ENTRY + 5 + 0x100);
    assert_int_equal(stub.entry_bytes, 5);
    assert_bytes(stub.entry, "\xe9\x3b\xf0\xff\xef", 5); /* ROOM - (ENTRY + 5) */
    assert_bytes(stub.room, "\xff\x25\0\0\0\0\xbc\x9a\x78\x56\x34\x12\0\0", 14);

    assert_int_equal(ft_stub_make(FT_STUB_X86_64, back, ENTRY, ROOM, HOOK, &stub), FT_STUB_HOOKED);
    assert_int_equal(stub.original, ENTRY);

    assert_int_equal(
        ft_stub_make(FT_STUB_X86_64, ahead, ENTRY, ENTRY + 5 + 0x80000000u, HOOK, &stub),
        FT_STUB_FAR);
    assert_int_equal(
        ft_stub_make(FT_STUB_X86_64, ahead, ENTRY, ENTRY + 5 + 0x7fffffffu, HOOK, &stub),
        FT_STUB_HOOKED);
    assert_int_equal(
        ft_stub_make(FT_STUB_X86_64, ahead, ENTRY, ENTRY + 5 - 0x80000000u, HOOK, &stub),
        FT_STUB_HOOKED);
    assert_int_equal(
        ft_stub_make(FT_STUB_X86_64, ahead, ENTRY, ENTRY + 4 - 0x80000000u, HOOK, &stub),
        FT_STUB_FAR);
}

static void knows_32_bit(void **state)
{
    (void)state;
    static const uint8_t entry[16] = {0xb8, 0x55, 0,    0,    0,    0xba,
                                      0x10, 0x20, 0x30, 0x77, 0xff, 0xd2};
    assert_int_equal(ft_stub_make(FT_STUB_I386, entry, 0x77001000, 0x10000, 0x60000000, &stub),
                     FT_STUB_HOOKED);
    assert_int_equal(stub.original, 0x10000);
    assert_int_equal(stub.entry_bytes, 5);
    assert_bytes(stub.entry, "\xe9\xfb\xef\xff\xe8", 5);               /* 0x60000000 - 0x77001005 */
    assert_bytes(stub.room, "\xb8\x55\0\0\0\xe9\xfb\x0f\xff\x76", 10); /* back to 0x77001005 */

    static const uint8_t jump[16] = {0xe9, 0xfb, 0xff, 0xff, 0xff};
    assert_int_equal(ft_stub_make(FT_STUB_I386, jump, 0x77001000, 0x10000, 0x60000000, &stub),
                     FT_STUB_HOOKED);
    assert_int_equal(stub.original, 0x77001000);
    assert_bytes(stub.entry, "\xe9\xfb\xef\xff\xe8", 5);
}

static void knows_64_bit_arm(void **state)
{
    (void)state;
    static const uint8_t entry[16] = {0xa1, 0x0a, 0, 0xd4, 0xc0, 0x03, 0x5f, 0xd6};
    assert_int_equal(ft_stub_make(FT_STUB_AARCH64, entry, ENTRY, ENTRY - 0x10000, HOOK, &stub),
                     FT_STUB_HOOKED);
    assert_memory_equal(stub.room, entry, 8);
    assert_bytes(stub.room + 16, "\x50\0\0\x58\0\x02\x1f\xd6\xbc\x9a\x78\x56\x34\x12\0\0", 16);
    assert_int_equal(stub.entry_bytes, 4);
    assert_bytes(stub.entry, "\x04\xc0\xff\x17", 4); /* b .-0xfff0 */
    assert_int_equal(ft_stub_make(FT_STUB_AARCH64, entry, ENTRY, ENTRY + 0x8000000, HOOK, &stub),
                     FT_STUB_FAR);
    assert_int_equal(ft_stub_make(FT_STUB_AARCH64, entry, ENTRY, ENTRY - 0x8000010, HOOK, &stub),
                     FT_STUB_HOOKED);
    assert_int_equal(ft_stub_make(FT_STUB_AARCH64, entry, ENTRY, ENTRY - 0x8000014, HOOK, &stub),
                     FT_STUB_FAR);
}

/** One changed byte makes it another shape; what is no operand must be as it is known. */
static void leaves_others_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < 16; i++) {
        uint8_t entry[16];
        memcpy(entry, windows_10, sizeof(entry));
        entry[i] ^= 0x10;
        bool operand = i >= 4 && i < 8;
        assert_int_equal(ft_stub_make(FT_STUB_X86_64, entry, ENTRY, ROOM, HOOK, &stub),
                         operand ? FT_STUB_HOOKED : FT_STUB_UNKNOWN);
        memcpy(entry, windows_7, sizeof(entry));
        entry[i] ^= 0x10;
        operand = (i >= 4 && i < 8) || i >= 11;
        assert_int_equal(ft_stub_make(FT_STUB_X86_64, entry, ENTRY, ROOM, HOOK, &stub),
                         operand ? FT_STUB_HOOKED : FT_STUB_UNKNOWN);
    }
    static const uint8_t zeros[16];
    assert_int_equal(ft_stub_make(FT_STUB_X86_64, zeros, ENTRY, ROOM, HOOK, &stub),
                     FT_STUB_UNKNOWN);
    assert_int_equal(ft_stub_make(FT_STUB_I386, zeros, ENTRY, ROOM, HOOK, &stub), FT_STUB_UNKNOWN);
    assert_int_equal(ft_stub_make(FT_STUB_AARCH64, zeros, ENTRY, ROOM, HOOK, &stub),
                     FT_STUB_UNKNOWN);
    /* an indirect jump: another hooking library's */
    static const uint8_t indirect[16] = {0xff, 0x25, 0, 0, 0, 0};
    assert_int_equal(ft_stub_make(FT_STUB_X86_64, indirect, ENTRY, ROOM, HOOK, &stub),
                     FT_STUB_UNKNOWN);
}

static void tells_errors(void **state)
{
    (void)state;
    static const struct {
        uint32_t status;
        int error;
    } cases[] = {
        {0, 0},
        {0x103, 0},       /* STATUS_PENDING */
        {0x80000006u, 0}, /* STATUS_NO_MORE_FILES */
        {0xc0000034u, ENOENT},
        {0xc0000022u, EACCES},
        {0xc0000043u, EACCES},
        {0xc0000035u, EEXIST},
        {0x8000002du, ELOOP},
        {0xc00fffffu, EIO},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(ft_ntstatus_errno(cases[i].status), cases[i].error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_windows_10), cmocka_unit_test(knows_what_came_before),
        cmocka_unit_test(chains_a_jump),    cmocka_unit_test(knows_32_bit),
        cmocka_unit_test(knows_64_bit_arm), cmocka_unit_test(leaves_others_alone),
        cmocka_unit_test(tells_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
