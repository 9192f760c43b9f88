/* SPDX-License-Identifier: MIT */
/* Which paths a trace holds. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "common/buf.h"
#include "harness/trace_check.h"

/* A literal with its NULs, without the last one. */
#define BYTES(text) text, sizeof(text) - 1

static void finds_what_is_missing(void **state)
{
    struct tt_paths *paths;
    uint64_t accesses;
    size_t length;

    (void)state;
    assert_int_equal(tt_paths_new(BYTES("/a\n/b\n\n/b\n/c"), &paths), 0);
    assert_int_equal(tt_paths_count(paths), 3);
    static const char some[] = "read\0/a\0-\0"
                               "read\0/other\0ENOENT\0"
                               "read,write\0/c\0-\0"
                               "read\0/a\0-\0";
    assert_int_equal(tt_trace_take(BYTES(some), paths, &accesses), 0);
    assert_int_equal(accesses, 4);
    assert_int_equal(tt_paths_seen(paths), 2);
    const char *unseen = tt_paths_unseen(paths, &length);
    assert_int_equal(length, 2);
    assert_memory_equal(unseen, "/b", 2);

    /* The next run starts from nothing. */
    tt_paths_restart(paths);
    assert_int_equal(tt_paths_seen(paths), 0);
    static const char all[] = "read\0/c\0-\0read\0/b\0-\0read\0/a\0-\0";
    assert_int_equal(tt_trace_take(BYTES(all), paths, &accesses), 0);
    assert_int_equal(tt_paths_seen(paths), 3);
    assert_null(tt_paths_unseen(paths, &length));
    tt_paths_free(paths);
}

static void refuses_a_cut_access(void **state)
{
    static const char text[] = "read\0/a\0-\0";
    struct tt_paths *paths;
    uint64_t accesses;

    (void)state;
    assert_int_equal(tt_paths_new(BYTES("/a\n"), &paths), 0);
    for (size_t length = 0; length <= sizeof(text) - 1; length++) {
        bool whole = length == 0 || length == sizeof(text) - 1;
        assert_int_equal(tt_trace_take(text, length, paths, &accesses), whole ? 0 : -EPROTO);
    }
    tt_paths_free(paths);
}

/* None is expected of a program that opens nothing. */
static void takes_no_paths(void **state)
{
    struct tt_paths *paths;
    size_t length;

    (void)state;
    assert_int_equal(tt_paths_new("", 0, &paths), 0);
    assert_int_equal(tt_paths_count(paths), 0);
    tt_paths_see(paths, "/a", 2);
    assert_int_equal(tt_paths_seen(paths), 0);
    assert_null(tt_paths_unseen(paths, &length));
    tt_paths_free(paths);
    tt_paths_free(NULL);
}

static void holds_many(void **state)
{
    struct tt_paths *paths;
    struct buf lines;
    char path[64];

    (void)state;
    buf_init(&lines, 1u << 22);
    for (int i = 0; i < 50000; i++)
        buf_printf(&lines, "/some/folder/%d\n", i);
    assert_int_equal(tt_paths_new(lines.data, lines.size_bytes, &paths), 0);
    assert_int_equal(tt_paths_count(paths), 50000);
    for (int i = 0; i < 100000; i += 2) {
        int length = snprintf(path, sizeof(path), "/some/folder/%d", i);
        tt_paths_see(paths, path, (size_t)length);
    }
    assert_int_equal(tt_paths_seen(paths), 25000);
    tt_paths_free(paths);
    buf_fini(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_is_missing),
        cmocka_unit_test(refuses_a_cut_access),
        cmocka_unit_test(takes_no_paths),
        cmocka_unit_test(holds_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
