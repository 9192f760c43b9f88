/* SPDX-License-Identifier: MIT */
/* In which order the arms run, and for how many rounds. Pure functions. */
#ifndef HARNESS_PLAN_H
#define HARNESS_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "harness/result.h"

#define TT_PLAN_PILOT_ROUNDS 10u /**< run before, and thrown away */
#define TT_PLAN_MIN_ROUNDS 60u   /**< where the time allows */
#define TT_PLAN_HALF_WIDTH 0.009 /**< of the 95% interval that the rounds aim at */

/** The arms of a target in the order of its first round. */
struct tt_plan {
    enum tt_arm arm[TT_ARM_COUNT];
    size_t arms_count;
};

/**
 * Lay out a plan.
 * @with_base adds TT_ARM_TRACKED_BASE
 * @seed      of the order of the first round; any value
 */
void tt_plan_init(struct tt_plan *plan, bool with_base, uint64_t seed);

/**
 * The order of one round. An odd round is the mirror of the one before it, so that a
 * steady drift cancels within each pair of rounds; from pair to pair the order is rotated
 * by one, so that no arm always follows the same other one.
 * @round from 0
 * @out   plan->arms_count arms are filled
 */
void tt_plan_order(const struct tt_plan *plan, size_t round, enum tt_arm out[TT_ARM_COUNT]);

/**
 * Standard deviation of ln(numerator / denominator) over rounds; a round with a time of 0
 * is left out. @return 0 when fewer than two rounds remain
 */
double tt_plan_log_ratio_sd(const uint64_t *numerator_ns, const uint64_t *denominator_ns,
                            size_t count);

/**
 * Rounds for a 95% interval of half width TT_PLAN_HALF_WIDTH:
 *     n = (1.96 sd / half width)^2 * pi / 3
 * at least TT_PLAN_MIN_ROUNDS; pi / 3 because the Hodges-Lehmann estimate needs that many
 * more rounds than the mean where the noise is normal. Then what fits the time, at most
 * TT_RESULT_MAX_ROUNDS, at least 1. The number is fixed before the first recorded round:
 * stopping when an interval looks good would inflate false alarms.
 * @log_ratio_sd of the pilot, the largest of the target's ratios
 * @round_s      seconds that one round of the pilot took, checks included
 * @budget_s     seconds that are left for this target
 */
size_t tt_plan_rounds(double log_ratio_sd, double round_s, double budget_s);

#endif
