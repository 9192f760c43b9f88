/* SPDX-License-Identifier: MIT */
/* One cell of a comparison: a ratio, its interval and its verdict. */
#include "harness/compare_cell.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "harness/compare_notes.h"
#include "harness/stats.h"

int tt_cell_say(struct tt_cell *cell, enum tt_cell_state state, const char *format, ...)
{
    struct buf text;
    va_list args;

    buf_init(&text, TT_NOTE_MAX_BYTES);
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    free(cell->reason);
    cell->reason = buf_take(&text);
    buf_fini(&text);
    cell->state = state;
    return cell->reason ? 0 : -ENOMEM;
}

/** Why there is a ratio, but no interval. */
static int cell_say_no_interval(struct tt_cell *cell, size_t rounds)
{
    if (rounds == 0)
        return tt_cell_say(cell, TT_CELL_POINT, "no interval: the file holds no samples");
    if (rounds == 1)
        return tt_cell_say(cell, TT_CELL_POINT,
                           "no interval: one sample cannot tell a change from noise");
    if (rounds < TT_STATS_MIN_ROUNDS)
        return tt_cell_say(cell, TT_CELL_POINT, "no interval: %zu rounds, at least %d are needed",
                           rounds, TT_STATS_MIN_ROUNDS);
    return tt_cell_say(cell, TT_CELL_POINT, "no interval: every round gave the same ratio");
}

static bool has_zero(const struct tt_samples *samples)
{
    for (size_t i = 0; i < samples->count; i++) {
        if (!samples->ns[i])
            return true;
    }
    return false;
}

static bool is_good(const struct tt_estimate *estimate)
{
    return estimate->known && isfinite(estimate->high) && estimate->low > 0 &&
           estimate->low <= estimate->ratio && estimate->ratio <= estimate->high;
}

static void cell_take(struct tt_cell *cell, const struct tt_estimate *estimate)
{
    cell->state = TT_CELL_NUMBER;
    cell->ratio = estimate->ratio;
    cell->low = estimate->low;
    cell->high = estimate->high;
}

int tt_cell_from_arms(struct tt_cell *cell, const struct tt_target *target, enum tt_arm top,
                      enum tt_arm bottom, const struct tt_estimate *stated)
{
    const struct tt_samples *numerator = &target->arm[top];
    const struct tt_samples *denominator = &target->arm[bottom];

    if (target->void_reason)
        return tt_cell_say(cell, TT_CELL_WORDS, "void: %s", target->void_reason);
    if (!numerator->count || !denominator->count) {
        if (is_good(stated))
            cell_take(cell, stated);
        else if (numerator->count || denominator->count)
            return tt_cell_say(cell, TT_CELL_WORDS, "no %s runs",
                               tt_arm_name(numerator->count ? bottom : top));
        else
            return tt_cell_say(cell, TT_CELL_WORDS, "no samples");
        return 0;
    }
    if (has_zero(denominator))
        return tt_cell_say(cell, TT_CELL_WORDS, "%s time of 0", tt_arm_name(bottom));
    if (has_zero(numerator))
        return tt_cell_say(cell, TT_CELL_WORDS, "%s time of 0", tt_arm_name(top));

    struct tt_estimate estimate;
    int ret = tt_stats_ratio(numerator, denominator, &estimate);
    if (ret)
        return ret;
    if (is_good(&estimate)) {
        cell_take(cell, &estimate);
        return 0;
    }

    double top_ns;
    double bottom_ns;
    ret = tt_stats_median_ns(numerator->ns, numerator->count, &top_ns);
    if (!ret)
        ret = tt_stats_median_ns(denominator->ns, denominator->count, &bottom_ns);
    if (ret)
        return ret;
    cell->ratio = top_ns / bottom_ns;
    return cell_say_no_interval(cell, numerator->count);
}

int tt_cell_overhead(const struct tt_target *target, struct tt_cell *out)
{
    *out = (struct tt_cell){0};
    return tt_cell_from_arms(out, target, TT_ARM_TRACKED, TT_ARM_UNTRACKED, &target->overhead);
}

static struct tt_estimate estimate_of(const struct tt_cell *cell)
{
    return (struct tt_estimate){.known = cell->state == TT_CELL_NUMBER,
                                .ratio = cell->ratio,
                                .low = cell->low,
                                .high = cell->high};
}

void tt_cell_judge(struct tt_cell *cell, const struct tt_thresholds *limits, bool same_job)
{
    const struct tt_estimate change = estimate_of(cell);
    if (cell->state == TT_CELL_GREY)
        cell->verdict = TT_VERDICT_NOT_COMPARABLE;
    else if (cell->state == TT_CELL_NUMBER || cell->state == TT_CELL_POINT)
        cell->verdict = tt_verdict_of(&change, limits, same_job);
    cell->detectable = tt_verdict_detectable(&change, limits);
}

/** Standard error on logarithms, from a 95% interval. */
static double standard_error(const struct tt_cell *cell)
{
    return (log(cell->high) - log(cell->low)) / (2 * TT_STATS_Z95);
}

int tt_cell_change(struct tt_cell *cell, const struct tt_cell *now, const struct tt_cell *before)
{
    cell->ratio = now->ratio / before->ratio;
    if (!isfinite(cell->ratio) || cell->ratio <= 0) {
        cell->ratio = 0;
        return tt_cell_say(cell, TT_CELL_WORDS, "the change is beyond all numbers");
    }
    if (now->state != TT_CELL_NUMBER)
        return tt_cell_say(cell, TT_CELL_POINT, "%s", now->reason ? now->reason : "no interval");
    if (before->state != TT_CELL_NUMBER)
        return tt_cell_say(cell, TT_CELL_POINT, "baseline: %s",
                           before->reason ? before->reason : "no interval");

    double tau = cell->spread.tau;
    double now_se = standard_error(now);
    double before_se = standard_error(before);
    double se = sqrt(now_se * now_se + before_se * before_se + 2 * tau * tau);
    double half_width = se * tt_stats_t975(cell->spread.calibrated ? cell->spread.results - 1 : 0);
    cell->low = exp(log(cell->ratio) - half_width);
    cell->high = exp(log(cell->ratio) + half_width);
    if (!isfinite(cell->high) || cell->low <= 0) {
        cell->low = 0;
        cell->high = 0;
        return tt_cell_say(cell, TT_CELL_POINT, "no interval: the overheads' own are too wide");
    }
    cell->state = TT_CELL_NUMBER;
    return 0;
}
