/* SPDX-License-Identifier: MIT */
/* Which earlier runs may serve as a baseline, newest first. Pure. */
#ifndef REPORT_RUNS_H
#define REPORT_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/compiler.h"
#include "report/event.h"
#include "report/pull.h"

/** Candidates kept; the newest ones. */
#define REP_RUNS_MAX 100

/** One run of our workflow. */
struct rep_run {
    uint64_t id, number;
    char sha[REP_SHA_SIZE];
    int64_t created_unix;
};

struct rep_runs {
    struct rep_run run[REP_RUNS_MAX];
    size_t count;
};

/**
 * Earlier runs of the same pull request: same head repository by id, same branch, started by
 * a pull request, of the same workflow, with a lower number than the event's, and not older than
 * the pull request (a branch may have had another one before). How a run ended does not matter: one
 * that failed on one platform is the baseline of the others.
 * @page the array `workflow_runs`; call again for each page
 */
void rep_runs_of_pull(const json_t *page, const struct rep_event *event,
                      const struct rep_pull *pull, struct rep_runs *runs);

/**
 * Runs of pushes to our own default branch: head repository is this one by id, so that a
 * fork's branch of that name never counts; completed; not the event's own run, and with a
 * lower number than it when it is itself such a run.
 */
void rep_runs_of_main(const json_t *page, const struct rep_event *event, struct rep_runs *runs);

/** True when the runs are of more than one commit: then it matters which one is taken. */
int rep_runs_differ(const struct rep_runs *runs);

/**
 * Put the runs of the merge base first, then older ones, newest first, then the newer ones:
 * what main gained after the fork point is not the pull request's doing.
 * @merge_base_sha  commit
 * @merge_base_unix when it was committed; 0 when not known
 */
void rep_runs_prefer(struct rep_runs *runs, const char *merge_base_sha, int64_t merge_base_unix);

#endif
