/* SPDX-License-Identifier: MIT */
/* Verdicts, environments and the comparison's model. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "harness/compare.h"
#include "harness/stats.h"

#define assert_near(got, wanted, within) assert_true(fabs((got) - (wanted)) <= (within))

static const struct tt_thresholds limits = {.margin = 0.01, .unchanged_within = 0.03};

static struct tt_estimate interval(double low, double high)
{
    return (struct tt_estimate){.known = true, .ratio = sqrt(low * high), .low = low, .high = high};
}

static void verdicts_follow_the_interval(void **state)
{
    (void)state;
    static const struct {
        double low, high;
        enum tt_verdict same_job, across;
    } rows[] = {
        {1.011, 1.02, TT_VERDICT_REGRESSED, TT_VERDICT_MAYBE_REGRESSED},
        {1.01, 1.02, TT_VERDICT_UNCHANGED, TT_VERDICT_UNCHANGED},
        {1.009, 1.04, TT_VERDICT_INCONCLUSIVE, TT_VERDICT_INCONCLUSIVE},
        {0.97, 0.989, TT_VERDICT_IMPROVED, TT_VERDICT_MAYBE_IMPROVED},
        {0.98, 0.995, TT_VERDICT_UNCHANGED, TT_VERDICT_UNCHANGED},
        {0.971, 1.029, TT_VERDICT_UNCHANGED, TT_VERDICT_UNCHANGED},
        {0.96, 1.01, TT_VERDICT_INCONCLUSIVE, TT_VERDICT_INCONCLUSIVE},
        {1.5, 3.0, TT_VERDICT_REGRESSED, TT_VERDICT_MAYBE_REGRESSED},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct tt_estimate change = interval(rows[i].low, rows[i].high);
        assert_int_equal(tt_verdict_of(&change, &limits, true), rows[i].same_job);
        assert_int_equal(tt_verdict_of(&change, &limits, false), rows[i].across);
    }
    const struct tt_estimate unknown = {0};
    assert_int_equal(tt_verdict_of(&unknown, &limits, true), TT_VERDICT_INCONCLUSIVE);
    const struct tt_estimate none = {.known = true, .ratio = NAN, .low = NAN, .high = NAN};
    assert_int_equal(tt_verdict_of(&none, &limits, true), TT_VERDICT_INCONCLUSIVE);
    assert_near(tt_verdict_detectable(&none, &limits), 0, 0);
    assert_near(tt_verdict_detectable(&unknown, &limits), 0, 0);
    /* half width 0.9%: ln 1.01 + 0.009 x 1.4294 = 0.022815 */
    const struct tt_estimate change = interval(exp(-0.009), exp(0.009));
    assert_near(tt_verdict_detectable(&change, &limits), 0.02308, 1e-5);
}

/* What `detectable` promises, by simulation: that change is called regressed in 4 of 5 repeats. */
static void the_detectable_change_is_detected(void **state)
{
    (void)state;
    const double half_width = 0.012;
    const struct tt_estimate seen = interval(exp(-half_width), exp(half_width));
    double truth = log1p(tt_verdict_detectable(&seen, &limits));
    uint64_t random = 1;
    size_t found = 0;
    for (size_t i = 0; i < 4000; i++) {
        double sum = 0; /* of 12 uniform numbers: nearly normal */
        for (size_t j = 0; j < 12; j++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            sum += (double)(random >> 11) / 9007199254740992.0;
        }
        double center = truth + (sum - 6) * half_width / TT_STATS_Z95;
        const struct tt_estimate change =
            interval(exp(center - half_width), exp(center + half_width));
        found += tt_verdict_of(&change, &limits, true) == TT_VERDICT_REGRESSED;
    }
    assert_near((double)found / 4000, 0.8, 0.03);
}

/* A result of targets with 60 rounds whose ratio moves by +-1% from round to round. */
#define ROUNDS 60
struct fixture {
    struct tt_parameter parameters[2];
    struct tt_target targets[3];
    uint64_t ns[3][TT_ARM_COUNT][ROUNDS];
    struct tt_result result;
};

static void set_arm(struct fixture *f, size_t target, enum tt_arm arm, double ratio)
{
    static const int wave[] = {0, 7, -4, 10, -8, 3, -10, 6, -2, 9, -6, 1};
    for (size_t i = 0; i < ROUNDS; i++) {
        double noise = 1 + 0.001 * wave[(i * 5 + (size_t)arm * 3) % ARRAY_LEN(wave)];
        f->ns[target][arm][i] = (uint64_t)(1e7 * ratio * noise);
    }
    f->targets[target].arm[arm] = (struct tt_samples){.ns = f->ns[target][arm], .count = ROUNDS};
}

static void make(struct fixture *f, double ratio)
{
    *f = (struct fixture){
        .parameters = {{(char *)"threads", (char *)"4"}, {(char *)"files", (char *)"2048"}},
        .result = {.created_at = (char *)"2026-11-30T15:30:00Z",
                   .tool_version = (char *)"0.1.0",
                   .platform = {.id = (char *)"linux-x86_64",
                                .os = (char *)"Linux",
                                .image = (char *)"Debian GNU/Linux 12 (bookworm)",
                                .kernel = (char *)"6.18.44",
                                .libc = (char *)"glibc 2.36",
                                .arch = (char *)"x86_64",
                                .cpu = (char *)"AMD EPYC 9V74 2593.9 MHz",
                                .cores = 4},
                   .suite = {.name = (char *)"default",
                             .version = (char *)"1",
                             .parameters_count = 2,
                             .shard = 1,
                             .shards = 1},
                   .engine = {(char *)"hyperfine", (char *)"1.15.0"},
                   .targets_count = 1}};
    f->result.suite.parameters = f->parameters;
    f->result.targets = f->targets;
    f->targets[0].name = (char *)"dynamic";
    f->targets[1].name = (char *)"static";
    f->targets[2].name = (char *)"other";
    for (size_t i = 0; i < 3; i++) {
        f->targets[i].operation = (char *)"open-close";
        set_arm(f, i, TT_ARM_UNTRACKED, 1);
        set_arm(f, i, TT_ARM_TRACKED, ratio);
    }
}

static struct tt_comparison compare(const struct fixture *now, const struct fixture *before,
                                    const struct tt_history *history)
{
    const struct tt_baseline baseline = {.kind = TT_BASELINE_MAIN,
                                         .result = before ? &before->result : NULL};
    const struct tt_compare_input input = {.now = &now->result,
                                           .baselines = &baseline,
                                           .baselines_count = before ? 1 : 0,
                                           .history = history,
                                           .limits = limits};
    struct tt_comparison out;
    struct err err = {0};
    assert_int_equal(tt_compare(&input, &out, &err), 0);
    return out;
}

static bool has_note(const struct tt_comparison *comparison, const char *text)
{
    for (size_t i = 0; i < comparison->notes_count; i++) {
        if (strstr(comparison->notes[i].text, text))
            return true;
    }
    return false;
}

static void the_spread_widens_a_change_across_jobs(void **state)
{
    (void)state;
    static struct fixture now;
    static struct fixture before;
    make(&now, 1.50);
    make(&before, 1.40);
    struct tt_comparison c = compare(&now, &before, NULL);
    const struct tt_row *row = &c.rows[0];
    const struct tt_cell *cell = &row->against[0];
    assert_int_equal(cell->state, TT_CELL_NUMBER);
    assert_near(cell->ratio, 1.5 / 1.4, 1e-4);
    assert_near(cell->baseline_overhead_ratio, 1.4, 1e-3);
    /* Both overheads are precise, so that nearly all is 1.96 x sqrt 2 x 3%. */
    assert_near(log(cell->high / cell->ratio), 1.96 * sqrt(2.0) * 0.03, 0.001);
    assert_near(log(cell->high / cell->ratio), log(cell->ratio / cell->low), 1e-9);
    assert_false(cell->spread.calibrated);
    assert_true(has_note(&c, "uncalibrated"));
    assert_int_equal(row->verdict, TT_VERDICT_INCONCLUSIVE);
    tt_comparison_fini(&c);

    /* Far beyond: a softer word, which does not fail a job. */
    make(&now, 1.80);
    c = compare(&now, &before, NULL);
    assert_int_equal(c.rows[0].verdict, TT_VERDICT_MAYBE_REGRESSED);
    assert_int_equal(tt_comparison_count(&c, TT_VERDICT_REGRESSED), 0);
    tt_comparison_fini(&c);
    c = compare(&before, &now, NULL);
    assert_int_equal(c.rows[0].verdict, TT_VERDICT_MAYBE_IMPROVED);
    tt_comparison_fini(&c);
}

static void one_job_says_regressed(void **state)
{
    (void)state;
    static struct fixture now;
    make(&now, 1.50);
    set_arm(&now, 0, TT_ARM_TRACKED_BASE, 1.50 / 1.03);
    struct tt_comparison c = compare(&now, NULL, NULL);
    assert_int_equal(c.rows[0].verdict, TT_VERDICT_REGRESSED);
    assert_near(c.rows[0].head_base.ratio, 1.03, 0.001);
    assert_true(c.rows[0].detectable > 0 && c.rows[0].detectable < 0.03);
    assert_near(tt_comparison_detectable(&c), c.rows[0].detectable, 0);
    tt_comparison_fini(&c);

    /* Also where a baseline of another job says otherwise. */
    static struct fixture before;
    make(&before, 2.5);
    c = compare(&now, &before, NULL);
    assert_int_equal(c.rows[0].verdict, TT_VERDICT_REGRESSED);
    assert_int_equal(c.rows[0].against[0].verdict, TT_VERDICT_MAYBE_IMPROVED);
    tt_comparison_fini(&c);
}

static void estimates_in_a_file_are_not_believed(void **state)
{
    (void)state;
    static struct fixture now;
    make(&now, 1.50);
    now.targets[0].overhead = (struct tt_estimate){true, 1.01, 1.005, 1.015};
    struct tt_comparison c = compare(&now, NULL, NULL);
    assert_near(c.rows[0].overhead.ratio, 1.5, 1e-3);
    tt_comparison_fini(&c);
    /* but for one without samples */
    for (int arm = 0; arm < TT_ARM_COUNT; arm++)
        now.targets[0].arm[arm] = (struct tt_samples){0};
    c = compare(&now, NULL, NULL);
    assert_near(c.rows[0].overhead.ratio, 1.01, 0);
    tt_comparison_fini(&c);
}

static void another_environment_is_not_compared(void **state)
{
    (void)state;
    static struct fixture now;
    static struct fixture before;
    static const struct {
        size_t offset;
        const char *text, *reason;
    } rows[] = {
        {offsetof(struct fixture, result.platform.cpu), "AMD EPYC 7763", "other CPU"},
        {offsetof(struct fixture, result.platform.image), "Debian 13", "other system image"},
        {offsetof(struct fixture, result.platform.kernel), "6.19.0", "other kernel line"},
        {offsetof(struct fixture, result.engine.name), "builtin", "other engine"},
        {offsetof(struct fixture, result.suite.name), "full", "other workload"},
        {offsetof(struct fixture, result.suite.version), "2", "other workload"},
        {offsetof(struct fixture, parameters[1].value), "4096", "other workload"},
        {offsetof(struct fixture, result.platform.cpu), "AMD EPYC 9V74", NULL},
        {offsetof(struct fixture, result.platform.cpu), "AMD  EPYC 9V74 2594.1 MHz", NULL},
        {offsetof(struct fixture, result.platform.cpu), "AMD EPYC 9V74 @ 2594MHz", NULL},
        {offsetof(struct fixture, result.platform.kernel), "6.18.1-generic", NULL},
        {offsetof(struct fixture, result.engine.version), "1.19.0", NULL},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        make(&now, 1.50);
        make(&before, 1.40);
        char *text = strdup(rows[i].text);
        assert_non_null(text);
        memcpy((char *)&before + rows[i].offset, &text, sizeof(text));
        struct tt_comparison c = compare(&now, &before, NULL);
        const struct tt_cell *cell = &c.rows[0].against[0];
        assert_int_equal(c.baselines[0].comparable, !rows[i].reason);
        if (rows[i].reason) {
            assert_non_null(strstr(c.baselines[0].reason, rows[i].reason));
            assert_int_equal(cell->state, TT_CELL_GREY);
            assert_int_equal(c.rows[0].verdict, TT_VERDICT_NOT_COMPARABLE);
            assert_near(cell->ratio, 1.5 / 1.4, 1e-3); /* kept */
            assert_near(cell->high, 0, 0);
            assert_true(has_note(&c, rows[i].reason));
        } else {
            assert_int_equal(cell->state, TT_CELL_NUMBER);
        }
        tt_comparison_fini(&c);
        free(text);
    }

    make(&now, 1.50);
    make(&before, 1.40);
    before.result.platform.cores = 8;
    struct tt_comparison c = compare(&now, &before, NULL);
    assert_non_null(strstr(c.baselines[0].reason, "cores (4, before 8)"));
    tt_comparison_fini(&c);

    /* The order of parameters says nothing. */
    make(&before, 1.40);
    struct tt_parameter first = before.parameters[0];
    before.parameters[0] = before.parameters[1];
    before.parameters[1] = first;
    c = compare(&now, &before, NULL);
    assert_true(c.baselines[0].comparable);
    tt_comparison_fini(&c);
}

static void targets_come_and_go(void **state)
{
    (void)state;
    static struct fixture now;
    static struct fixture before;
    make(&now, 1.50);
    make(&before, 1.40);
    now.result.targets_count = 2;
    before.result.targets_count = 3;
    before.targets[1].name = (char *)"gone";
    before.targets[2].void_reason = (char *)"the trace lacks a file";
    before.targets[2].name = (char *)"static";
    struct tt_comparison c = compare(&now, &before, NULL);
    assert_int_equal(c.rows_count, 3);
    assert_int_equal(c.rows[1].against[0].state, TT_CELL_WORDS);
    assert_non_null(strstr(c.rows[1].against[0].reason, "baseline: void: the trace lacks"));
    assert_string_equal(c.rows[2].name, "gone");
    assert_null(c.rows[2].now);
    assert_true(has_note(&c, "missing"));
    assert_int_equal(c.rows[2].verdict, TT_VERDICT_NONE);
    tt_comparison_fini(&c);

    now.targets[0].void_reason = (char *)"why";
    now.targets[1].name = (char *)"new";
    c = compare(&now, &before, NULL);
    assert_string_equal(c.rows[0].overhead.reason, "void: why");
    assert_int_equal(c.rows[0].overhead.state, TT_CELL_WORDS);
    assert_near(c.rows[0].overhead.ratio, 0, 0);
    assert_string_equal(c.rows[1].against[0].reason, "new target");
    tt_comparison_fini(&c);

    /* A shard misses what the others hold. */
    now.result.suite.shards = 2;
    c = compare(&now, &before, NULL);
    assert_int_equal(c.rows_count, 2);
    tt_comparison_fini(&c);

    now.result.targets_count = 0;
    c = compare(&now, NULL, NULL);
    assert_int_equal(c.rows_count, 0);
    tt_comparison_fini(&c);
}

static void a_time_of_nothing_gives_words(void **state)
{
    (void)state;
    static struct fixture now;
    static struct fixture before;
    make(&now, 1.50);
    make(&before, 1.40);
    before.ns[0][TT_ARM_UNTRACKED][7] = 0;
    struct tt_comparison c = compare(&now, &before, NULL);
    assert_int_equal(c.rows[0].against[0].state, TT_CELL_WORDS);
    assert_string_equal(c.rows[0].against[0].reason, "baseline: untracked time of 0");
    tt_comparison_fini(&c);
    c = compare(&before, &now, NULL);
    assert_int_equal(c.rows[0].overhead.state, TT_CELL_WORDS);
    assert_int_equal(c.rows[0].verdict, TT_VERDICT_NONE);
    tt_comparison_fini(&c);
}

static void faster_when_tracked_is_said_and_kept(void **state)
{
    (void)state;
    static struct fixture now;
    make(&now, 0.8876);
    struct tt_comparison c = compare(&now, NULL, NULL);
    assert_near(c.rows[0].overhead.ratio, 0.8876, 1e-3);
    assert_true(has_note(&c, "an order or cache effect, not a gain"));
    tt_comparison_fini(&c);
    make(&now, 0.9999);
    c = compare(&now, NULL, NULL);
    assert_true(has_note(&c, "cannot be told apart"));
    tt_comparison_fini(&c);
}

/* Against the pull request's previous run, then main. */
static struct tt_comparison compare_both(const struct fixture *now, const struct fixture *previous,
                                         const struct fixture *of_main)
{
    const struct tt_baseline baselines[] = {
        {.kind = TT_BASELINE_PREVIOUS, .result = &previous->result},
        {.kind = TT_BASELINE_MAIN, .result = &of_main->result},
    };
    const struct tt_compare_input input = {
        .now = &now->result, .baselines = baselines, .baselines_count = 2, .limits = limits};
    struct tt_comparison c;
    assert_int_equal(tt_compare(&input, &c, NULL), 0);
    return c;
}

/* Who drops a target with one push has not got rid of it with the next. */
static void a_dropped_target_stays_missing(void **state)
{
    (void)state;
    static struct fixture now;
    static struct fixture previous;
    static struct fixture of_main;
    make(&now, 1.50);
    make(&previous, 1.50);
    make(&of_main, 1.50);
    of_main.result.targets_count = 2;
    of_main.targets[1].name = (char *)"gone";
    struct tt_comparison c = compare_both(&now, &previous, &of_main);
    assert_int_equal(c.rows_count, 2);
    assert_string_equal(c.rows[1].name, "gone");
    assert_null(c.rows[1].now);
    assert_int_equal(c.rows[1].against[0].state, TT_CELL_EMPTY);
    assert_string_equal(c.rows[1].against[1].reason, "missing here");
    tt_comparison_fini(&c);

    /* Once, however many baselines have it. */
    previous.result.targets_count = 2;
    previous.targets[1].name = (char *)"gone";
    c = compare_both(&now, &previous, &of_main);
    assert_int_equal(c.rows_count, 2);
    tt_comparison_fini(&c);
}

/* Issue 267 of github-action-benchmark: 1.44, 1.60, 1.60; the third push must not hide it. */
static void a_slow_creep_shows_against_main(void **state)
{
    (void)state;
    static struct fixture now;
    static struct fixture previous;
    static struct fixture of_main;
    make(&now, 1.60);
    make(&previous, 1.60);
    make(&of_main, 1.44);
    struct tt_comparison c = compare_both(&now, &previous, &of_main);
    assert_near(c.rows[0].against[0].ratio, 1, 1e-3);
    assert_near(c.rows[0].against[1].ratio, 1.6 / 1.44, 1e-3);
    tt_comparison_fini(&c);

    /* The verdict is main's, which the previous run, as slow as this one, does not hide. */
    make(&of_main, 1.0);
    c = compare_both(&now, &previous, &of_main);
    assert_int_equal(c.rows[0].judged_by, 1);
    assert_int_equal(c.rows[0].verdict, TT_VERDICT_MAYBE_REGRESSED);
    tt_comparison_fini(&c);
    /* Where main is of another machine, the previous run is what is left. */
    of_main.result.platform.cpu = (char *)"another one";
    c = compare_both(&now, &previous, &of_main);
    assert_int_equal(c.rows[0].judged_by, 0);
    assert_int_equal(c.rows[0].verdict, TT_VERDICT_INCONCLUSIVE);
    tt_comparison_fini(&c);

    const struct tt_compare_input many = {.now = &now.result, .baselines_count = 5};
    assert_int_equal(tt_compare(&many, &c, NULL), -EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_follow_the_interval),
        cmocka_unit_test(the_detectable_change_is_detected),
        cmocka_unit_test(the_spread_widens_a_change_across_jobs),
        cmocka_unit_test(one_job_says_regressed),
        cmocka_unit_test(estimates_in_a_file_are_not_believed),
        cmocka_unit_test(another_environment_is_not_compared),
        cmocka_unit_test(targets_come_and_go),
        cmocka_unit_test(a_time_of_nothing_gives_words),
        cmocka_unit_test(faster_when_tracked_is_said_and_kept),
        cmocka_unit_test(a_dropped_target_stays_missing),
        cmocka_unit_test(a_slow_creep_shows_against_main),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
