/* SPDX-License-Identifier: MIT */
/* From an interval to a word that a maintainer can act on. Pure functions. */
#ifndef HARNESS_VERDICT_H
#define HARNESS_VERDICT_H

#include <stdbool.h>

#include "common/compiler.h"
#include "harness/result.h"

/** What a comparison says about a change of the overhead ratio. */
enum tt_verdict {
    TT_VERDICT_NONE,            /**< nothing was compared */
    TT_VERDICT_REGRESSED,       /**< same job only: interval wholly above +margin */
    TT_VERDICT_IMPROVED,        /**< same job only: interval wholly below -margin */
    TT_VERDICT_UNCHANGED,       /**< interval wholly inside +-unchanged_within */
    TT_VERDICT_INCONCLUSIVE,    /**< anything else, and whatever has no interval */
    TT_VERDICT_MAYBE_REGRESSED, /**< across jobs: as regressed, but it never fails a job */
    TT_VERDICT_MAYBE_IMPROVED,  /**< across jobs: as improved */
    TT_VERDICT_NOT_COMPARABLE,  /**< other CPU, cores, image, kernel line, engine or workload */
};

/** Thresholds, as parts of 1: 0.01 is 1%. */
struct tt_thresholds {
    double margin;           /**< 0 to 1; default 0.01 */
    double unchanged_within; /**< above 0, to 1; default 0.03 */
};

#define TT_THRESHOLDS_DEFAULT ((struct tt_thresholds){.margin = 0.01, .unchanged_within = 0.03})

/**
 * The verdict on a change.
 * @change   now / before with its interval; not known: inconclusive
 * @same_job true: both were measured in one job, arms interleaved
 * An interval above the margin and inside unchanged_within counts as regressed: what is
 * proven goes before what is small.
 */
enum tt_verdict tt_verdict_of(const struct tt_estimate *change, const struct tt_thresholds *limits,
                              bool same_job);

/** "regressed", "improved", "unchanged", "inconclusive", "maybe regressed", "maybe improved",
    "not comparable"; "" for none. */
const char *tt_verdict_word(enum tt_verdict verdict);

/**
 * Smallest true change that a comparison with this interval would have called regressed in
 * four of five repeats: margin + half width x (1 + 0.8416 / 1.96), on logarithms.
 * @return part of 1 (0.014 is 1.4%); 0 when the interval is not known
 */
double tt_verdict_detectable(const struct tt_estimate *change, const struct tt_thresholds *limits);

#endif
