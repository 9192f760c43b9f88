/* SPDX-License-Identifier: MIT */
/* Exactly one comment of ours on a pull request, whatever happens between two requests. */
#ifndef REPORT_COMMENT_H
#define REPORT_COMMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/compiler.h"
#include "common/err.h"
#include "report/github.h"
#include "report/log.h"

/** First line of every comment of ours about the default workflow. */
#define REP_COMMENT_MARKER "<!-- tracetax:benchmark -->"

/** Which run a comment reports: kept in its second line. */
struct rep_stamp {
    uint64_t run_number, run_id, attempt;
};

/**
 * Marker and stamp: the first two lines; the first alone when the stamp is zeroed.
 * @workflow_path of the measuring workflow: each keeps a comment of its own. The marker of
 *                another than REP_WORKFLOW_DEFAULT names it, encoded as in an address
 * @return as buf_status(@out)
 */
int rep_comment_head(struct buf *out, const char *workflow_path, const struct rep_stamp *stamp);

/** True when the first line of @body is a marker, of whichever workflow. */
bool rep_comment_is_marked(const char *body);

/** True when both start with the same marker. */
bool rep_comment_same_marker(const char *a, const char *b);

/** Read the stamp of a comment's second line. @return 0, or -EINVAL: it has none */
MUST_USE int rep_comment_read_stamp(const char *body, struct rep_stamp *out);

/**
 * True when @a reports a newer run than @b: a higher id, or a later attempt of the same. Ids rise
 * over the whole of GitHub; numbers start anew with each workflow, and with one that was renamed.
 */
bool rep_stamp_is_newer(const struct rep_stamp *a, const struct rep_stamp *b);

/** True when both say the same, but for line ends and white space at the end, which GitHub changes.
 */
bool rep_comment_same_text(const char *a, const char *b);

enum rep_comment_outcome {
    REP_COMMENT_CREATED,
    REP_COMMENT_UPDATED,
    REP_COMMENT_UNCHANGED, /**< it said the same already */
    REP_COMMENT_NEWER,     /**< it reports a newer run: left as it is */
};

/**
 * Write the comment, or bring the one that is there up to date.
 *
 * Ours is a comment whose first line is that of @body and whose author is @author: all pages
 * are looked at. The one with the lowest id stays, the others are removed. A comment that
 * reports a newer run is not overwritten. After a comment was created the list is read once
 * more, so that of two reporters at the same time both keep the same one: the lowest id
 * stays, and the newest report is its text. A list that does not show what was written is read
 * again after two seconds. Then a comment whose id the API gave counts as there; when the API
 * did not say whether it created the comment, the list decides.
 * @body    starts with rep_comment_head()
 * @return 0; -EROFS: the conversation is locked; else as in github.h
 */
MUST_USE int rep_comment_put(const struct rep_github *github, uint64_t number, const char *author,
                             const char *body, struct rep_log *log,
                             enum rep_comment_outcome *outcome, struct err *err);

#endif
