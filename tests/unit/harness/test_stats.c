/* SPDX-License-Identifier: MIT */
/* Estimates against values worked out by hand, published tables and a simulation. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "harness/stats.h"

#define assert_near(got, wanted, within) assert_true(fabs((got) - (wanted)) <= (within))

/* Deterministic noise: splitmix64 and Box-Muller. */
struct noise {
    uint64_t state;
};

static uint64_t next_u64(struct noise *noise)
{
    uint64_t z = noise->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static double uniform(struct noise *noise)
{
    return ((double)(next_u64(noise) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(struct noise *noise)
{
    return sqrt(-2 * log(uniform(noise))) * cos(2 * 3.14159265358979323846 * uniform(noise));
}

static void ranks_are_those_of_the_tables(void **state)
{
    (void)state;
    /* Critical values T of the two-sided signed-rank test at 5% (Wilcoxon and Wilcox 1964, as
       reprinted in most textbooks): reject at T or below. The interval's rank is T + 1. */
    static const struct {
        size_t count;
        uint64_t critical;
    } rows[] = {{6, 0},    {7, 2},    {8, 3},    {9, 5},   {10, 8},  {11, 10}, {12, 13},
                {13, 17},  {14, 21},  {15, 25},  {16, 29}, {17, 34}, {18, 40}, {19, 46},
                {20, 52},  {21, 58},  {22, 65},  {23, 73}, {24, 81}, {25, 89}, {30, 137},
                {35, 195}, {40, 264}, {45, 343}, {50, 434}};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        assert_int_equal(tt_stats_wilcoxon_rank(rows[i].count), rows[i].critical + 1);
    for (size_t count = 0; count < 6; count++)
        assert_int_equal(tt_stats_wilcoxon_rank(count), 0);
    /* 51: mean 663, sd 106.684: floor(663.5 - 209.097). It grows, and never jumps. */
    assert_int_equal(tt_stats_wilcoxon_rank(51), 454);
}

static void locates_by_hand(void **state)
{
    (void)state;
    /* Walsh averages of 1, 2, 4: 1 1.5 2 2.5 3 4; their median is 2.25. */
    const double three[] = {4, 1, 2};
    struct tt_location out;
    assert_int_equal(tt_stats_location(three, 3, &out), 0);
    assert_near(out.center, 2.25, 0);
    assert_false(out.known);

    /* Six values: the interval is the least and the greatest Walsh average. */
    const double six[] = {1, 2, 3, 5, 8, 13};
    assert_int_equal(tt_stats_location(six, 6, &out), 0);
    assert_true(out.known);
    assert_near(out.low, 1, 0);
    assert_near(out.high, 13, 0);
    /* 1 1.5 2 2 2.5 3 3 3.5 4 4.5 [5] 5 5.5 6.5 7 7.5 8 8 9 10.5 13: the 11th of 21 */
    assert_near(out.center, 5, 0);

    const double not_finite[] = {1, NAN};
    assert_int_equal(tt_stats_location(not_finite, 2, &out), -EINVAL);
    assert_int_equal(tt_stats_location(six, 0, &out), -EINVAL);
}

static int by_value(const void *a, const void *b)
{
    const double *x = a;
    const double *y = b;
    return (*x > *y) - (*x < *y);
}

/* The definition, with all Walsh averages in memory. */
static void agrees_with_all_walsh_averages(void **state)
{
    (void)state;
    struct noise noise = {42};
    for (size_t count = 1; count <= 120; count++) {
        double values[120];
        static double walsh[120 * 121 / 2];
        size_t pairs = 0;
        for (size_t i = 0; i < count; i++)
            values[i] =
                floor(normal(&noise) * (count % 3 ? 1e6 : 4)) / 1024; /* every third has ties */
        for (size_t i = 0; i < count; i++) {
            for (size_t j = i; j < count; j++)
                walsh[pairs++] = (values[i] + values[j]) / 2;
        }
        qsort(walsh, pairs, sizeof(*walsh), by_value);
        double center =
            pairs % 2 ? walsh[pairs / 2] : (walsh[pairs / 2 - 1] + walsh[pairs / 2]) / 2;

        struct tt_location out;
        assert_int_equal(tt_stats_location(values, count, &out), 0);
        assert_near(out.center, center, 0);
        uint64_t rank = tt_stats_wilcoxon_rank(count);
        if (rank) {
            assert_near(out.low, walsh[rank - 1], 0);
            assert_near(out.high, walsh[pairs - rank], 0);
        }
    }
}

static void takes_a_hundred_thousand_rounds(void **state)
{
    (void)state;
    static double values[TT_RESULT_MAX_ROUNDS];
    struct noise noise = {7};
    for (size_t i = 0; i < ARRAY_LEN(values); i++)
        values[i] = 0.4 + 0.02 * normal(&noise);
    struct tt_location out;
    assert_int_equal(tt_stats_location(values, ARRAY_LEN(values), &out), 0);
    assert_near(out.center, 0.4, 0.0003);
    /* Half width of the mean of n normal values, a little more for the loss of 4.5% efficiency. */
    assert_near((out.high - out.low) / 2, 1.96 * 0.02 / sqrt(1e5) / sqrt(3 / 3.14159265), 3e-6);
}

/* One experiment: rounds of two arms with a true ratio, drift that both share, noise of each. */
struct experiment {
    size_t rounds;
    double ratio, drift, noise, spike_share;
    double own_drift; /**< standard deviation of an AR(1) 0.7 error that only one arm has */
};

static void fill(const struct experiment *e, struct noise *noise, uint64_t *slow, uint64_t *fast)
{
    double drift = e->drift * normal(noise);
    double own = e->own_drift * normal(noise);
    for (size_t i = 0; i < e->rounds; i++) {
        drift = 0.97 * drift + sqrt(1 - 0.97 * 0.97) * e->drift * normal(noise);
        own = 0.7 * own + sqrt(1 - 0.7 * 0.7) * e->own_drift * normal(noise);
        double a = 2e7 * exp(drift + e->noise * normal(noise));
        double b = 2e7 * e->ratio * exp(drift + own + e->noise * normal(noise));
        if (uniform(noise) < e->spike_share)
            a *= 1 + 0.25 * -log(uniform(noise));
        if (uniform(noise) < e->spike_share)
            b *= 1 + 0.25 * -log(uniform(noise));
        fast[i] = (uint64_t)a;
        slow[i] = (uint64_t)b;
    }
}

/** Percentage of experiments whose interval holds the true ratio. */
static double coverage(const struct experiment *e, size_t trials, uint64_t seed)
{
    struct noise noise = {seed};
    uint64_t slow[512];
    uint64_t fast[512];
    size_t held = 0;
    assert_true(e->rounds <= ARRAY_LEN(slow));
    for (size_t trial = 0; trial < trials; trial++) {
        fill(e, &noise, slow, fast);
        const struct tt_samples top = {slow, e->rounds};
        const struct tt_samples bottom = {fast, e->rounds};
        struct tt_estimate out;
        assert_int_equal(tt_stats_ratio(&top, &bottom, &out), 0);
        assert_true(out.known && out.low <= out.ratio && out.ratio <= out.high);
        held += out.low <= e->ratio && e->ratio <= out.high;
    }
    return 100.0 * (double)held / (double)trials;
}

static void intervals_hold_the_truth(void **state)
{
    (void)state;
    static const struct experiment rows[] = {
        {.rounds = 60, .ratio = 1.44, .drift = 0.01, .noise = 0.01, .spike_share = 0.02},
        {.rounds = 60, .ratio = 1.44, .drift = 0.04, .noise = 0.02, .spike_share = 0.05},
        {.rounds = 120, .ratio = 1.03, .drift = 0.04, .noise = 0.02, .spike_share = 0.05},
        {.rounds = 400, .ratio = 1.00, .drift = 0.02, .noise = 0.02, .spike_share = 0.02},
        {.rounds = 120, .ratio = 1.44, .noise = 0.01, .own_drift = 0.005},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        double percent = coverage(&rows[i], 2000, 20261130 + i);
        print_message("coverage %u: %.2f%%\n", (unsigned)i, percent);
        assert_true(percent >= 93 && percent <= 97);
    }
}

static void blocks_widen_for_serial_correlation(void **state)
{
    (void)state;
    static const struct experiment e = {.rounds = 400, .ratio = 1.2, .own_drift = 0.02};
    struct noise noise = {3};
    uint64_t slow[400];
    uint64_t fast[400];
    double logs[400];
    fill(&e, &noise, slow, fast);
    for (size_t i = 0; i < e.rounds; i++)
        logs[i] = log((double)slow[i]) - log((double)fast[i]);
    struct tt_location single;
    struct tt_estimate both;
    const struct tt_samples top = {slow, e.rounds};
    const struct tt_samples bottom = {fast, e.rounds};
    assert_int_equal(tt_stats_location(logs, e.rounds, &single), 0);
    assert_int_equal(tt_stats_ratio(&top, &bottom, &both), 0);
    assert_near(log(both.ratio), single.center, 1e-12);
    assert_true(log(both.high / both.low) > 1.3 * (single.high - single.low));
}

/* 12 rounds that come in pairs, as bursts of other work make them: 6 blocks of 2, whose interval is
   all of their range (rank 1); single rounds would leave it narrower. */
static void few_rounds_are_blocks_too(void **state)
{
    (void)state;
    uint64_t slow[12];
    uint64_t fast[12];
    for (size_t i = 0; i < 12; i++) {
        slow[i] = 1000000 + 10000 * (i / 2);
        fast[i] = 1000000;
    }
    struct tt_estimate out;
    assert_int_equal(
        tt_stats_ratio(&(struct tt_samples){slow, 12}, &(struct tt_samples){fast, 12}, &out), 0);
    assert_true(out.known);
    assert_near(out.low, 1.00, 1e-12);
    assert_near(out.high, 1.05, 1e-12);
}

static void never_a_number_that_is_none(void **state)
{
    (void)state;
    uint64_t zero[8] = {0};
    uint64_t same[8] = {5, 5, 5, 5, 5, 5, 5, 5};
    uint64_t other[8] = {7, 8, 7, 8, 7, 8, 7, 9};
    struct tt_estimate out;
    /* A round without time, too few rounds, the same ratio in each round: no interval. */
    assert_int_equal(
        tt_stats_ratio(&(struct tt_samples){other, 8}, &(struct tt_samples){zero, 8}, &out), 0);
    assert_false(out.known);
    assert_int_equal(
        tt_stats_ratio(&(struct tt_samples){zero, 8}, &(struct tt_samples){zero, 8}, &out), 0);
    assert_false(out.known);
    assert_int_equal(
        tt_stats_ratio(&(struct tt_samples){other, 5}, &(struct tt_samples){same, 5}, &out), 0);
    assert_false(out.known);
    assert_int_equal(
        tt_stats_ratio(&(struct tt_samples){same, 8}, &(struct tt_samples){same, 8}, &out), 0);
    assert_false(out.known);
    assert_int_equal(
        tt_stats_ratio(&(struct tt_samples){other, 8}, &(struct tt_samples){same, 7}, &out),
        -EINVAL);
    assert_int_equal(
        tt_stats_ratio(&(struct tt_samples){NULL, 0}, &(struct tt_samples){NULL, 0}, &out), 0);
    assert_false(out.known);
    /* Two fully separated arms are a finding, not a missing one. */
    assert_int_equal(
        tt_stats_ratio(&(struct tt_samples){other, 8}, &(struct tt_samples){same, 8}, &out), 0);
    assert_true(out.known && out.low > 1.3);
    /* The extremes of a time. */
    uint64_t least[6] = {1, 1, 1, 1, 1, 2};
    uint64_t most[6];
    for (size_t i = 0; i < 6; i++)
        most[i] = TT_RESULT_MAX_SAMPLE_NS;
    assert_int_equal(
        tt_stats_ratio(&(struct tt_samples){most, 6}, &(struct tt_samples){least, 6}, &out), 0);
    assert_true(out.known && isfinite(out.high) && out.low > 0);
    assert_int_equal(
        tt_stats_ratio(&(struct tt_samples){least, 6}, &(struct tt_samples){most, 6}, &out), 0);
    assert_true(out.known && out.low > 0);
}

static void slowing_both_alike_changes_nothing(void **state)
{
    (void)state;
    static const struct experiment e = {.rounds = 60, .ratio = 1.44, .noise = 0.02};
    struct noise noise = {11};
    uint64_t slow[60];
    uint64_t fast[60];
    fill(&e, &noise, slow, fast);
    struct tt_estimate before;
    struct tt_estimate after;
    assert_int_equal(
        tt_stats_ratio(&(struct tt_samples){slow, 60}, &(struct tt_samples){fast, 60}, &before), 0);
    for (size_t i = 0; i < 60; i++) {
        slow[i] *= 3;
        fast[i] *= 3;
    }
    assert_int_equal(
        tt_stats_ratio(&(struct tt_samples){slow, 60}, &(struct tt_samples){fast, 60}, &after), 0);
    assert_near(after.ratio, before.ratio, 1e-12);
    assert_near(after.low, before.low, 1e-12);
}

static void medians(void **state)
{
    (void)state;
    const uint64_t ns[] = {40, 10, 30, 20};
    double out = -1;
    assert_int_equal(tt_stats_median_ns(ns, 4, &out), 0);
    assert_near(out, 25, 0);
    assert_int_equal(tt_stats_median_ns(ns, 3, &out), 0);
    assert_near(out, 30, 0);
    assert_int_equal(tt_stats_median_ns(NULL, 0, &out), 0);
    assert_near(out, 0, 0);
}

static struct tt_oddities look(const uint64_t *ns, size_t count)
{
    uint64_t copy[512];
    assert_true(count <= ARRAY_LEN(copy));
    for (size_t i = 0; i < count; i++)
        copy[i] = ns[i];
    struct tt_oddities out;
    assert_int_equal(tt_stats_oddities(&(struct tt_samples){copy, count}, &out), 0);
    return out;
}

static void oddities_have_their_marks(void **state)
{
    (void)state;
    assert_true(look((const uint64_t[]){9}, 1).single);
    assert_true(look((const uint64_t[]){9, 9, 9}, 3).all_equal);
    assert_false(look((const uint64_t[]){9, 9, 9}, 3).coarse_clock);
    assert_true(look((const uint64_t[]){9, 0, 9}, 3).zero);

    /* A clock of 10 ms. */
    const uint64_t ticks[] = {20000000, 30000000, 20000000, 40000000};
    assert_true(look(ticks, 4).coarse_clock);
    assert_int_equal(look(ticks, 4).step_ns, 10000000);
    const uint64_t fine[] = {20000013, 30000001, 20000002, 40000000};
    assert_false(look(fine, 4).coarse_clock);

    /* 100 101 ... 109 and 200: median 105, MAD 3: beyond 30 from it. */
    uint64_t ns[11];
    for (uint64_t i = 0; i < 10; i++)
        ns[i] = 100 + i;
    ns[10] = 200;
    assert_int_equal(look(ns, 11).outliers, 1);
    ns[10] = 134;
    assert_int_equal(look(ns, 11).outliers, 0);
    /* MAD 0 */
    for (size_t i = 0; i < 30; i++)
        assert_int_equal(look((const uint64_t[]){100, 100, 100, 100, 101}, 5).outliers, 0);
    uint64_t flat[30];
    for (size_t i = 0; i < 30; i++)
        flat[i] = 100;
    flat[7] = 150;
    assert_int_equal(look(flat, 30).outliers, 1);
}

static void two_modes_are_not_one_heap(void **state)
{
    (void)state;
    struct noise noise = {5};
    size_t found = 0;
    size_t false_alarms = 0;
    for (size_t trial = 0; trial < 200; trial++) {
        uint64_t two[60];
        uint64_t one[60];
        for (size_t i = 0; i < 60; i++) {
            double mode = uniform(&noise) < 0.4 ? 1.15 : 1;
            two[i] = (uint64_t)(2e7 * mode * exp(0.01 * normal(&noise)));
            /* skewed, as wall-clock times are */
            one[i] =
                (uint64_t)(2e7 * (1 - 0.1 * log(uniform(&noise))) * exp(0.02 * normal(&noise)));
        }
        const struct tt_oddities odd = look(two, 60);
        found += odd.two_modes;
        if (odd.two_modes)
            assert_true(odd.fast_ns < 2.1e7 && odd.slow_ns > 2.2e7);
        false_alarms += look(one, 60).two_modes;
    }
    assert_true(found >= 198);
    assert_true(false_alarms <= 2);
}

static void spreads(void **state)
{
    (void)state;
    double out = -1;
    /* differences 1 1 1 1: 1 / (0.6745 x 1.4142) */
    assert_int_equal(tt_stats_spread((const double[]){1, 2, 1, 2, 1}, 5, &out), 0);
    assert_near(out, 1.04836, 1e-5);
    /* a step is one difference among many */
    struct noise noise = {9};
    double values[200];
    for (size_t i = 0; i < 200; i++)
        values[i] = 0.02 * normal(&noise) + (i < 100 ? 0 : 0.5);
    assert_int_equal(tt_stats_spread(values, 200, &out), 0);
    assert_near(out, 0.02, 0.004);
    /* the median is 0 */
    assert_int_equal(tt_stats_spread((const double[]){1, 1, 1, 1, 3}, 5, &out), 0);
    assert_near(out, 1 / sqrt(2.0), 1e-12);
    assert_int_equal(tt_stats_spread((const double[]){1, 1}, 2, &out), 0);
    assert_near(out, 0, 0);
    assert_int_equal(tt_stats_spread(values, 1, &out), -EINVAL);
}

static void quantiles_of_t(void **state)
{
    (void)state;
    assert_near(tt_stats_t975(7), 2.3646, 0.007);
    assert_near(tt_stats_t975(10), 2.2281, 0.003);
    assert_near(tt_stats_t975(30), 2.0423, 0.001);
    assert_near(tt_stats_t975(199), 1.9720, 0.001);
    assert_near(tt_stats_t975(0), 1.95996, 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_those_of_the_tables),
        cmocka_unit_test(locates_by_hand),
        cmocka_unit_test(agrees_with_all_walsh_averages),
        cmocka_unit_test(takes_a_hundred_thousand_rounds),
        cmocka_unit_test(intervals_hold_the_truth),
        cmocka_unit_test(blocks_widen_for_serial_correlation),
        cmocka_unit_test(few_rounds_are_blocks_too),
        cmocka_unit_test(never_a_number_that_is_none),
        cmocka_unit_test(slowing_both_alike_changes_nothing),
        cmocka_unit_test(medians),
        cmocka_unit_test(oddities_have_their_marks),
        cmocka_unit_test(two_modes_are_not_one_heap),
        cmocka_unit_test(spreads),
        cmocka_unit_test(quantiles_of_t),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
