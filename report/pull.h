/* SPDX-License-Identifier: MIT */
/* Which pull request a run belongs to. Pure. */
#ifndef REPORT_PULL_H
#define REPORT_PULL_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/compiler.h"
#include "report/event.h"

/** The pull request found so far, while pages of candidates are looked at. */
struct rep_pull {
    uint64_t number; /**< 0: none yet */
    bool locked;
    int64_t created_unix;
    char base_ref[REP_NAME_SIZE];
    bool into_default; /**< its base is the default branch */
    uint64_t others;   /**< further pull requests of the same commit */
    uint64_t moved_on; /**< number of one whose head is another commit by now; 0 when none */
};

/**
 * Look at a page of open pull requests.
 *
 * Nothing that a run says about its pull request is believed: `pull_requests` is empty for
 * forks, and a filter by head that GitHub does not understand returns every open pull
 * request. One counts when its head repository (by id), branch and commit are the run's and
 * its base repository is ours. Of several the one into the default branch is taken, else the
 * one with the lowest number.
 * @page the array of GET /repos/{owner}/{repo}/pulls
 * @pull zeroed before the first page
 */
void rep_pull_consider(const json_t *page, const struct rep_event *event, struct rep_pull *pull);

#endif
