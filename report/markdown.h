/* SPDX-License-Identifier: MIT */
/* The comment as GitHub Markdown. Pure. */
#ifndef REPORT_MARKDOWN_H
#define REPORT_MARKDOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "common/buf.h"
#include "common/compiler.h"
#include "common/err.h"
#include "report/view.h"

/** Size of a comment, head included. GitHub's limit is 65,536 characters; in bytes every
    reading of that is safe. */
#define REP_MARKDOWN_MAX_BYTES 65000

/** How much is written. */
struct rep_markdown_size {
    size_t rows;      /**< of a table; the alarming ones stay longest */
    size_t notes;     /**< of a table */
    bool trends;      /**< the fold over time */
    size_t platforms; /**< sections */
};

/**
 * Write the comment, from the marker line to the foot. What does not fit is left out as
 * whole rows, then whole sections, and the text says how many; every foreign string is escaped.
 * @out empty; holds less than REP_MARKDOWN_MAX_BYTES bytes afterwards
 * @return 0 or -ENOMEM
 */
MUST_USE int rep_markdown_comment(const struct rep_view *view, struct buf *out, struct err *err);

/** One platform's section. @return as buf_status(@out) */
int rep_markdown_platform(const struct rep_view *view, const struct rep_platform *platform,
                          const struct rep_markdown_size *size, struct buf *out);

/** The summary on top: what a reader must know if nothing else is read. @return as buf_status(@out)
 */
int rep_markdown_top(const struct rep_view *view, struct buf *out);

/** The fold with the change of main over time, of one part. @return as buf_status(@out) */
int rep_markdown_trend(const struct rep_view *view, const struct rep_part *part, struct buf *out);

/** A commit as a link when it is one that GitHub told us, else as code; the first 7 digits. */
int rep_markdown_commit(const struct rep_view *view, const char *sha, bool is_checked,
                        struct buf *out);

/** "[run 30028036239](...)", or without a link. */
int rep_markdown_run(const struct rep_view *view, uint64_t run_id, struct buf *out);

#endif
