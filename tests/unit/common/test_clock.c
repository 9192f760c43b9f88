/* SPDX-License-Identifier: MIT */
/* Time never goes back. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <cmocka.h>

#include "common/clock.h"

static void never_goes_back(void **state)
{
    (void)state;
    uint64_t first = clock_monotonic_ns();
    uint64_t before = first;
    for (int i = 0; i < 100000; i++) {
        uint64_t now = clock_monotonic_ns();
        assert_true(now >= before);
        before = now;
    }
    assert_true(before > first);
}

static void is_in_nanoseconds(void **state)
{
    (void)state;
    struct timespec low, high;
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &low), 0);
    uint64_t now = clock_monotonic_ns();
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &high), 0);
    assert_in_range(now, (uint64_t)low.tv_sec * 1000000000u + (uint64_t)low.tv_nsec,
                    (uint64_t)high.tv_sec * 1000000000u + (uint64_t)high.tv_nsec);
    assert_in_range(clock_resolution_ns(), 1, 1000000000);
}

static void knows_the_date(void **state)
{
    (void)state;
    struct timespec low, high;
    assert_int_equal(clock_gettime(CLOCK_REALTIME, &low), 0);
    int64_t now = clock_unix_s();
    assert_int_equal(clock_gettime(CLOCK_REALTIME, &high), 0);
    assert_true(now >= low.tv_sec && now <= high.tv_sec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_goes_back),
        cmocka_unit_test(is_in_nanoseconds),
        cmocka_unit_test(knows_the_date),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
