/* SPDX-License-Identifier: MIT */
/* Checked parsing and size arithmetic. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/num.h"

static void parses_u64(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t min, max;
        int ret;
        uint64_t out;
    } rows[] = {
        {"0", 0, 10, 0, 0},
        {"100000", 1, 100000, 0, 100000},
        {"18446744073709551615", 0, UINT64_MAX, 0, UINT64_MAX},
        {"18446744073709551616", 0, UINT64_MAX, -ERANGE, 0},
        {"99999999999999999999x", 0, UINT64_MAX, -EINVAL, 0},
        {"0", 1, 10, -ERANGE, 0},
        {"11", 1, 10, -ERANGE, 0},
        {"", 0, 10, -EINVAL, 0},
        {"-1", 0, 10, -EINVAL, 0},
        {"+1", 0, 10, -EINVAL, 0},
        {" 1", 0, 10, -EINVAL, 0},
        {"5x", 0, 10, -EINVAL, 0},
        {"1e9", 0, UINT64_MAX, -EINVAL, 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        uint64_t out = 42;
        assert_int_equal(num_parse_u64(rows[i].text, rows[i].min, rows[i].max, &out), rows[i].ret);
        assert_int_equal(out, rows[i].out);
    }
}

static void parses_double(void **state)
{
    (void)state;
    double out = 42;
    assert_int_equal(num_parse_double("2.5", 0, 10, &out), 0);
    assert_true(out >= 2.5 && out <= 2.5);
    assert_int_equal(num_parse_double("nan", 0, 10, &out), -EINVAL);
    assert_int_equal(num_parse_double("inf", 0, 10, &out), -EINVAL);
    assert_int_equal(num_parse_double("0x10", 0, 100, &out), -EINVAL);
    assert_int_equal(num_parse_double("1e999", 0, 10, &out), -ERANGE);
    assert_int_equal(num_parse_double("2.5%", 0, 10, &out), -EINVAL);
    assert_int_equal(num_parse_double("11", 0, 10, &out), -ERANGE);
}

static void refuses_overflow(void **state)
{
    (void)state;
    size_t out = 42;
    assert_int_equal(num_add(1, 2, &out), 0);
    assert_int_equal(out, 3);
    assert_int_equal(num_add(SIZE_MAX, 1, &out), -EOVERFLOW);
    assert_int_equal(out, 0);
    assert_int_equal(num_mul(SIZE_MAX / 2, 2, &out), 0);
    assert_int_equal(num_mul(SIZE_MAX / 2 + 1, 2, &out), -EOVERFLOW);
    assert_int_equal(num_mul(7, 0, &out), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses_u64),
        cmocka_unit_test(parses_double),
        cmocka_unit_test(refuses_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
