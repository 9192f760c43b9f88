/* SPDX-License-Identifier: MIT */
/* The requests that the reporter makes, one function each. */
#ifndef REPORT_GITHUB_H
#define REPORT_GITHUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/buf.h"
#include "common/compiler.h"
#include "common/err.h"
#include "report/artifact.h"
#include "report/event.h"
#include "report/http.h"

/*
 * Besides what is said at a function, each returns what rep_http_api() does, or
 *   -ENOENT  404 or 410: not there (any more)
 *   -EACCES  401 or 403: the token may not do this; the error says what it needs
 *   -EPROTO  another status, or an answer of another shape
 */

/** Repository and connection. Borrowed. */
struct rep_github {
    struct rep_http *http;
    const char *repository; /**< "owner/name" as rep_event_read() checked it */
};

/**
 * Told of each page.
 * @return 0; 1: that is enough; or a negative errno value that ends the listing as a failure
 */
typedef int rep_page_fn(void *context, const json_t *array);

/** Open pull requests whose head is the event's owner and branch. */
MUST_USE int rep_github_pulls(const struct rep_github *github, const struct rep_event *event,
                              rep_page_fn *page, void *context, struct err *err);

/** Artifacts of a run. */
MUST_USE int rep_github_artifacts(const struct rep_github *github, uint64_t run_id,
                                  rep_page_fn *page, void *context, struct err *err);

/** Artifacts of this name of all runs, those of forks among them, newest first. */
MUST_USE int rep_github_artifacts_named(const struct rep_github *github, const char *name,
                                        unsigned int max_pages, rep_page_fn *page, void *context,
                                        struct err *err);

/**
 * Runs of our workflow, newest first; the first page only.
 * @trigger "pull_request" or "push"
 * @status  "completed", or NULL for any
 */
MUST_USE int rep_github_runs(const struct rep_github *github, const char *workflow_file,
                             const char *trigger, const char *branch, const char *status,
                             rep_page_fn *page, void *context, struct err *err);

/**
 * The commit where a branch and a head parted.
 * @head "owner:branch" is not needed: the commit's name
 */
MUST_USE int rep_github_merge_base(const struct rep_github *github, const char *base_ref,
                                   const char *head_sha, char sha[REP_SHA_SIZE],
                                   int64_t *committed_unix, struct err *err);

/**
 * Download an artifact: its address from the API, then the bytes from the storage host,
 * which never sees the token.
 * @out appended to; its limit counts
 * @return also -EFBIG
 */
MUST_USE int rep_github_download(const struct rep_github *github, uint64_t artifact_id,
                                 const char *what, struct buf *out, struct err *err);

/** Comments of a pull request, oldest first, all pages. */
MUST_USE int rep_github_comments(const struct rep_github *github, uint64_t number,
                                 rep_page_fn *page, void *context, struct err *err);

/**
 * Write a comment.
 * @id, @login of the comment as written; 0 and "" when it was not or the answer lacks them
 * @return also -EAGAIN: nobody knows whether it was written; -EROFS: the pull request is locked
 */
MUST_USE int rep_github_comment_create(const struct rep_github *github, uint64_t number,
                                       const char *body, uint64_t *id, char login[REP_NAME_SIZE],
                                       struct err *err);

/** Change a comment. @return also -EROFS */
MUST_USE int rep_github_comment_update(const struct rep_github *github, uint64_t comment_id,
                                       const char *body, struct err *err);

/** Delete a comment. One that is gone already is a success. */
MUST_USE int rep_github_comment_delete(const struct rep_github *github, uint64_t comment_id,
                                       struct err *err);

#endif
