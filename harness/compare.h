/* SPDX-License-Identifier: MIT */
/* Compares a result with baselines. Pure: it fills one plain model that every show_* and
   the reporter format; nothing is worked out again there. */
#ifndef HARNESS_COMPARE_H
#define HARNESS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/compiler.h"
#include "common/err.h"
#include "harness/history.h"
#include "harness/result.h"
#include "harness/verdict.h"

/** Baselines in one comparison: the previous run, main, baselines/, and one to spare. */
#define TT_COMPARE_MAX_BASELINES 4

/** Where a baseline of another job comes from. */
enum tt_baseline_kind {
    TT_BASELINE_GIVEN,     /**< named on the command line */
    TT_BASELINE_LAST_RUN,  /**< this machine's last run */
    TT_BASELINE_PREVIOUS,  /**< previous run of this pull request */
    TT_BASELINE_MAIN,      /**< the default branch */
    TT_BASELINE_COMMITTED, /**< baselines/<platform>.json */
};

/** "the file given", "this machine's last run", "previous run", "main", "baselines/". */
const char *tt_baseline_word(enum tt_baseline_kind kind);

/** A result to compare with. Borrowed. */
struct tt_baseline {
    enum tt_baseline_kind kind;
    const struct tt_result *result;
    const char *where; /**< file or run, for the sentence that says which was used; or NULL */
};

/** What to compare. Everything borrowed; the results must outlive the comparison. */
struct tt_compare_input {
    const struct tt_result *now;
    const struct tt_baseline *baselines; /**< the first one is the row's own column */
    size_t baselines_count;              /**< 0 to TT_COMPARE_MAX_BASELINES */
    const struct tt_history *history;    /**< for the spread; or NULL */
    struct tt_thresholds limits;
};

/** What a cell holds. */
enum tt_cell_state {
    TT_CELL_EMPTY,  /**< there was nothing to compare: no such arm, no baseline */
    TT_CELL_NUMBER, /**< ratio with its interval */
    TT_CELL_POINT,  /**< ratio without an interval; `reason` says why */
    TT_CELL_GREY,  /**< not comparable: ratio (without interval, maybe 0) kept; `reason` says why */
    TT_CELL_WORDS, /**< no ratio at all; `reason` says why: "new target", "void: ..." */
};

/** A ratio, and what it can prove. Numbers are finite, and 0 where they are not known. */
struct tt_cell {
    enum tt_cell_state state;
    double ratio;     /**< 1.031 is +3.10% */
    double low, high; /**< 95% interval */
    enum tt_verdict verdict;
    double detectable;              /**< part of 1, tt_verdict_detectable(); 0 when not known */
    double baseline_overhead_ratio; /**< the baseline's own, for the cells of a baseline */
    struct tt_spread spread;        /**< that was added to the interval; of a baseline's cell */
    char *reason;                   /**< owned; NULL, or words that may hold a result's strings */
};

/** One target. `name` and `operation` are borrowed from the result that has it. */
struct tt_row {
    const char *name, *operation;
    const struct tt_target *now; /**< NULL: the first baseline has it, this result has not */
    double untracked_ns, tracked_ns, tracked_base_ns; /**< medians; 0 when there is no such arm */
    size_t rounds;
    struct tt_cell overhead;  /**< tracked / untracked; without a verdict */
    struct tt_cell head_base; /**< same job; EMPTY without the arm tracked-base */
    struct tt_cell
        against[TT_COMPARE_MAX_BASELINES]; /**< normalised change against each baseline */
    size_t judged_by; /**< TT_ROW_SAME_JOB, or the baseline whose cell gives the verdict: the one
                           that says most, of equal ones main's or the committed one */
    enum tt_verdict verdict; /**< of that cell */
    double detectable;       /**< of the same cell */
};
#define TT_ROW_SAME_JOB ((size_t)-1)

/** A remark. */
struct tt_note {
    size_t row; /**< index of the row, or TT_NOTE_WHOLE */
    char *text; /**< owned; one line without a full stop; may hold a result's strings */
};
#define TT_NOTE_WHOLE ((size_t)-1)

/** A baseline as it was used. */
struct tt_compared {
    struct tt_baseline baseline; /**< borrowed, as given */
    bool comparable;
    char *reason; /**< owned; why not, or NULL */
};

/** The model. Borrows the results. */
struct tt_comparison {
    const struct tt_result *now;
    struct tt_thresholds limits;
    struct tt_compared baselines[TT_COMPARE_MAX_BASELINES];
    size_t baselines_count;
    struct tt_row *rows; /**< in the order of the result; targets that are missing come last */
    size_t rows_count;
    struct tt_note *notes;
    size_t notes_count;
};

/**
 * Compare.
 *
 * Estimates are worked out anew from the samples where a target has samples; what a file
 * states is believed only where it has none. Same job: tt_stats_ratio() of tracked and
 * tracked-base. Across jobs: the ratio of the two overheads, with
 * se = sqrt(se1^2 + se2^2 + 2 tau^2) on logarithms, where se = width / (2 x 1.96) of each
 * overhead's interval and tau is the spread of tt_history_spread(); the interval takes
 * Student's t with the number of results - 1 once tau was learned. An overhead without an
 * interval gives a change without one.
 *
 * Only the same-job comparison says regressed or improved. Across jobs the words are "maybe
 * regressed" and "maybe improved".
 *
 * @out for tt_comparison_fini(); zeroed on failure
 * @return 0, -EINVAL (too many baselines), -ENOMEM
 * Thread safe.
 */
MUST_USE int tt_compare(const struct tt_compare_input *input, struct tt_comparison *out,
                        struct err *err);

/** Free; leaves a zeroed one. Fine on a zeroed one. */
void tt_comparison_fini(struct tt_comparison *comparison);

/** How many rows have this verdict. */
size_t tt_comparison_count(const struct tt_comparison *comparison, enum tt_verdict verdict);

/** Largest `detectable` among the rows of which it is known; 0 when there is none. */
double tt_comparison_detectable(const struct tt_comparison *comparison);

#endif
