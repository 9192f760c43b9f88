/* SPDX-License-Identifier: MIT */
/* Estimates of ratios from paired rounds. Pure functions. */
#ifndef HARNESS_STATS_H
#define HARNESS_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "harness/result.h"

/** Two-sided normal quantile of a 95% interval. */
#define TT_STATS_Z95 1.959963984540054

/** Fewest values whose Wilcoxon interval can reach 95% (1 - 2/2^6 = 96.9%). */
#define TT_STATS_MIN_ROUNDS 6

/** Rounds whose mean is one value against serial correlation; fewer where there are not six such
 * blocks. */
#define TT_STATS_BLOCK_ROUNDS 5

/** Distance from the median, in MADs, beyond which a time is counted as an outlier. */
#define TT_STATS_OUTLIER_MADS 10.0

/**
 * Median of times; the mean of the two middle ones when their number is even.
 * Reorders nothing; allocates a copy.
 * @out_ns nanoseconds; 0 when @count is 0
 * @return 0, or -ENOMEM. Thread safe, as everything here.
 */
MUST_USE int tt_stats_median_ns(const uint64_t *ns, size_t count, double *out_ns);

/**
 * Ratio of two arms with its 95% interval, from the logarithm of each round's ratio:
 * Hodges-Lehmann estimate and Wilcoxon signed-rank interval, of single rounds and of
 * means of blocks of rounds (serial correlation), the wider one. No round is left out.
 * Head against base of one job is tracked / tracked-base: the untracked arm of a round
 * serves both overheads, so it cancels in their quotient.
 * @numerator, @denominator times of the same rounds; same count
 * @out `known` is false when no interval can be drawn: fewer than 6 rounds, a time of 0, or
 *      the same ratio in every round (a clock too coarse to tell, not certainty)
 * @return 0, -EINVAL (counts differ), -ENOMEM
 */
MUST_USE int tt_stats_ratio(const struct tt_samples *numerator,
                            const struct tt_samples *denominator, struct tt_estimate *out);

/** Where values lie, with a 95% interval. */
struct tt_location {
    double center;
    double low, high; /**< both equal to center when `known` is false */
    bool known;       /**< false: too few values for an interval */
};

/**
 * Hodges-Lehmann estimate (median of the Walsh averages (x_i + x_j) / 2, i <= j) and the
 * 95% interval that the Wilcoxon signed-rank test gives, whose ends are Walsh averages too.
 * The rank of the ends is exact for up to 50 values, normal approximation beyond.
 * Takes O(n log n) a selection and O(n) memory, so that 100,000 values are no burden.
 * Source: Hollander, Wolfe, Chicken, Nonparametric Statistical Methods, 3rd ed., 3.2 and 3.3.
 * @values finite numbers, in any order; not changed
 * @count  at least 1
 * @return 0, -EINVAL (no value, or one that is not finite), -ENOMEM
 */
MUST_USE int tt_stats_location(const double *values, size_t count, struct tt_location *out);

/**
 * Rank, from 1, of the Walsh average that is the lower end of the 95% interval; the upper
 * end has the same rank from above.
 * @return 0 when @count values cannot reach 95%
 */
uint64_t tt_stats_wilcoxon_rank(size_t count);

/** What is odd about the times of one arm; each has its own words in a note. */
struct tt_oddities {
    size_t outliers;         /**< times beyond median +- 10 MAD; counted, never removed */
    bool zero;               /**< a time of 0 */
    bool single;             /**< one time only */
    bool all_equal;          /**< more than one, all the same */
    bool coarse_clock;       /**< the times are multiples of a step above 1% of their median */
    uint64_t step_ns;        /**< that step; 0 when the clock is fine enough */
    bool two_modes;          /**< the times lie in two separate heaps */
    double fast_ns, slow_ns; /**< middles of the heaps; 0 without two modes */
};

/**
 * Look at the times of one arm.
 *
 * Two modes, a simple test: the logarithms are cut in two where the squared distances to
 * the two means are least (2-means in one dimension, exact). There are two modes when each
 * part holds at least a fifth of the times, the means are at least 5% apart, and at least
 * five times the standard deviation within the parts. (Cutting one normal heap in two
 * gives a factor of 2.6, a uniform one 3.5.) At least 20 times are needed.
 *
 * @out zeroed first
 * @return 0, or -ENOMEM
 */
MUST_USE int tt_stats_oddities(const struct tt_samples *samples, struct tt_oddities *out);

/**
 * Robust standard deviation of a series from the differences of neighbours, so that a slow
 * trend or a single step does not count: median |x[i+1] - x[i]| / (0.6745 sqrt 2); where that
 * is 0, root mean square of the differences / sqrt 2.
 * @count at least 2
 * @out   0 on failure
 * @return 0, -EINVAL, -ENOMEM
 */
MUST_USE int tt_stats_spread(const double *values, size_t count, double *out);

/**
 * Quantile 97.5% of Student's t, by the Cornish-Fisher expansion (Abramowitz and Stegun,
 * 26.7.5); within 0.3% from 7 degrees of freedom on.
 * @degrees at least 1; 0 stands for infinity, 1.96
 */
double tt_stats_t975(size_t degrees);

#endif
