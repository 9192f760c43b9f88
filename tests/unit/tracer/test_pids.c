/* SPDX-License-Identifier: MIT */
/* The table of processes finds each one again, and has an end. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "tracer/pids.h"

static void finds_each_again(void **state)
{
    (void)state;
    struct ft_pids pids = {0};
    struct ft_process *process;
    enum { COUNT = 20000 };

    /* Numbers that a bad hash would send to the same slot. */
    for (uint32_t i = 1; i <= COUNT; i++) {
        assert_int_equal(ft_pids_get(&pids, i << 16 | i >> 16, &process), 0);
        assert_int_equal(process->starts, 0);
        process->starts = i;
    }
    assert_int_equal(pids.count, COUNT);
    for (uint32_t i = 1; i <= COUNT; i++) {
        assert_int_equal(ft_pids_get(&pids, i << 16 | i >> 16, &process), 0);
        assert_int_equal(process->pid, i << 16 | i >> 16);
        assert_int_equal(process->starts, i);
    }
    assert_int_equal(pids.count, COUNT);
    ft_pids_fini(&pids);
    ft_pids_fini(&pids);
    assert_int_equal(pids.count, 0);
}

static void refuses_zero(void **state)
{
    (void)state;
    struct ft_pids pids = {0};
    struct ft_process *process = (struct ft_process *)&pids;
    assert_int_equal(ft_pids_get(&pids, 0, &process), -EPROTO);
    assert_null(process);
    assert_int_equal(ft_pids_get(&pids, UINT32_MAX, &process), 0);
    assert_int_equal(ft_pids_get(&pids, 0, &process), -EPROTO);
    assert_int_equal(pids.count, 1);
    ft_pids_fini(&pids);
}

static void ends_at_its_limit(void **state)
{
    (void)state;
    struct ft_pids pids = {0};
    struct ft_process *process;
    for (uint32_t i = 1; i <= FT_PIDS_MAX; i++)
        if (ft_pids_get(&pids, i, &process))
            fail_msg("no room for process %lu", (unsigned long)i);
    assert_int_equal(ft_pids_get(&pids, FT_PIDS_MAX + 1, &process), -E2BIG);
    assert_null(process);
    /* Those that are in it still have their place. */
    assert_int_equal(ft_pids_get(&pids, 1, &process), 0);
    assert_int_equal(process->pid, 1);
    assert_int_equal(ft_pids_get(&pids, FT_PIDS_MAX, &process), 0);
    assert_int_equal(pids.count, FT_PIDS_MAX);
    ft_pids_fini(&pids);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_each_again),
        cmocka_unit_test(refuses_zero),
        cmocka_unit_test(ends_at_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
