/* SPDX-License-Identifier: MIT */
/* Results out of a run's artifacts. */
#include "report/fetch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "report/archive.h"

#define NAME_SIZE 96
/* Of 100 artifacts: so many of forks may stand before main's own newest history. */
#define HISTORY_PAGES_MAX 20

bool rep_fetch_is_final(int code)
{
    return code == -ETIMEDOUT || code == -EDQUOT || code == -EACCES || code == -ENOMEM;
}

struct listing {
    uint64_t run_id;
    struct rep_artifacts *artifacts;
    struct rep_log *log;
};

static int on_artifacts(void *context, const json_t *array)
{
    struct listing *listing = context;
    rep_artifacts_consider(array, listing->run_id, listing->artifacts, listing->log);
    return 0;
}

int rep_fetch_list(const struct rep_github *github, uint64_t run_id,
                   struct rep_artifacts *artifacts, struct rep_log *log, struct err *err)
{
    *artifacts = (struct rep_artifacts){0};
    struct listing listing = {.run_id = run_id, .artifacts = artifacts, .log = log};
    int ret = rep_github_artifacts(github, run_id, on_artifacts, &listing, err);
    return ret == -ENOENT ? 0 : ret;
}

static void name_of(const struct rep_artifact *artifact, char name[NAME_SIZE])
{
    if (artifact->shards > 1)
        (void)snprintf(name, NAME_SIZE, "%s (part %u of %u)", artifact->platform, artifact->shard,
                       artifact->shards);
    else
        (void)snprintf(name, NAME_SIZE, "%s", artifact->platform);
}

int rep_fetch_parse(const char *name, const void *data, size_t size_bytes, struct rep_result *item,
                    struct rep_results *results, struct err *err)
{
    int ret = tt_result_parse(name, data, size_bytes, &item->result, err);
    if (!ret)
        ret = rep_results_add(results, item, err);
    if (ret)
        tt_result_fini(&item->result);
    return ret;
}

/* Download and unpack the one file of an artifact. */
static int fetch_file(const struct rep_github *github, uint64_t id, const char *what,
                      const char *file, size_t max_bytes, struct buf *out, struct err *err)
{
    struct buf archive;
    buf_init(&archive, REP_ARCHIVE_MAX_BYTES);
    buf_init(out, max_bytes);
    int ret = rep_github_download(github, id, what, &archive, err);
    if (!ret)
        ret = rep_archive_read(archive.data, archive.size_bytes, file, out, err);
    buf_fini(&archive);
    return ret;
}

static int fetch_one(const struct rep_github *github, const struct rep_run *run,
                     const struct rep_artifact *artifact, bool earlier_attempt,
                     struct rep_results *results, struct err *err)
{
    char name[NAME_SIZE];
    name_of(artifact, name);
    struct rep_result item = {.shard = artifact->shard,
                              .shards = artifact->shards,
                              .run = *run,
                              .earlier_attempt = earlier_attempt};
    (void)snprintf(item.platform, sizeof(item.platform), "%s", artifact->platform);
    struct buf json;
    int ret =
        fetch_file(github, artifact->id, name, "result.json", TT_RESULT_MAX_BYTES, &json, err);
    if (!ret)
        ret = rep_fetch_parse("result.json", json.data, json.size_bytes, &item, results, err);
    buf_fini(&json);
    return ret;
}

int rep_fetch_results(const struct rep_github *github, const struct rep_run *run,
                      const struct rep_artifacts *artifacts, int64_t attempt_start,
                      rep_wanted_fn *wanted, void *context, struct rep_results *results,
                      struct rep_log *log, struct err *err)
{
    for (size_t i = 0; i < artifacts->count; i++) {
        const struct rep_artifact *artifact = &artifacts->item[i];
        char name[NAME_SIZE];
        name_of(artifact, name);
        if (wanted && !wanted(context, artifact))
            continue;
        if (artifact->expired) {
            rep_log(log, REP_INFO, "the result of %s in run %llu has expired", name,
                    (unsigned long long)run->id);
            continue;
        }
        struct err why = {0};
        bool earlier =
            attempt_start && artifact->created_unix && artifact->created_unix < attempt_start;
        int ret = fetch_one(github, run, artifact, earlier, results, &why);
        if (rep_fetch_is_final(ret))
            return err_set(err, ret, "%s", why.text);
        if (ret)
            rep_log(log, REP_WARNING, "no result of %s from run %llu: %s", name,
                    (unsigned long long)run->id, why.text);
    }
    return 0;
}

struct history_search {
    const struct rep_event *event;
    struct rep_histories histories;
    unsigned int pages;
};

/* The list has the newest first: what is behind the first page with one of ours is older. */
static int on_histories(void *context, const json_t *array)
{
    struct history_search *search = context;
    search->pages++;
    rep_histories_consider(array, search->event, &search->histories);
    return search->histories.count > 0;
}

static int read_history(const struct rep_github *github, const struct rep_artifact *artifact,
                        struct tt_history *out, struct err *err)
{
    struct buf json;
    int ret = fetch_file(github, artifact->id, "the history of main", "history.json",
                         TT_HISTORY_MAX_BYTES, &json, err);
    if (!ret)
        ret = tt_history_parse("history.json", json.data, json.size_bytes, out, err);
    buf_fini(&json);
    return ret;
}

/* There is none that can be read: was there ever one? */
static enum rep_history_found why_none(const struct history_search *search, struct rep_log *log)
{
    const struct rep_histories *histories = &search->histories;
    if (histories->count)
        return REP_HISTORY_LOST; /* the log says so of each */
    if (search->pages == HISTORY_PAGES_MAX) {
        rep_log(log, REP_INFO, "none of the newest %zu artifacts named %s is of main",
                histories->listed_count, REP_HISTORY_ARTIFACT);
        return REP_HISTORY_LOST;
    }
    if (histories->expired_count) {
        rep_log(log, REP_INFO, "the history of main has expired");
        return REP_HISTORY_LOST;
    }
    return REP_HISTORY_NONE;
}

int rep_fetch_history(const struct rep_github *github, const struct rep_event *event,
                      struct tt_history *out, enum rep_history_found *found, struct rep_log *log,
                      struct err *err)
{
    *out = (struct tt_history){0};
    *found = REP_HISTORY_NONE;
    struct history_search search = {.event = event};
    int ret = rep_github_artifacts_named(github, REP_HISTORY_ARTIFACT, HISTORY_PAGES_MAX,
                                         on_histories, &search, err);
    if (ret)
        return ret == -ENOENT ? 0 : ret;
    for (size_t i = 0; i < search.histories.count; i++) {
        struct err why = {0};
        ret = read_history(github, &search.histories.item[i], out, &why);
        if (!ret) {
            *found = REP_HISTORY_FOUND;
            return 0;
        }
        if (ret != -ENOENT && ret != -EPROTO && ret != -EFBIG)
            return err_set(err, ret, "%s", why.text);
        rep_log(log, REP_WARNING, "a history of main is not used: %s", why.text);
    }
    *found = why_none(&search, log);
    return 0;
}
