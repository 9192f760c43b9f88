/* SPDX-License-Identifier: MIT */
/* The comment from files, without any network. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "report/finish.h"
#include "report/report.h"
#include "report/when.h"

static int read_result(const char *path, struct rep_results *results, struct err *err)
{
    struct rep_result item = {0};
    int ret = tt_result_read(path, &item.result, err);
    if (!ret) {
        (void)snprintf(item.platform, sizeof(item.platform), "%s", item.result.platform.id);
        item.shard = item.result.suite.shard;
        item.shards = item.result.suite.shards;
        ret = rep_results_add(results, &item, err);
    }
    tt_result_fini(&item.result);
    return ret;
}

/* The time of the newest result, so that equal files give equal bytes. */
static int64_t newest_of(const struct rep_results *results)
{
    int64_t newest = 0;
    for (size_t i = 0; i < results->count; i++) {
        int64_t created = 0;
        if (!rep_when_parse(results->item[i].result.created_at, &created) && created > newest)
            newest = created;
    }
    return newest ? newest : clock_unix_s();
}

int rep_preview(const struct rep_options *options, const char *const *paths, size_t count,
                const char *baseline, struct rep_log *log, struct rep_outcome *outcome,
                struct err *err)
{
    struct rep_results now = {0};
    struct rep_results main_results = {0};
    struct rep_results committed = {0};
    struct tt_history history = {0};
    struct rep_view view = {.head_sha = "",
                            .keeper = "",
                            .workflow_path = options->workflow_path,
                            .conclusion = "",
                            .limits = options->limits,
                            .log = log};
    int ret = 0;
    for (size_t i = 0; i < count && !ret; i++)
        ret = read_result(paths[i], &now, err);
    if (!ret && baseline)
        ret = read_result(baseline, &main_results, err);
    if (!ret && options->history_path) {
        ret = tt_history_read(options->history_path, &history, err);
        view.history = ret ? NULL : &history;
    }
    if (!ret && rep_results_merge(&now))
        ret = err_set(err, -ENOMEM, "cannot merge the results: %s", err_text(ENOMEM));
    if (!ret)
        ret = rep_finish_committed(options->baselines_path, &now, &committed, log, err);
    if (ret)
        goto out;

    view.now_unix = newest_of(&now);
    if (now.count && now.item[0].result.commit)
        view.head_sha = now.item[0].result.commit;
    /* only the baseline's platform that was asked about: no stale sections in a preview */
    for (size_t i = 0; i < main_results.count; i++) {
        if (rep_results_find(&now, main_results.item[i].platform, 0) == SIZE_MAX) {
            ret = err_set(err, -EINVAL,
                          "cannot compare with %s: it is of the platform %s, of which no result "
                          "was given",
                          baseline, main_results.item[i].platform);
            goto out;
        }
    }
    ret = rep_view_build(&view, &now, NULL, &main_results, &committed, err);
    if (!ret)
        ret = rep_finish(options, &view, outcome, err);
out:
    rep_view_fini(&view);
    tt_history_fini(&history);
    rep_results_fini(&committed);
    rep_results_fini(&main_results);
    rep_results_fini(&now);
    return ret;
}
