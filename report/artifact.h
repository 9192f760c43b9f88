/* SPDX-License-Identifier: MIT */
/* Artifacts of a run: which of them are results, told by their names. Pure. */
#ifndef REPORT_ARTIFACT_H
#define REPORT_ARTIFACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/compiler.h"
#include "report/event.h"
#include "report/log.h"

#define REP_PLATFORM_SIZE 65
#define REP_ARTIFACTS_MAX 64 /**< results of a run that are looked at */
#define REP_PLATFORMS_MAX 16 /**< platforms of a run that are looked at */
#define REP_SHARDS_MAX 32
#define REP_ARTIFACT_PREFIX "tracetax-"
#define REP_HISTORY_ARTIFACT "tracetax-history"
#define REP_HISTORIES_MAX 5 /**< the newest, of which the first that can be read serves */

/** A result that can be downloaded. */
struct rep_artifact {
    uint64_t id;
    char platform[REP_PLATFORM_SIZE];
    unsigned int shard, shards; /**< 1 of 1 when not sharded */
    bool expired;
    int64_t created_unix;
};

struct rep_artifacts {
    struct rep_artifact item[REP_ARTIFACTS_MAX];
    size_t count;
    size_t refused_count;
};

/**
 * Read "tracetax-<platform>" or "tracetax-<platform>-<i>of<n>".
 * @return 0, or -EINVAL: not such a name
 */
MUST_USE int rep_artifact_parse_name(const char *name, struct rep_artifact *out);

/**
 * Look at a page of a run's artifacts. Of the same name twice (an earlier attempt left one)
 * the newest counts. What is refused is named in the log; the first ten by name.
 * @page   the array `artifacts`; call again for each page
 * @run_id an artifact that says that it is of another run is refused
 * @log    or NULL
 */
void rep_artifacts_consider(const json_t *page, uint64_t run_id, struct rep_artifacts *artifacts,
                            struct rep_log *log);

/** What our own default branch has left of its history, newest first. */
struct rep_histories {
    struct rep_artifact item[REP_HISTORIES_MAX];
    size_t count;
    size_t expired_count;
    size_t listed_count; /**< artifacts looked at, those of forks among them */
};

/**
 * Pick out the tracetax-history that our own default branch has made.
 * @page      the array `artifacts` of GET /repos/{owner}/{repo}/actions/artifacts?name=..., in
 *            which those of forks stand beside ours; call again for each page
 * @histories zeroed before the first page
 */
void rep_histories_consider(const json_t *page, const struct rep_event *event,
                            struct rep_histories *histories);

#endif
