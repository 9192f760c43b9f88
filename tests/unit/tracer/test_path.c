/* SPDX-License-Identifier: MIT */
/* Paths become absolute and lexically normal, whatever bytes they hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/compiler.h"
#include "tracer/path.h"

/** Join into exactly the room that the header promises to need. */
static void assert_join_bytes(const char *base, size_t base_bytes, const char *path,
                              size_t path_bytes, const char *expected, size_t expected_bytes)
{
    char *out = malloc(FT_PATH_JOIN_BYTES(base_bytes, path_bytes));
    assert_non_null(out);
    size_t length = ft_path_join(base, base_bytes, path, path_bytes, out);
    assert_int_equal(length, expected_bytes);
    assert_memory_equal(out, expected, expected_bytes);
    assert_int_equal(out[length], '\0');
    free(out);
}

static void assert_join(const char *base, const char *path, const char *expected)
{
    assert_join_bytes(base, strlen(base), path, strlen(path), expected, strlen(expected));
}

static void normalises(void **state)
{
    (void)state;
    static const struct {
        const char *base, *path, *expected;
    } cases[] = {
        {"", "/", "/"},
        {"", "//", "/"},
        {"", "/a", "/a"},
        {"", "/a/", "/a"},
        {"", "//a///b//", "/a/b"},
        {"", "/./a/./b/.", "/a/b"},
        {"", "/a/../b", "/b"},
        {"", "/a/b/../..", "/"},
        {"", "/..", "/"},
        {"", "/../../a", "/a"},
        {"", "/a/../../../b/..", "/"},
        {"", "/...", "/..."},
        {"", "/..a/.b/a..", "/..a/.b/a.."},
        {"/work", "a", "/work/a"},
        {"/work/", "a/b", "/work/a/b"},
        {"/work", "./a", "/work/a"},
        {"/work", "../a", "/a"},
        {"/work/x", "../../../a", "/a"},
        {"/work", "", "/work"},
        {"/work", ".", "/work"},
        {"/work", "..", "/"},
        {"/", "a", "/a"},
        {"/", "", "/"},
        {"/work", "/a", "/a"},
        {"/not/../normal", "a", "/normal/a"},
        {"/a b", "c d", "/a b/c d"},
        {"/a", "b\nc\td\\", "/a/b\nc\td\\"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_join(cases[i].base, cases[i].path, cases[i].expected);
}

/** Without a folder nobody knows where the path starts: it does not pretend to be absolute. */
static void stays_relative_without_a_folder(void **state)
{
    (void)state;
    assert_join("", "a", "a");
    assert_join("", "a//b/./c", "a/b/c");
    assert_join("", "./a", "a");
    assert_join("", "a/../b", "b");
    assert_join("", "..", "");
    assert_join("", "", "");
    assert_join("work", "a", "work/a");
}

static void takes_any_byte(void **state)
{
    (void)state;
    assert_join_bytes("/a", 2, "b\0c", 3, "/a/b\0c", 6);
    assert_join_bytes("/\0", 2, "\0", 1, "/\0/\0", 4);
    assert_join("/\x80\xff", "\xfe/\xc3", "/\x80\xff/\xfe/\xc3");
    for (int byte = 1; byte < 256; byte++) {
        char name[] = {'x', (char)byte, 'y', '\0'};
        char expected[] = {'/', 'x', (char)byte, 'y', '\0'};
        assert_join("/", name, expected);
    }
}

static void keeps_to_its_room(void **state)
{
    (void)state;
    static char base[4096], path[4096];
    /* The worst case: nothing to take away, and a '/' to add in front of each. */
    memset(base, 'b', sizeof(base));
    memset(path, 'p', sizeof(path));
    char *expected = malloc(sizeof(base) + sizeof(path) + 2);
    assert_non_null(expected);
    expected[0] = '/';
    memcpy(expected + 1, base + 1, sizeof(base) - 1);
    expected[sizeof(base)] = '/';
    memcpy(expected + sizeof(base) + 1, path, sizeof(path));
    base[0] = '/';
    assert_join_bytes(base, sizeof(base), path, sizeof(path), expected,
                      sizeof(base) + sizeof(path) + 1);
    base[0] = 'b';
    expected[0] = 'b';
    memcpy(expected, base, sizeof(base));
    assert_join_bytes(base, sizeof(base), path, sizeof(path), expected,
                      sizeof(base) + sizeof(path) + 1);
    free(expected);

    for (size_t i = 0; i < sizeof(path); i++)
        path[i] = i % 3 == 0 ? '/' : '.';
    assert_join_bytes("/a", 2, path, sizeof(path), "/", 1);
    memset(path, '/', sizeof(path));
    assert_join_bytes("/a", 2, path, sizeof(path), "/", 1);
}

/** What comes out goes in unchanged: for every short path of these bytes. */
static void is_idempotent(void **state)
{
    (void)state;
    static const char bytes[] = {'/', '.', 'a', '\0'};
    for (unsigned number = 0; number < 4u * 4 * 4 * 4 * 4 * 4 * 4; number++) {
        char path[7], once[16], twice[32];
        unsigned rest = number;
        for (size_t i = 0; i < sizeof(path); i++, rest /= 4)
            path[i] = bytes[rest % 4];
        size_t length = ft_path_join("/b", 2, path, sizeof(path), once);
        assert_int_equal(once[0], '/');
        assert_int_equal(ft_path_join("/c", 2, once, length, twice), length);
        assert_memory_equal(once, twice, length + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normalises),     cmocka_unit_test(stays_relative_without_a_folder),
        cmocka_unit_test(takes_any_byte), cmocka_unit_test(keeps_to_its_room),
        cmocka_unit_test(is_idempotent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
