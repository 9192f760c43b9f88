/* SPDX-License-Identifier: MIT */
/* From an interval to a word that a maintainer can act on. */
#include "harness/verdict.h"

#include <math.h>

#include "harness/stats.h"

/* Normal quantile of 80%: what is found in four of five repeats. */
#define Z80 0.8416212335729143

enum tt_verdict tt_verdict_of(const struct tt_estimate *change, const struct tt_thresholds *limits,
                              bool same_job)
{
    if (!change->known)
        return TT_VERDICT_INCONCLUSIVE;
    if (change->low > 1 + limits->margin)
        return same_job ? TT_VERDICT_REGRESSED : TT_VERDICT_MAYBE_REGRESSED;
    if (change->high < 1 - limits->margin)
        return same_job ? TT_VERDICT_IMPROVED : TT_VERDICT_MAYBE_IMPROVED;
    if (change->low > 1 - limits->unchanged_within && change->high < 1 + limits->unchanged_within)
        return TT_VERDICT_UNCHANGED;
    return TT_VERDICT_INCONCLUSIVE;
}

const char *tt_verdict_word(enum tt_verdict verdict)
{
    switch (verdict) {
    case TT_VERDICT_NONE:
        return "";
    case TT_VERDICT_REGRESSED:
        return "regressed";
    case TT_VERDICT_IMPROVED:
        return "improved";
    case TT_VERDICT_UNCHANGED:
        return "unchanged";
    case TT_VERDICT_INCONCLUSIVE:
        return "inconclusive";
    case TT_VERDICT_MAYBE_REGRESSED:
        return "maybe regressed";
    case TT_VERDICT_MAYBE_IMPROVED:
        return "maybe improved";
    case TT_VERDICT_NOT_COMPARABLE:
        return "not comparable";
    }
    return "";
}

double tt_verdict_detectable(const struct tt_estimate *change, const struct tt_thresholds *limits)
{
    if (!change->known)
        return 0;
    double half_width = (log(change->high) - log(change->low)) / 2;
    double found = exp(log1p(limits->margin) + half_width * (1 + Z80 / TT_STATS_Z95)) - 1;
    return isfinite(found) ? found : 0;
}
