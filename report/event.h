/* SPDX-License-Identifier: MIT */
/* The event of the workflow_run job: what in it may be trusted. Pure. */
#ifndef REPORT_EVENT_H
#define REPORT_EVENT_H

#include <stdint.h>

#include <jansson.h>

#include "common/compiler.h"
#include "common/err.h"
#include "report/json_get.h"

/** The measuring workflow, unless another one is named. */
#define REP_WORKFLOW_DEFAULT ".github/workflows/benchmark.yml"

/** Longest "owner/name" and branch that are taken. */
#define REP_NAME_SIZE 256

enum rep_event_kind {
    REP_EVENT_NOTHING,   /**< nothing to do: `reason` says why */
    REP_EVENT_PULL,      /**< a run of a pull request: comment */
    REP_EVENT_PUSH_MAIN, /**< a push to our own default branch: a baseline, no comment */
};

/**
 * The fields that GitHub itself vouches for. The branch is true, but whoever opened the pull
 * request chose it; it may be "main", and hold any character that git allows.
 */
struct rep_event {
    enum rep_event_kind kind;
    char reason[160];
    char repository[REP_NAME_SIZE];     /**< "owner/name": [A-Za-z0-9._-] and one '/' */
    char default_branch[REP_NAME_SIZE]; /**< of this repository */
    uint64_t repository_id;
    uint64_t head_repository_id;
    char head_owner[REP_NAME_SIZE];
    char head_branch[REP_NAME_SIZE];
    char head_sha[REP_SHA_SIZE];
    char workflow_file[REP_NAME_SIZE]; /**< "benchmark.yml" */
    uint64_t run_id, run_number, run_attempt;
    int64_t created_unix, started_unix, updated_unix; /**< of the run; started: of this attempt */
    char conclusion[32]; /**< [a-z_]: "success", "failure"; "" when none is known */
};

/** True for "owner/name" as GitHub allows it. */
bool rep_event_is_repository(const char *text);

/**
 * Read an event.
 * @json          the whole file
 * @repository_id of the repository that the job runs in
 * @workflow_path ".github/workflows/benchmark.yml"
 * @out  zeroed on failure
 * @return 0, also for an event that asks for nothing; -EPROTO: not a workflow_run event as
 *         GitHub writes it; -EPERM: of another repository
 */
MUST_USE int rep_event_read(const json_t *json, uint64_t repository_id, const char *workflow_path,
                            struct rep_event *out, struct err *err);

#endif
