/* SPDX-License-Identifier: MIT */
/* What A/A runs teach. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "harness/calibrate.h"

#define assert_near(got, wanted, within) assert_true(fabs((got) - (wanted)) <= (within))

#define REPEATS 40
#define ROUNDS 60

static const struct tt_thresholds limits = {.margin = 0.01, .unchanged_within = 0.03};

static uint64_t ns[REPEATS][TT_ARM_COUNT][ROUNDS];
static struct tt_target targets[REPEATS];
static struct tt_result results[REPEATS];

static double uniform(uint64_t *random)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(*random >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *random)
{
    return sqrt(-2 * log(uniform(random))) * cos(2 * 3.14159265358979323846 * uniform(random));
}

/** Runs whose overhead spreads by @tau and whose head is @change times the base. */
static void make(double tau, double change, uint64_t random)
{
    for (size_t i = 0; i < REPEATS; i++) {
        double ratio = 1.44 * exp(tau * normal(&random));
        const double arms[TT_ARM_COUNT] = {1, ratio * change, ratio};
        targets[i] =
            (struct tt_target){.name = (char *)"dynamic", .operation = (char *)"open-close"};
        for (size_t arm = 0; arm < TT_ARM_COUNT; arm++) {
            for (size_t round = 0; round < ROUNDS; round++)
                ns[i][arm][round] = (uint64_t)(2e7 * arms[arm] * exp(0.01 * normal(&random)));
            targets[i].arm[arm] = (struct tt_samples){ns[i][arm], ROUNDS};
        }
        results[i] =
            (struct tt_result){.created_at = (char *)"2026-11-30T15:30:00Z",
                               .platform = {.id = (char *)"linux-x86_64",
                                            .image = (char *)"Debian",
                                            .kernel = (char *)"6.18.44",
                                            .cpu = (char *)"AMD EPYC",
                                            .cores = 4},
                               .suite = {.name = (char *)"default", .version = (char *)"1"},
                               .engine = {(char *)"builtin", (char *)"0.1.0"},
                               .targets = &targets[i],
                               .targets_count = 1};
    }
}

static void finds_the_spread_and_raises_no_alarm(void **state)
{
    (void)state;
    struct tt_calibration c;
    struct err err = {0};
    make(0.02, 1, 20261130);
    assert_int_equal(tt_calibrate(results, REPEATS, &limits, &c, &err), 0);
    assert_int_equal(c.targets_count, 1);
    assert_int_equal(c.targets[0].comparisons, REPEATS);
    assert_int_equal(c.targets[0].false_alarms, 0);
    assert_near(c.targets[0].alarm_high, 0.0881, 0.0001);
    assert_true(c.targets[0].spread.calibrated);
    assert_int_equal(c.targets[0].spread.results, REPEATS);
    assert_near(c.targets[0].spread.tau, 0.02, 0.007);
    assert_true(c.targets[0].detectable > 0.01 && c.targets[0].detectable < 0.02);
    assert_int_equal(c.history.rows_count, REPEATS); /* all of the same second */

    struct buf text;
    buf_init(&text, 4096);
    assert_int_equal(tt_calibration_show(&c, &text), 0);
    assert_non_null(strstr(text.data, "dynamic open-close"));
    assert_non_null(strstr(text.data, "0 of 40 (0.0 … 8.8%)"));
    buf_fini(&text);
    tt_calibration_fini(&c);
}

/* A self-test: were base and head not the same, the alarms would show it. */
static void an_unequal_pair_alarms(void **state)
{
    (void)state;
    struct tt_calibration c;
    make(0.01, 1.05, 7);
    assert_int_equal(tt_calibrate(results, REPEATS, &limits, &c, NULL), 0);
    assert_true(c.targets[0].false_alarms >= 38);
    tt_calibration_fini(&c);
}

static void refuses_too_few_and_mixed(void **state)
{
    (void)state;
    struct tt_calibration c;
    struct err err = {0};
    make(0.01, 1, 7);
    assert_int_equal(tt_calibrate(results, 7, &limits, &c, &err), -EINVAL);
    assert_non_null(strstr(err.text, "7 results; it takes 8 to 200"));
    results[3].platform.cores = 8;
    assert_int_equal(tt_calibrate(results, 8, &limits, &c, &err), -EINVAL);
    assert_non_null(strstr(err.text, "results 1 and 4 differ: other number of cores"));
}

static void rates_are_clopper_pearson(void **state)
{
    (void)state;
    /* Exact values as R's binom.test() prints them. */
    static const struct {
        size_t hits, trials;
        double low, high;
    } rows[] = {{0, 10, 0, 0.3084971},       {1, 10, 0.002528579, 0.4450161},
                {5, 10, 0.187086, 0.812914}, {10, 10, 0.6915029, 1},
                {0, 200, 0, 0.01827534},     {0, 0, 0, 1}};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        double low = -1;
        double high = -1;
        tt_rate_interval(rows[i].hits, rows[i].trials, &low, &high);
        assert_near(low, rows[i].low, 1e-6);
        assert_near(high, rows[i].high, 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_spread_and_raises_no_alarm),
        cmocka_unit_test(an_unequal_pair_alarms),
        cmocka_unit_test(refuses_too_few_and_mixed),
        cmocka_unit_test(rates_are_clopper_pearson),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
