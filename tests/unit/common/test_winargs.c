/* SPDX-License-Identifier: MIT */
/* Arguments become a command line of Windows, quoted as its programs take it apart. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/compiler.h"
#include "common/winargs.h"

static void quotes_what_needs_it(void **state)
{
    (void)state;
    /* The first column from Microsoft's own table of how a line is taken apart. */
    static const struct {
        const char *argument, *quoted;
    } cases[] = {
        {"a", "a"},
        {"C:\\dir\\", "C:\\dir\\"},
        {"", "\"\""},
        {"a b c", "\"a b c\""},
        {"tab\there", "\"tab\there\""},
        {"ab\"c", "\"ab\\\"c\""},
        {"a\\\\\\b", "a\\\\\\b"},
        {"a\\\"b", "\"a\\\\\\\"b\""},
        {"a\\\\b c", "\"a\\\\b c\""},
        {"C:\\a b\\", "\"C:\\a b\\\\\""},
        {"\"", "\"\\\"\""},
        {"\\", "\\"},
        {"\xe6\x97\xa5", "\xe6\x97\xa5"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf line;
        buf_init(&line, 4096);
        assert_int_equal(winargs_append(&line, cases[i].argument), 0);
        assert_string_equal(line.data, cases[i].quoted);
        assert_int_equal(winargs_append(&line, "next"), 0);
        assert_memory_equal(line.data + line.size_bytes - 5, " next", 5);
        buf_fini(&line);
    }
}

static void keeps_to_the_limit(void **state)
{
    (void)state;
    struct buf line;
    buf_init(&line, 4);
    assert_int_equal(winargs_append(&line, "a b c"), -EFBIG);
    buf_fini(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotes_what_needs_it),
        cmocka_unit_test(keeps_to_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
