/* SPDX-License-Identifier: MIT */
/* What repeated A/A runs say about a machine. */
#include "harness/calibrate.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare.h"
#include "harness/md_escape.h"
#include "harness/show.h"
#include "harness/stats.h"

/** P(at most @hits of @trials) when each hits with probability @rate. */
static double at_most(size_t hits, size_t trials, double rate)
{
    if (rate <= 0)
        return 1;
    if (rate >= 1)
        return hits >= trials;
    double sum = 0;
    double log_term = (double)trials * log1p(-rate); /* of no hit */
    for (size_t i = 0; i <= hits; i++) {
        sum += exp(log_term);
        log_term += log((double)(trials - i) / (double)(i + 1)) + log(rate) - log1p(-rate);
    }
    return fmin(sum, 1);
}

/** The rate at which at_most() falls to @probability; it falls as the rate grows. */
static double rate_where(size_t hits, size_t trials, double probability)
{
    double low = 0;
    double high = 1;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (at_most(hits, trials, middle) > probability)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

void tt_rate_interval(size_t hits, size_t trials, double *low, double *high)
{
    *low = hits && trials ? rate_where(hits - 1, trials, 0.975) : 0;
    *high = hits < trials ? rate_where(hits, trials, 0.025) : 1;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a;
    const double *y = b;
    return (*x > *y) - (*x < *y);
}

/** The row of a target in a comparison; NULL when there is none. */
static const struct tt_row *find_row(const struct tt_comparison *comparison,
                                     const struct tt_calibrated *target)
{
    for (size_t i = 0; i < comparison->rows_count; i++) {
        const struct tt_row *row = &comparison->rows[i];
        if (!strcmp(row->name, target->name) && !strcmp(row->operation, target->operation))
            return row;
    }
    return NULL;
}

/** Count a target's same-job verdicts over the repeats. */
static void judge(struct tt_calibrated *target, const struct tt_comparison *comparisons,
                  size_t count)
{
    double detectable[TT_CALIBRATE_MAX_RESULTS];

    for (size_t i = 0; i < count; i++) {
        const struct tt_row *row = find_row(&comparisons[i], target);
        if (!row || row->head_base.state != TT_CELL_NUMBER)
            continue;
        enum tt_verdict verdict = row->head_base.verdict;
        detectable[target->comparisons++] = row->head_base.detectable;
        target->false_alarms += verdict == TT_VERDICT_REGRESSED || verdict == TT_VERDICT_IMPROVED;
    }
    tt_rate_interval(target->false_alarms, target->comparisons, &target->alarm_low,
                     &target->alarm_high);
    if (target->comparisons) {
        qsort(detectable, target->comparisons, sizeof(detectable[0]), by_value);
        target->detectable = detectable[target->comparisons / 2];
    }
}

/**
 * Rows of a history, one a repeat. Repeats within one CI job or one second are runs of
 * their own here, so that each is given a number.
 */
static int learn(const struct tt_result *results, size_t count, struct tt_history *out,
                 struct err *err)
{
    int ret = 0;
    for (size_t i = 0; !ret && i < count; i++) {
        char provider[] = "calibrate";
        struct tt_result numbered = results[i];
        numbered.ci.provider = provider;
        numbered.ci.run_id = i + 1;
        ret = tt_history_extend(out, &numbered, err);
    }
    return ret;
}

static int check(const struct tt_result *results, size_t count, struct tt_environment *out,
                 struct err *err)
{
    *out = (struct tt_environment){0};
    if (count < TT_HISTORY_MIN_CALIBRATED || count > TT_CALIBRATE_MAX_RESULTS)
        return err_set(err, -EINVAL, "cannot calibrate: %zu results; it takes %d to %d", count,
                       TT_HISTORY_MIN_CALIBRATED, TT_CALIBRATE_MAX_RESULTS);
    int ret = tt_environment_init(&results[0], out);
    for (size_t i = 1; !ret && i < count; i++) {
        struct tt_environment other;
        struct buf words;
        ret = tt_environment_init(&results[i], &other);
        if (ret)
            break;
        buf_init(&words, 8192);
        if (!tt_environment_same(out, &other) && !tt_environment_difference(out, &other, &words))
            ret = err_set(err, -EINVAL, "cannot calibrate: results 1 and %zu differ: %s", i + 1,
                          words.data);
        buf_fini(&words);
        tt_environment_fini(&other);
    }
    if (ret == -ENOMEM)
        (void)err_set(err, ret, "cannot calibrate: %s", err_text(ret));
    return ret;
}

static int fill_targets(const struct tt_result *first, const struct tt_environment *environment,
                        const struct tt_comparison *comparisons, size_t count,
                        struct tt_calibration *out)
{
    out->targets = calloc(first->targets_count + 1, sizeof(*out->targets));
    if (!out->targets)
        return -ENOMEM;
    for (size_t i = 0; i < first->targets_count; i++) {
        struct tt_calibrated *target = &out->targets[out->targets_count++];
        target->name = first->targets[i].name;
        target->operation = first->targets[i].operation;
        judge(target, comparisons, count);
        int ret = tt_history_spread(&out->history, environment, target->name, target->operation,
                                    &target->spread);
        if (ret)
            return ret;
    }
    return 0;
}

int tt_calibrate(const struct tt_result *results, size_t count, const struct tt_thresholds *limits,
                 struct tt_calibration *out, struct err *err)
{
    struct tt_comparison *comparisons = NULL;
    struct tt_environment environment = {0};

    *out = (struct tt_calibration){0};
    int ret = check(results, count, &environment, err);
    if (!ret)
        ret = learn(results, count, &out->history, err);
    if (ret)
        goto out;

    comparisons = calloc(count, sizeof(*comparisons));
    ret = comparisons ? 0 : -ENOMEM;
    for (size_t i = 0; !ret && i < count; i++) {
        const struct tt_compare_input input = {.now = &results[i], .limits = *limits};
        ret = tt_compare(&input, &comparisons[i], err);
    }
    if (!ret)
        ret = fill_targets(&results[0], &environment, comparisons, count, out);
    if (ret)
        (void)err_set(err, ret, "cannot calibrate: %s", err_text(ret));
out:
    for (size_t i = 0; comparisons && i < count; i++)
        tt_comparison_fini(&comparisons[i]);
    free(comparisons);
    tt_environment_fini(&environment);
    if (ret)
        tt_calibration_fini(out);
    return ret;
}

void tt_calibration_fini(struct tt_calibration *calibration)
{
    free(calibration->targets);
    tt_history_fini(&calibration->history);
    *calibration = (struct tt_calibration){0};
}

static void put_target(struct buf *out, const struct tt_calibrated *target)
{
    struct buf label;

    buf_init(&label, 1024);
    tt_plain_escape(&label, target->name, TT_TEXT_MAX_CHARS);
    buf_puts(&label, " ");
    tt_plain_escape(&label, target->operation, TT_TEXT_MAX_CHARS);
    if (buf_status(&label) && !out->status)
        out->status = buf_status(&label);
    size_t width = label.data ? tt_text_width(label.data) : 0;
    buf_printf(out, "%s%*s", label.data ? label.data : "", width < 24 ? (int)(24 - width) : 0, "");
    buf_fini(&label);

    if (target->spread.calibrated)
        buf_printf(out, "  %6.2f%%", target->spread.tau * 100);
    else
        buf_puts(out, "  unknown");
    if (!target->comparisons) {
        buf_puts(out, "  no same-job comparison\n");
        return;
    }
    buf_printf(out, "  %zu of %zu (%.1f … %.1f%%)  %.2f%%\n", target->false_alarms,
               target->comparisons, target->alarm_low * 100, target->alarm_high * 100,
               target->detectable * 100);
}

int tt_calibration_show(const struct tt_calibration *calibration, struct buf *out)
{
    buf_printf(out, "%-24s  %7s  %s  %s\n", "Target", "Spread", "False alarms", "Detectable");
    for (size_t i = 0; i < calibration->targets_count; i++)
        put_target(out, &calibration->targets[i]);
    buf_puts(out, "\n"
                  "Spread: standard deviation of the overhead from run to run. False alarms: a "
                  "build compared\n"
                  "with itself in one job and called regressed or improved, with the 95% interval "
                  "of the rate.\n"
                  "Detectable: the change that such a comparison calls regressed in four of five "
                  "runs.\n");
    return buf_status(out);
}
