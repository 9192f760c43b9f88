/* SPDX-License-Identifier: MIT */
/* Estimates of ratios from paired rounds. Pure functions. */
#ifndef HARNESS_STATS_H
#define HARNESS_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "harness/result.h"

/**
 * Median of times; the mean of the two middle ones when their number is even.
 * @return nanoseconds; 0 when @count is 0. Reorders nothing; allocates a copy.
 */
MUST_USE int tt_stats_median_ns(const uint64_t *ns, size_t count, double *out_ns);

/**
 * Ratio of two arms with its 95% interval, from the logarithm of each round's ratio:
 * Hodges-Lehmann estimate and Wilcoxon signed-rank interval, of single rounds and of
 * means of blocks of rounds (serial correlation), the wider one. No round is left out.
 * @numerator, @denominator times of the same rounds; same count
 * @out `known` is false when no interval can be drawn: fewer than 6 rounds, or a time of 0
 * @return 0, -EINVAL (counts differ), -ENOMEM
 */
MUST_USE int tt_stats_ratio(const struct tt_samples *numerator, const struct tt_samples *denominator,
                            struct tt_estimate *out);

#endif
