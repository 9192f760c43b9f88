/* SPDX-License-Identifier: MIT */
/* Lists that GitHub answers with, filled by strangers: pull requests, artifacts, runs. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "report/artifact.h"
#include "report/pull.h"
#include "report/runs.h"

/* The event that the lists are looked at for. */
static const struct rep_event event = {.kind = REP_EVENT_PULL,
                                       .repository = "o/r",
                                       .default_branch = "main",
                                       .repository_id = 42,
                                       .head_repository_id = 43,
                                       .head_owner = "fork",
                                       .head_branch = "b",
                                       .head_sha = "ecf9e9af19c581f156188679cb2a9e8d458c9ba8",
                                       .workflow_file = "benchmark.yml",
                                       .run_id = 5000,
                                       .run_number = 7,
                                       .run_attempt = 1};

static void check_artifacts(const json_t *page)
{
    struct rep_artifacts *artifacts = calloc(1, sizeof(*artifacts));
    struct rep_log log = {0};
    FUZZ_CHECK(artifacts, "no memory to start with");
    rep_artifacts_consider(page, event.run_id, artifacts, &log);
    rep_artifacts_consider(page, event.run_id, artifacts, &log);
    FUZZ_CHECK(artifacts->count <= REP_ARTIFACTS_MAX, "more than the limit");
    for (size_t i = 0; i < artifacts->count; i++) {
        const struct rep_artifact *artifact = &artifacts->item[i];
        FUZZ_CHECK(artifact->id, "no id");
        FUZZ_CHECK(artifact->platform[0] &&
                       !artifact->platform[strspn(artifact->platform,
                                                  "abcdefghijklmnopqrstuvwxyz0123456789_-")],
                   "a platform that no path may hold");
        FUZZ_CHECK(artifact->shard >= 1 && artifact->shard <= artifact->shards &&
                       artifact->shards <= REP_SHARDS_MAX,
                   "a part that cannot be");
    }
    rep_log_fini(&log);
    free(artifacts);
}

static void check_histories(const json_t *page)
{
    struct rep_histories histories = {0};
    for (int i = 0; i < 4; i++)
        rep_histories_consider(page, &event, &histories);
    FUZZ_CHECK(histories.count <= REP_HISTORIES_MAX, "more than the limit");
    for (size_t i = 0; i < histories.count; i++) {
        const struct rep_artifact *item = &histories.item[i];
        FUZZ_CHECK(item->id && !item->expired, "a history that cannot be fetched");
        FUZZ_CHECK(!i || item[-1].created_unix >= item->created_unix, "not the newest first");
    }
}

static void check_runs(const json_t *page, const struct rep_pull *pull)
{
    struct rep_runs *runs = calloc(1, sizeof(*runs));
    FUZZ_CHECK(runs, "no memory to start with");
    rep_runs_of_main(page, &event, runs);
    for (size_t i = 0; i < runs->count; i++)
        FUZZ_CHECK(runs->run[i].id && runs->run[i].id != event.run_id, "its own baseline");
    (void)rep_runs_differ(runs);
    rep_runs_prefer(runs, event.head_sha, 1000);
    rep_runs_of_pull(page, &event, pull, runs);
    FUZZ_CHECK(runs->count <= REP_RUNS_MAX, "more than the limit");
    free(runs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    struct rep_pull pull = {0};
    json_t *page = json_loadb((const char *)data, size_bytes, JSON_REJECT_DUPLICATES, NULL);
    if (!page)
        return 0;
    rep_pull_consider(page, &event, &pull);
    rep_pull_consider(page, &event, &pull);
    check_artifacts(page);
    check_histories(page);
    check_runs(page, &pull);
    json_decref(page);
    return 0;
}
