/* SPDX-License-Identifier: MIT */
/* What is odd about the times of one arm. */
#include "harness/stats.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define COARSE_STEP 0.01 /* of the median */
#define MODES_MIN_COUNT 20
#define MODES_MIN_SHARE 0.2
#define MODES_MIN_GAP 1.05
#define MODES_MIN_GAP_SDS 5.0

static int by_value(const void *a, const void *b)
{
    const double *x = a;
    const double *y = b;
    return (*x > *y) - (*x < *y);
}

static double middle_of(const double *sorted, size_t count)
{
    return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

/**
 * Count times beyond the median +- 10 MAD. A MAD of 0, when more than half of the times are
 * the same, would make every other time an outlier: then the mean deviation serves.
 * @scratch room for @count values
 */
static size_t count_outliers(const double *sorted, size_t count, double *scratch)
{
    double median = middle_of(sorted, count);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        scratch[i] = fabs(sorted[i] - median);
        sum += scratch[i];
    }
    qsort(scratch, count, sizeof(*scratch), by_value);
    double scale = middle_of(scratch, count);
    if (scale <= 0)
        scale = sum / (double)count;
    if (scale <= 0)
        return 0;

    size_t outliers = 0;
    for (size_t i = 0; i < count; i++)
        outliers += scratch[i] > TT_STATS_OUTLIER_MADS * scale;
    return outliers;
}

/** Greatest step that all times are multiples of. */
static uint64_t common_step(const struct tt_samples *samples)
{
    uint64_t step = 0;
    for (size_t i = 0; i < samples->count && step != 1; i++) {
        uint64_t a = samples->ns[i];
        while (a) {
            uint64_t rest = step % a;
            step = a;
            a = rest;
        }
    }
    return step;
}

/**
 * The cut of sorted values into two parts with the least sum of squares about their means.
 * @out_gap, @out_sd distance of the means, and standard deviation within the parts
 * @return number of values in the lower part
 */
static size_t best_cut(const double *sorted, size_t count, double *out_gap, double *out_sd)
{
    /* About the first value, so that squares of large numbers do not cancel. */
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        double x = sorted[i] - sorted[0];
        sum += x;
        squares += x * x;
    }

    double low_sum = 0;
    double best_between = -1;
    size_t best = 0;
    for (size_t cut = 1; cut < count; cut++) {
        low_sum += sorted[cut - 1] - sorted[0];
        double low_mean = low_sum / (double)cut;
        double high_mean = (sum - low_sum) / (double)(count - cut);
        double between = low_sum * low_mean + (sum - low_sum) * high_mean;
        if (between > best_between) {
            best_between = between;
            best = cut;
            *out_gap = high_mean - low_mean;
        }
    }
    *out_sd = sqrt(fmax(squares - best_between, 0) / (double)count);
    return best;
}

/** See tt_stats_oddities() for the test. @times sorted, none is 0; @scratch as above */
static void find_modes(const double *times, size_t count, double *scratch, struct tt_oddities *out)
{
    if (count < MODES_MIN_COUNT)
        return;
    for (size_t i = 0; i < count; i++)
        scratch[i] = log(times[i]);

    double gap = 0;
    double sd = 0;
    size_t low = best_cut(scratch, count, &gap, &sd);
    double share = (double)(low < count - low ? low : count - low) / (double)count;
    if (share < MODES_MIN_SHARE || gap < log(MODES_MIN_GAP) || gap < MODES_MIN_GAP_SDS * sd)
        return;
    out->two_modes = true;
    out->fast_ns = middle_of(times, low);
    out->slow_ns = middle_of(times + low, count - low);
}

int tt_stats_oddities(const struct tt_samples *samples, struct tt_oddities *out)
{
    *out = (struct tt_oddities){0};
    size_t count = samples->count;
    if (!count)
        return 0;

    double *sorted = calloc(count, sizeof(*sorted));
    double *scratch = calloc(count, sizeof(*scratch));
    if (!sorted || !scratch) {
        free(sorted);
        free(scratch);
        return -ENOMEM;
    }
    for (size_t i = 0; i < count; i++)
        sorted[i] = (double)samples->ns[i];
    qsort(sorted, count, sizeof(*sorted), by_value);

    out->zero = sorted[0] <= 0;
    out->single = count == 1;
    out->all_equal = count > 1 && sorted[0] >= sorted[count - 1];
    out->outliers = count_outliers(sorted, count, scratch);
    if (!out->single && !out->all_equal) {
        uint64_t step = common_step(samples);
        out->coarse_clock = (double)step > COARSE_STEP * middle_of(sorted, count);
        out->step_ns = out->coarse_clock ? step : 0;
    }
    if (!out->zero && !out->all_equal)
        find_modes(sorted, count, scratch, out);
    free(sorted);
    free(scratch);
    return 0;
}
