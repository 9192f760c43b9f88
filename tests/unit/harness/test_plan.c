/* SPDX-License-Identifier: MIT */
/* The order of arms and the number of rounds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/plan.h"

static void mirrors_every_odd_round(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        for (int with_base = 0; with_base < 2; with_base++) {
            struct tt_plan plan;
            tt_plan_init(&plan, with_base, seed);
            assert_int_equal(plan.arms_count, with_base ? 3 : 2);
            for (size_t round = 0; round < 24; round += 2) {
                enum tt_arm first[TT_ARM_COUNT], second[TT_ARM_COUNT];
                unsigned seen = 0;
                tt_plan_order(&plan, round, first);
                tt_plan_order(&plan, round + 1, second);
                for (size_t i = 0; i < plan.arms_count; i++) {
                    assert_int_equal(first[i], second[plan.arms_count - 1 - i]);
                    seen |= 1u << first[i];
                }
                assert_int_equal(seen, with_base ? 7 : 3); /* every arm once */
            }
        }
    }
}

/* Over six rounds of three arms each arm stands twice at each place. */
static void rotates(void **state)
{
    struct tt_plan plan;
    unsigned at[TT_ARM_COUNT][TT_ARM_COUNT] = {{0}};

    (void)state;
    tt_plan_init(&plan, true, 42);
    for (size_t round = 0; round < 6; round++) {
        enum tt_arm order[TT_ARM_COUNT];
        tt_plan_order(&plan, round, order);
        for (size_t i = 0; i < TT_ARM_COUNT; i++)
            at[order[i]][i]++;
    }
    for (size_t arm = 0; arm < TT_ARM_COUNT; arm++) {
        for (size_t i = 0; i < TT_ARM_COUNT; i++)
            assert_int_equal(at[arm][i], 2);
    }
}

static void the_seed_decides(void **state)
{
    unsigned firsts = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        struct tt_plan plan, again;
        tt_plan_init(&plan, true, seed);
        tt_plan_init(&again, true, seed);
        assert_int_equal(plan.arms_count, again.arms_count);
        assert_memory_equal(plan.arm, again.arm, plan.arms_count * sizeof(plan.arm[0]));
        firsts |= 1u << plan.arm[0];
    }
    assert_int_equal(firsts, 7);
}

static void measures_spread(void **state)
{
    /* ln ratios ln 2, ln 2, ln 4: standard deviation ln 2 / sqrt 3; the 0 is left out. */
    const uint64_t numerator[] = {200, 2000, 5, 400}, denominator[] = {100, 1000, 0, 100};
    double sd = tt_plan_log_ratio_sd(numerator, denominator, 4);

    (void)state;
    assert_true(fabs(sd - log(2) / sqrt(3)) < 1e-12);
    assert_true(tt_plan_log_ratio_sd(numerator, denominator, 1) == 0);
    assert_true(tt_plan_log_ratio_sd(numerator, denominator, 0) == 0);
}

static void counts_rounds(void **state)
{
    (void)state;
    /* (1.959964 * 0.09 / 0.009)^2 * pi / 3 = 402.28 */
    assert_int_equal(tt_plan_rounds(0.09, 0.02, 25), 403);
    assert_int_equal(tt_plan_rounds(0.09, 0.1, 25), 250);
    assert_int_equal(tt_plan_rounds(0, 0.02, 25), TT_PLAN_MIN_ROUNDS);
    assert_int_equal(tt_plan_rounds(0.001, 0.02, 25), TT_PLAN_MIN_ROUNDS);
    assert_int_equal(tt_plan_rounds(0, 1, 25), 25);
    assert_int_equal(tt_plan_rounds(0.09, 30, 25), 1);
    assert_int_equal(tt_plan_rounds(0.09, 0.02, -3), 1);
    assert_int_equal(tt_plan_rounds(100, 0, 25), TT_RESULT_MAX_ROUNDS);
    assert_int_equal(tt_plan_rounds((double)NAN, 0.02, 25), TT_PLAN_MIN_ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mirrors_every_odd_round), cmocka_unit_test(rotates),
        cmocka_unit_test(the_seed_decides),        cmocka_unit_test(measures_spread),
        cmocka_unit_test(counts_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
