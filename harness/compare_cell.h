/* SPDX-License-Identifier: MIT */
/* One cell of a comparison: a ratio, its interval and its verdict. For compare.c alone. */
#ifndef HARNESS_COMPARE_CELL_H
#define HARNESS_COMPARE_CELL_H

#include <stdbool.h>

#include "common/compiler.h"
#include "harness/compare.h"

/** Set a cell's state and reason, in words. @return 0 or -ENOMEM */
MUST_USE int tt_cell_say(struct tt_cell *cell, enum tt_cell_state state, const char *format, ...)
    PRINTF_LIKE(3, 4);

/**
 * Fill a cell with the ratio of two arms, from their samples: an interval where one can be drawn,
 * the ratio of the medians where not, words where there is no ratio.
 * @cell   zeroed; its reason is the caller's to free, also on failure
 * @stated what the file says, taken when it holds no samples
 * @return 0 or -ENOMEM
 */
MUST_USE int tt_cell_from_arms(struct tt_cell *cell, const struct tt_target *target,
                               enum tt_arm top, enum tt_arm bottom,
                               const struct tt_estimate *stated);

/** tt_cell_from_arms() of tracked and untracked. @out zeroed first */
MUST_USE int tt_cell_overhead(const struct tt_target *target, struct tt_cell *out);

/**
 * Normalised change between two overheads that have a ratio, with the interval that tt_compare()
 * describes.
 * @cell its spread is filled already
 * @return 0 or -ENOMEM
 */
MUST_USE int tt_cell_change(struct tt_cell *cell, const struct tt_cell *now,
                            const struct tt_cell *before);

/** Give a filled cell its verdict and its detectable change. */
void tt_cell_judge(struct tt_cell *cell, const struct tt_thresholds *limits, bool same_job);

#endif
