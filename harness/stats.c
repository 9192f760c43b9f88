/* SPDX-License-Identifier: MIT */
/* Estimates of ratios from paired rounds, medians and spread. */
#include "harness/stats.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    const double *x = a;
    const double *y = b;
    return (*x > *y) - (*x < *y);
}

/** Sorts @values. */
static double median_of(double *values, size_t count)
{
    if (!count)
        return 0;
    qsort(values, count, sizeof(*values), by_value);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

int tt_stats_median_ns(const uint64_t *ns, size_t count, double *out_ns)
{
    *out_ns = 0;
    if (!count)
        return 0;
    double *copy = calloc(count, sizeof(*copy));
    if (!copy)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++)
        copy[i] = (double)ns[i];
    *out_ns = median_of(copy, count);
    free(copy);
    return 0;
}

/**
 * Means of blocks of neighbours, in place; the last block takes what is left over. Fewer rounds
 * than make six blocks of the full length make six shorter ones: a burst of other work hits
 * neighbours most where there are few of them.
 */
static size_t means_of_blocks(double *values, size_t count)
{
    size_t length = count / TT_STATS_MIN_ROUNDS;
    if (length > TT_STATS_BLOCK_ROUNDS)
        length = TT_STATS_BLOCK_ROUNDS;
    size_t blocks = length ? count / length : 0;
    for (size_t block = 0; block < blocks; block++) {
        size_t first = block * length;
        size_t end = block + 1 == blocks ? count : first + length;
        double sum = 0;
        for (size_t i = first; i < end; i++)
            sum += values[i];
        values[block] = sum / (double)(end - first);
    }
    return blocks;
}

/** The interval of blocks in place of that of rounds when it is wider. */
static int widen_by_blocks(double *values, size_t count, struct tt_location *location)
{
    size_t blocks = means_of_blocks(values, count);
    if (blocks < TT_STATS_MIN_ROUNDS)
        return 0;
    struct tt_location of_blocks;
    int ret = tt_stats_location(values, blocks, &of_blocks);
    if (ret)
        return ret;
    if (of_blocks.high - of_blocks.low > location->high - location->low) {
        location->low = fmin(of_blocks.low, location->center);
        location->high = fmax(of_blocks.high, location->center);
    }
    return 0;
}

static bool all_same(const double *values, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (values[i] < values[0] || values[i] > values[0])
            return false;
    }
    return true;
}

int tt_stats_ratio(const struct tt_samples *numerator, const struct tt_samples *denominator,
                   struct tt_estimate *out)
{
    *out = (struct tt_estimate){0};
    size_t count = numerator->count;
    if (count != denominator->count)
        return -EINVAL;
    if (count < TT_STATS_MIN_ROUNDS)
        return 0;

    double *logs = calloc(count, sizeof(*logs));
    if (!logs)
        return -ENOMEM;

    int ret = 0;
    for (size_t i = 0; i < count; i++) {
        if (!numerator->ns[i] || !denominator->ns[i])
            goto out; /* no ratio, hence no interval */
        logs[i] = log((double)numerator->ns[i]) - log((double)denominator->ns[i]);
    }
    if (all_same(logs, count))
        goto out;

    struct tt_location location;
    ret = tt_stats_location(logs, count, &location);
    if (!ret)
        ret = widen_by_blocks(logs, count, &location);
    if (!ret) {
        *out = (struct tt_estimate){.known = true,
                                    .ratio = exp(location.center),
                                    .low = exp(location.low),
                                    .high = exp(location.high)};
    }
out:
    free(logs);
    return ret;
}

int tt_stats_spread(const double *values, size_t count, double *out)
{
    *out = 0;
    if (count < 2)
        return -EINVAL;
    double *steps = calloc(count - 1, sizeof(*steps));
    if (!steps)
        return -ENOMEM;

    double squares = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        steps[i] = fabs(values[i + 1] - values[i]);
        squares += steps[i] * steps[i];
    }
    double median = median_of(steps, count - 1);
    free(steps);

    double of_steps = median > 0 ? median / 0.674489750196 : sqrt(squares / (double)(count - 1));
    if (!isfinite(of_steps))
        return -EINVAL;
    *out = of_steps / sqrt(2.0);
    return 0;
}

double tt_stats_t975(size_t degrees)
{
    double z = TT_STATS_Z95;
    if (!degrees)
        return z;
    double z3 = z * z * z;
    double z5 = z3 * z * z;
    double z7 = z5 * z * z;
    double v = (double)degrees;
    return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v);
}
