/* SPDX-License-Identifier: MIT */
/* In which order the arms run, and for how many rounds. */
#include "harness/plan.h"

#include <math.h>

#define Z_95 1.959963984540054
#define PI_OVER_3 1.0471975511965976

/** The generator SplitMix64 (Steele, Lea and Flood 2014): one step. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void tt_plan_init(struct tt_plan *plan, bool with_base, uint64_t seed)
{
    *plan = (struct tt_plan){.arm = {TT_ARM_UNTRACKED, TT_ARM_TRACKED, TT_ARM_TRACKED_BASE},
                             .arms_count = with_base ? 3 : 2};
    for (size_t i = plan->arms_count - 1; i > 0; i--) {
        size_t j = (size_t)(next_random(&seed) % (i + 1)); /* the bias is below 2^-62 */
        enum tt_arm arm = plan->arm[i];
        plan->arm[i] = plan->arm[j];
        plan->arm[j] = arm;
    }
}

void tt_plan_order(const struct tt_plan *plan, size_t round, enum tt_arm out[TT_ARM_COUNT])
{
    size_t count = plan->arms_count;
    size_t shift = round / 2 % count;

    for (size_t i = 0; i < count; i++) {
        size_t place = round % 2 ? count - 1 - i : i;
        out[place] = plan->arm[(i + shift) % count];
    }
}

double tt_plan_log_ratio_sd(const uint64_t *numerator_ns, const uint64_t *denominator_ns,
                            size_t count)
{
    double mean = 0, squares = 0;
    size_t n = 0;

    for (size_t i = 0; i < count; i++) {
        if (!numerator_ns[i] || !denominator_ns[i])
            continue;
        /* Welford's running mean: no difference of large sums. */
        double x = log((double)numerator_ns[i]) - log((double)denominator_ns[i]);
        double step = x - mean;
        n++;
        mean += step / (double)n;
        squares += step * (x - mean);
    }
    return n < 2 ? 0 : sqrt(squares / (double)(n - 1));
}

size_t tt_plan_rounds(double log_ratio_sd, double round_s, double budget_s)
{
    double per_half_width = Z_95 * log_ratio_sd / TT_PLAN_HALF_WIDTH;
    double wanted = ceil(per_half_width * per_half_width * PI_OVER_3);
    double fitting = round_s > 0 ? floor(budget_s / round_s) : TT_RESULT_MAX_ROUNDS;

    if (!(wanted >= TT_PLAN_MIN_ROUNDS))
        wanted = TT_PLAN_MIN_ROUNDS;
    double rounds = fmin(fmin(wanted, fitting), TT_RESULT_MAX_ROUNDS);
    return rounds >= 1 ? (size_t)rounds : 1;
}
