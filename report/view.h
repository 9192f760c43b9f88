/* SPDX-License-Identifier: MIT */
/* All that the comment says, ready to be written: a plain model, filled by report.c and by
   preview.c, read by the markdown_*.c and by export.c. */
#ifndef REPORT_VIEW_H
#define REPORT_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/compare.h"
#include "harness/history.h"
#include "report/comment.h"
#include "report/results.h"

/** Where the row of a platform comes from. */
enum rep_fresh {
    REP_FRESH,          /**< from the commit that is reported */
    REP_STALE_PREVIOUS, /**< an earlier run of this pull request */
    REP_STALE_MAIN,     /**< this pull request has none: main's */
};

/** One table: results of one machine. */
struct rep_part {
    const struct rep_result *now;             /**< borrowed */
    const struct rep_result *previous, *main; /**< borrowed; NULL when there is none */
    bool main_is_committed;                   /**< main's came from the folder baselines/ */
    struct tt_comparison comparison;          /**< owned; previous first, then main */
    size_t previous_index, main_index;        /**< in comparison.baselines; SIZE_MAX: none */
};

/** A target that an earlier result has and that no part of the platform has. Borrowed. */
struct rep_missing {
    const char *name, *operation;
};

struct rep_platform {
    const char *id; /**< borrowed */
    enum rep_fresh fresh;
    struct rep_part *parts; /**< owned */
    size_t parts_count;
    unsigned int shards, shards_reported; /**< of the reported commit: parts, and those read */
    struct rep_missing *missing;          /**< owned; shown as rows without a number */
    size_t missing_count;
};

/** The whole comment. Strings are borrowed; those of GitHub are checked by event.c. */
struct rep_view {
    const char *server_url;    /**< "https://github.com"; NULL: no links */
    const char *repository;    /**< "owner/name"; NULL: no links */
    const char *head_sha;      /**< "" when not known */
    const char *keeper;        /**< the workflow that keeps the comment */
    const char *workflow_path; /**< that measured */
    const char *conclusion;    /**< of the run; "" when not known */
    struct rep_stamp stamp;    /**< zeroed for a preview */
    int64_t now_unix;
    const struct tt_history *history; /**< or NULL */
    struct tt_thresholds limits;
    const struct rep_log *log;      /**< its warnings about results are shown in a fold */
    struct rep_platform *platforms; /**< owned */
    size_t platforms_count;
};

/** Free what the view owns. */
void rep_view_fini(struct rep_view *view);

/**
 * Fill the platforms: compare each result with its baselines.
 * @now, @previous, @main, @committed after rep_results_merge(); must outlive the view
 * Platforms: those of @now first, then those that only @previous or @main have.
 * @return 0 or -ENOMEM
 */
MUST_USE int rep_view_build(struct rep_view *view, const struct rep_results *now,
                            const struct rep_results *previous, const struct rep_results *main,
                            const struct rep_results *committed, struct err *err);

/** Rows of the reported commit with this verdict of the same-job comparison. */
size_t rep_view_count(const struct rep_view *view, enum tt_verdict verdict);

/** "Linux x64" for "linux-x86_64"; an id that is not known stays. The id is checked text. */
void rep_view_title(const char *platform, char *out, size_t size);

#endif
