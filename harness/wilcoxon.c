/* SPDX-License-Identifier: MIT */
/* Hodges-Lehmann estimate and Wilcoxon signed-rank interval. */
#include "harness/stats.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/num.h"

/* Up to here the null distribution is counted out: 2^50 cases fit 64 bits. */
#define EXACT_MAX_COUNT 50
#define EXACT_MAX_SUM (EXACT_MAX_COUNT * (EXACT_MAX_COUNT + 1) / 2)

static uint64_t walsh_count(size_t count)
{
    return (uint64_t)count * (count + 1) / 2;
}

/**
 * Of the 2^count ways to sign the ranks 1..count, ways[t] give a positive sum of t. The
 * rank is the most values of t, from 0 up, whose ways are at most 2.5% of all.
 */
static uint64_t exact_rank(size_t count)
{
    uint64_t ways[EXACT_MAX_SUM + 1] = {1};
    size_t sum = 0;
    for (size_t rank = 1; rank <= count; rank++) {
        sum += rank;
        for (size_t t = sum; t >= rank; t--)
            ways[t] += ways[t - rank];
    }

    /* Times 40 for 2.5%; 40 x 2^50 fits. */
    uint64_t all = UINT64_C(1) << count;
    uint64_t below = 0;
    uint64_t rank = 0;
    while (rank <= sum && (below + ways[rank]) * 40 <= all)
        below += ways[rank++];
    return rank;
}

uint64_t tt_stats_wilcoxon_rank(size_t count)
{
    if (count < TT_STATS_MIN_ROUNDS)
        return 0;
    if (count <= EXACT_MAX_COUNT)
        return exact_rank(count);

    /* P(T <= rank - 1) = Phi((rank - 1 + 1/2 - mean) / sd) <= 2.5%, with the half for continuity.
     */
    double n = (double)count;
    double mean = n * (n + 1) / 4;
    double sd = sqrt(n * (n + 1) * (2 * n + 1) / 24);
    return (uint64_t)floor(mean + 0.5 - TT_STATS_Z95 * sd);
}

/** Pairs i <= j of sorted values with x[i] + x[j] <= limit. Rounding keeps sums in order. */
static uint64_t pairs_up_to(const double *sorted, size_t count, double limit)
{
    uint64_t pairs = 0;
    size_t end = count; /* x[i] + x[end..] are above the limit */
    for (size_t i = 0; i < count; i++) {
        while (end > i && sorted[i] + sorted[end - 1] > limit)
            end--;
        if (end <= i)
            break;
        pairs += end - i;
    }
    return pairs;
}

/* Finite doubles and unsigned integers in the same order, so that a bisection over the
   integers ends at an exact double after at most 64 steps. */
static uint64_t order_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double double_at(uint64_t order)
{
    uint64_t bits = order >> 63 ? order ^ UINT64_C(1) << 63 : ~order;
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/**
 * Walsh average of this rank from 1: half the least sum that has so many sums up to it.
 * Bisection on the value and a count with two pointers, as in Johnson and Mizoguchi,
 * "Selecting the kth element in X + Y and X1 + ... + Xm", SIAM J. Comput. 7 (1978), with the
 * bisection of Monahan, "Fast computation of the Hodges-Lehmann location estimator", ACM
 * TOMS 10 (1984), done over all doubles instead of over candidates.
 */
static double walsh_average(const double *sorted, size_t count, uint64_t rank)
{
    uint64_t low = order_of(sorted[0] + sorted[0]);
    uint64_t high = order_of(sorted[count - 1] + sorted[count - 1]);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (pairs_up_to(sorted, count, double_at(middle)) >= rank)
            high = middle;
        else
            low = middle + 1;
    }
    return double_at(low) / 2;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a;
    const double *y = b;
    return (*x > *y) - (*x < *y);
}

int tt_stats_location(const double *values, size_t count, struct tt_location *out)
{
    *out = (struct tt_location){0};
    if (!count)
        return -EINVAL;
    for (size_t i = 0; i < count; i++) {
        /* Half the range, so that the sum of two stays finite. */
        if (!(fabs(values[i]) < 1e300))
            return -EINVAL;
    }

    size_t size_bytes;
    int ret = num_mul(count, sizeof(*values), &size_bytes);
    if (ret)
        return -ENOMEM;
    double *sorted = malloc(size_bytes);
    if (!sorted)
        return -ENOMEM;
    memcpy(sorted, values, size_bytes);
    qsort(sorted, count, sizeof(*sorted), by_value);

    uint64_t pairs = walsh_count(count);
    out->center = walsh_average(sorted, count, (pairs + 1) / 2);
    if (pairs % 2 == 0)
        out->center = (out->center + walsh_average(sorted, count, pairs / 2 + 1)) / 2;
    out->low = out->center;
    out->high = out->center;

    uint64_t rank = tt_stats_wilcoxon_rank(count);
    if (rank) {
        out->low = walsh_average(sorted, count, rank);
        out->high = walsh_average(sorted, count, pairs + 1 - rank);
        out->known = true;
    }
    free(sorted);
    return 0;
}
