/* SPDX-License-Identifier: MIT */
/* Names of Windows go to bytes and back unchanged, whatever units they hold. */
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
#include "common/utf8.h"
#include "common/wtf8.h"

static const struct {
    uint16_t units[4];
    size_t count;
    const char *bytes;
    bool utf8;
} cases[] = {
    {{0}, 0, "", true},
    {{'a', '\\', 'b'}, 3, "a\\b", true},
    {{0x7f, 0x80, 0x7ff}, 3, "\x7f\xc2\x80\xdf\xbf", true},
    {{0x800, 0xffff}, 2, "\xe0\xa0\x80\xef\xbf\xbf", true},
    {{0x65e5, 0x672c}, 2, "\xe6\x97\xa5\xe6\x9c\xac", true},
    {{0xd83d, 0xde00}, 2, "\xf0\x9f\x98\x80", true},          /* a pair is one character */
    {{0xdbff, 0xdfff}, 2, "\xf4\x8f\xbf\xbf", true},          /* the last one */
    {{0xd83d}, 1, "\xed\xa0\xbd", false},                     /* cut by the end */
    {{0xd83d, 'x'}, 2, "\xed\xa0\xbdx", false},               /* without its second half */
    {{0xde00, 0xd83d}, 2, "\xed\xb8\x80\xed\xa0\xbd", false}, /* the wrong way round */
    {{0xd83d, 0xd83d, 0xde00}, 3, "\xed\xa0\xbd\xf0\x9f\x98\x80", false},
};

static void goes_there_and_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        size_t size_bytes = strlen(cases[i].bytes), units = 99;
        /* Exactly the room that the header promises to need, from an odd address. */
        char *from = malloc(2 * cases[i].count + 1);
        char *bytes = malloc(WTF8_BYTES(cases[i].count) + !cases[i].count);
        uint16_t *back = malloc(size_bytes * sizeof(*back) + !size_bytes);
        assert_non_null(from);
        assert_non_null(bytes);
        assert_non_null(back);
        memcpy(from + 1, cases[i].units, 2 * cases[i].count);

        assert_int_equal(wtf8_from_utf16(from + 1, 2 * cases[i].count, bytes), size_bytes);
        assert_memory_equal(bytes, cases[i].bytes, size_bytes);
        assert_int_equal(utf8_is_valid(bytes, size_bytes), cases[i].utf8);
        assert_int_equal(wtf8_to_utf16(bytes, size_bytes, back, &units), 0);
        assert_int_equal(units, cases[i].count);
        assert_memory_equal(back, cases[i].units, 2 * units);
        free(from);
        free(bytes);
        free(back);
    }
}

static void every_unit_survives(void **state)
{
    (void)state;
    for (uint32_t unit = 0; unit <= 0xffff; unit++) {
        uint16_t one = (uint16_t)unit, back[3];
        char bytes[WTF8_BYTES(1)];
        size_t units, size_bytes = wtf8_from_utf16(&one, sizeof(one), bytes);
        assert_int_equal(wtf8_to_utf16(bytes, size_bytes, back, &units), 0);
        assert_int_equal(units, 1);
        assert_int_equal(back[0], unit);
    }
}

static void an_odd_byte_is_no_unit(void **state)
{
    (void)state;
    char bytes[WTF8_BYTES(1)];
    assert_int_equal(wtf8_from_utf16("a\0b", 3, bytes), 1);
    assert_int_equal(wtf8_from_utf16("a", 1, bytes), 0);
}

static void refuses_other_bytes(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "\x80", "\xc3",      "\xc0\x80",         "\xed\xa0",     "\xed\xa0x",
        "\xff", "a\xe6\x97", "\xf4\x90\x80\x80", "\xe0\x80\x80", "\xed\xc0\x80"};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        uint16_t out[8];
        size_t units = 99;
        assert_int_equal(wtf8_to_utf16(bad[i], strlen(bad[i]), out, &units), -EILSEQ);
        assert_int_equal(units, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_there_and_back),
        cmocka_unit_test(every_unit_survives),
        cmocka_unit_test(an_odd_byte_is_no_unit),
        cmocka_unit_test(refuses_other_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
