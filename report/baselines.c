/* SPDX-License-Identifier: MIT */
/* The folder baselines/. */
#include "report/baselines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "report/fetch.h"
#include "report/github.h"
#include "report/runs.h"

#define RUNS_LOOKED_AT 5
#define PATH_SIZE 4096

/* What is gathered. */
struct update {
    const struct rep_options *options;
    struct rep_log *log;
    struct rep_github github;
    struct rep_event event; /* what rep_runs_of_main() asks of it: repository and branch */
    struct rep_runs runs;
    struct rep_artifacts newest; /* of the newest run: the platforms that there are */
    struct rep_results results;
    size_t before; /* results when the artifacts of a run were about to be fetched */
};

/* The list is of this repository's runs, so each says its number: a fork's run has another head
   repository, which rep_runs_of_main() passes over. */
static int on_runs(void *context, const json_t *array)
{
    struct update *update = context;
    if (!update->event.repository_id)
        update->event.repository_id =
            rep_json_id(rep_json_at(json_array_get(array, 0), "repository.id"));
    if (update->event.repository_id)
        rep_runs_of_main(array, &update->event, &update->runs);
    return 0;
}

static bool is_missing(void *context, const struct rep_artifact *artifact)
{
    const struct update *update = context;
    const struct rep_results before = {.item = update->results.item, .count = update->before};
    return rep_results_find(&before, artifact->platform, 0) == SIZE_MAX;
}

static bool is_complete(const struct update *update)
{
    for (size_t i = 0; i < update->newest.count; i++) {
        if (rep_results_find(&update->results, update->newest.item[i].platform, 0) == SIZE_MAX)
            return false;
    }
    return true;
}

static int fetch(struct update *update, struct err *err)
{
    struct rep_artifacts *artifacts = calloc(1, sizeof(*artifacts));
    if (!artifacts)
        return err_set(err, -ENOMEM, "cannot fetch results: %s", err_text(ENOMEM));
    int ret = 0;
    for (size_t i = 0; i < update->runs.count && i < RUNS_LOOKED_AT && !ret; i++) {
        ret = rep_fetch_list(&update->github, update->runs.run[i].id, artifacts, NULL, err);
        if (ret)
            break;
        if (i == 0)
            update->newest = *artifacts;
        update->before = update->results.count;
        ret = rep_fetch_results(&update->github, &update->runs.run[i], artifacts, 0, is_missing,
                                update, &update->results, update->log, err);
        if (update->results.count && is_complete(update))
            break;
    }
    free(artifacts);
    return ret;
}

/* @return NULL, or why it is no baseline */
static const char *fault_of(const struct tt_result *result)
{
    if (!result->commit)
        return "it does not say which commit was measured";
    if (!result->ci.run_id)
        return "it does not say which run measured it: it was not measured in CI";
    if (result->suite.shards != 1)
        return "it is a part of a suite only";
    return result->targets_count ? NULL : "it has no target";
}

static const char *fault_of_fetched(const struct rep_result *item)
{
    if (item->parts != item->shards)
        return "not all of its parts were measured on one kind of machine";
    const char *fault = fault_of(&item->result);
    if (fault)
        return fault;
    if (strcmp(item->result.commit, item->run.sha) != 0)
        return "it says that it measured another commit than its run";
    return item->result.ci.run_id == item->run.id ? NULL : "it says that another run measured it";
}

static int write_one(const struct update *update, const struct rep_result *item, struct err *err)
{
    char path[PATH_SIZE];
    int n =
        snprintf(path, sizeof(path), "%s/%s.json", update->options->baselines_path, item->platform);
    if (n < 0 || (size_t)n >= sizeof(path))
        return err_set(err, -ENAMETOOLONG, "cannot write a baseline: %s: %s",
                       update->options->baselines_path, err_text(ENAMETOOLONG));
    int ret = tt_result_write(&item->result, path, err);
    if (!ret)
        rep_log(update->log, REP_INFO, "wrote %s: run %" PRIu64 ", commit %s", path, item->run.id,
                item->run.sha);
    return ret;
}

static int write_all(struct update *update, struct err *err)
{
    size_t written = 0;
    int ret = rep_results_merge(&update->results);
    if (ret)
        return err_set(err, ret, "cannot merge the results: %s", err_text(ret));
    for (size_t i = 0; i < update->results.count; i++) {
        const struct rep_result *item = &update->results.item[i];
        const char *fault = fault_of_fetched(item);
        if (fault) {
            rep_log(update->log, REP_WARNING, "no baseline for %s from run %" PRIu64 ": %s",
                    item->platform, item->run.id, fault);
            continue;
        }
        ret = write_one(update, item, err);
        if (ret)
            return ret;
        written++;
    }
    if (!written)
        return err_set(err, -ENODATA,
                       "no baseline was written: the last %d push runs of %s left no whole result "
                       "that can still be had",
                       RUNS_LOOKED_AT, update->options->branch);
    return 0;
}

int rep_baselines_update(const struct rep_options *options, struct rep_log *log, struct err *err)
{
    struct rep_http *http = NULL;
    struct update *update = calloc(1, sizeof(*update));
    if (!update)
        return err_set(err, -ENOMEM, "cannot start: %s", err_text(ENOMEM));
    update->options = options;
    update->log = log;
    (void)snprintf(update->event.default_branch, sizeof(update->event.default_branch), "%s",
                   options->branch);
    const char *slash = strrchr(options->workflow_path, '/');
    struct rep_http_options http_options = {.api_url = options->api_url,
                                            .token = options->token,
                                            .total_ms = options->time_limit_ms,
                                            .max_requests = options->max_requests,
                                            .log = log};
    int ret = rep_http_open(&http_options, &http, err);
    if (!ret) {
        update->github = (struct rep_github){.http = http, .repository = options->repository};
        ret = rep_github_runs(&update->github, slash ? slash + 1 : options->workflow_path, "push",
                              options->branch, "completed", on_runs, update, err);
    }
    if (!ret)
        ret = fetch(update, err);
    if (!ret)
        ret = file_make_dirs(options->baselines_path, err);
    if (!ret)
        ret = write_all(update, err);
    rep_http_close(http);
    rep_results_fini(&update->results);
    free(update);
    return ret;
}

/* Is the file called <platform>.json? */
static bool is_named_for(const char *path, const char *platform)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t length = strlen(platform);
    return !strncmp(name, platform, length) && !strcmp(name + length, ".json");
}

static int check_one(const char *path, struct rep_log *log)
{
    struct tt_result result;
    struct err why = {0};
    int ret = tt_result_read(path, &result, &why);
    if (ret) {
        rep_log(log, REP_WARNING, "%s", why.text);
        return ret;
    }
    const char *fault = fault_of(&result);
    if (!is_named_for(path, result.platform.id))
        fault = "its name is not that of its platform";
    if (fault)
        rep_log(log, REP_WARNING, "%s: %s", path, fault);
    else
        rep_log(log, REP_INFO,
                "%s: run %" PRIu64 ", attempt %" PRIu32 ", commit %s, measured %s, %zu targets",
                path, result.ci.run_id, result.ci.attempt, result.commit, result.created_at,
                result.targets_count);
    tt_result_fini(&result);
    return fault ? -EPROTO : 0;
}

int rep_baselines_check(const char *const *paths, size_t count, struct rep_log *log,
                        struct err *err)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        int ret = check_one(paths[i], log);
        if (ret == -ENOMEM)
            return err_set(err, ret, "cannot check %s: %s", paths[i], err_text(ret));
        wrong += ret != 0;
    }
    if (!wrong)
        return 0;
    return err_set(err, -EPROTO,
                   "%zu of %zu baselines are not right: see the lines above; `make baselines` "
                   "writes them anew",
                   wrong, count);
}
