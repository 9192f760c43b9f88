/* SPDX-License-Identifier: MIT */
/* What is UTF-8 and what only looks like it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/compiler.h"
#include "common/utf8.h"

static bool is_surrogate(uint32_t code)
{
    return code >= 0xd800 && code <= 0xdfff;
}

/** Write a code point in @length bytes, be it allowed or not. */
static void encode(uint32_t code, size_t length, char *out)
{
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(first[length] | code);
}

static size_t shortest(uint32_t code)
{
    return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

static void decodes_every_character(void **state)
{
    (void)state;
    for (uint32_t code = 0; code < 0x1fffff; code++) {
        char text[4];
        uint32_t decoded;
        size_t length = shortest(code);
        encode(code, length, text);
        size_t got = utf8_decode(text, sizeof(text), &decoded);
        if (code > 0x10ffff || is_surrogate(code)) {
            assert_int_equal(got, 0);
            continue;
        }
        assert_int_equal(got, length);
        assert_int_equal(decoded, code);
        for (size_t cut = 0; cut < length; cut++)
            assert_int_equal(utf8_decode(text, cut, &decoded), 0);
    }
}

static void refuses_longer_forms(void **state)
{
    (void)state;
    for (uint32_t code = 0; code < 0x10000; code++) {
        for (size_t length = shortest(code) + 1; length <= 4; length++) {
            char text[4];
            uint32_t decoded;
            encode(code, length, text);
            assert_int_equal(utf8_decode(text, length, &decoded), 0);
            assert_int_equal(decoded, 0);
        }
    }
}

static void judges_whole_texts(void **state)
{
    (void)state;
    static const char *const good[] = {"", "a", "/tmp/\xc3\xa9", "\xf0\x9f\x98\x80", "\x7f\x01"};
    static const char *const bad[] = {
        "\x80",    "\xff", "a\xc3", "\xc3\x28", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
        "\xe2\x82"};
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        assert_true(utf8_is_valid(good[i], strlen(good[i])));
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_false(utf8_is_valid(bad[i], strlen(bad[i])));
    assert_true(utf8_is_valid("a\0b", 3));
    assert_true(utf8_is_valid(NULL, 0));
}

/** Nothing behind the given bytes is looked at: the memory ends there. */
static void stays_within_the_bytes(void **state)
{
    (void)state;
    for (unsigned first = 0; first < 256; first++) {
        char *text = malloc(1);
        uint32_t decoded;
        assert_non_null(text);
        text[0] = (char)first;
        assert_int_equal(utf8_decode(text, 1, &decoded), first < 0x80);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decodes_every_character),
        cmocka_unit_test(refuses_longer_forms),
        cmocka_unit_test(judges_whole_texts),
        cmocka_unit_test(stays_within_the_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
