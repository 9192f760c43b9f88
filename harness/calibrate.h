/* SPDX-License-Identifier: MIT */
/* What repeated A/A runs say about a machine: how far its results spread, how often a
   comparison of a build with itself raises an alarm, and what change it could see. Pure. */
#ifndef HARNESS_CALIBRATE_H
#define HARNESS_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/buf.h"
#include "common/compiler.h"
#include "common/err.h"
#include "harness/history.h"
#include "harness/result.h"
#include "harness/verdict.h"

/** Most repeats: they become rows of a history. */
#define TT_CALIBRATE_MAX_RESULTS TT_HISTORY_MAX_ROWS

/** One target over all repeats. Names are borrowed from the first result. */
struct tt_calibrated {
    const char *name, *operation;
    struct tt_spread spread;      /**< of its overhead from run to run */
    size_t comparisons;           /**< repeats with a same-job comparison that has an interval */
    size_t false_alarms;          /**< of those, regressed or improved */
    double alarm_low, alarm_high; /**< 95% interval of the rate of false alarms (Clopper-Pearson) */
    double detectable; /**< median of tt_verdict_detectable(), part of 1; 0 without comparisons */
};

/** The outcome. */
struct tt_calibration {
    struct tt_calibrated *targets; /**< owned */
    size_t targets_count;
    struct tt_history history; /**< one row a repeat, for later comparisons */
};

/**
 * Learn from A/A results of one machine.
 * @results all of one environment, in the order in which they were taken; must outlive @out
 * @count   TT_HISTORY_MIN_CALIBRATED to TT_CALIBRATE_MAX_RESULTS
 * @out     for tt_calibration_fini(); zeroed on failure
 * @return 0; -EINVAL (too few or too many, or of several environments, as @err tells), -ENOMEM
 */
MUST_USE int tt_calibrate(const struct tt_result *results, size_t count,
                          const struct tt_thresholds *limits, struct tt_calibration *out,
                          struct err *err);

/** Free; leaves a zeroed one. Fine on a zeroed one. */
void tt_calibration_fini(struct tt_calibration *calibration);

/** Append the table for a terminal. @return as buf_status(@out) */
MUST_USE int tt_calibration_show(const struct tt_calibration *calibration, struct buf *out);

/**
 * Exact 95% interval of a rate (Clopper and Pearson, Biometrika 26, 1934).
 * @hits  at most @trials
 * @trials at least 1; with 0 the interval is 0 to 1
 */
void tt_rate_interval(size_t hits, size_t trials, double *low, double *high);

#endif
