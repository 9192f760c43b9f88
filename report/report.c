/* SPDX-License-Identifier: MIT */
/* From an event to the comment: the order in which GitHub is asked. */
#include "report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "report/comment.h"
#include "report/event.h"
#include "report/fetch.h"
#include "report/finish.h"
#include "report/github.h"
#include "report/pull.h"
#include "report/runs.h"
#include "report/view.h"

#define EVENT_MAX_BYTES (4u << 20)
/* Older runs that are looked at for a baseline that the newest one does not have. */
#define BASELINE_STEPS_MAX 5

/* Everything that one report gathers. */
struct job {
    const struct rep_options *options;
    struct rep_log *log;
    struct rep_github github;
    struct rep_event event;
    struct rep_pull pull;
    struct rep_artifacts artifacts; /* of the run, as listed */
    struct rep_results now, previous, main, committed;
    struct rep_artifacts main_artifacts; /* of the newest main run: which platforms there are */
    struct tt_history history;
    bool has_history;
};

static int read_event(struct job *job, struct err *err)
{
    struct buf text;
    buf_init(&text, EVENT_MAX_BYTES);
    json_t *json = NULL;
    int ret = file_read(job->options->event_path, &text, err);
    if (!ret) {
        json_error_t where;
        json =
            json_loadb(text.data ? text.data : "", text.size_bytes, JSON_REJECT_DUPLICATES, &where);
        if (!json)
            ret = err_set(err, -EPROTO, "cannot use the event: %s: line %d: %s",
                          job->options->event_path, where.line, where.text);
    }
    if (!ret)
        ret = rep_event_read(json, job->options->repository_id, job->options->workflow_path,
                             &job->event, err);
    json_decref(json);
    buf_fini(&text);
    return ret;
}

static int on_pulls(void *context, const json_t *array)
{
    struct job *job = context;
    rep_pull_consider(array, &job->event, &job->pull);
    return 0;
}

/* Which pull request? @return 0; 1: there is nothing to do */
static int find_pull(struct job *job, struct err *err)
{
    int ret = rep_github_pulls(&job->github, &job->event, on_pulls, job, err);
    if (ret)
        return ret;
    if (!job->pull.number) {
        if (job->pull.moved_on)
            rep_log(job->log, REP_INFO,
                    "nothing to do: pull request %" PRIu64 " has moved on to another commit, whose "
                    "own run will report",
                    job->pull.moved_on);
        else
            rep_log(job->log, REP_INFO,
                    "nothing to do: no open pull request has this run's commit as its head");
        return 1;
    }
    rep_log(job->log, REP_INFO, "pull request %" PRIu64, job->pull.number);
    if (job->pull.others)
        rep_log(job->log, REP_INFO,
                "%" PRIu64 " more pull requests have the same head: one comment is written, to "
                "the one into the default branch or with the lowest number",
                job->pull.others);
    if (job->pull.locked) {
        rep_log(job->log, REP_WARNING,
                "nothing to do: the conversation of pull request %" PRIu64 " is locked",
                job->pull.number);
        return 1;
    }
    return 0;
}

static int fetch_now(struct job *job, struct err *err)
{
    struct rep_run run = {.id = job->event.run_id,
                          .number = job->event.run_number,
                          .created_unix = job->event.created_unix};
    memcpy(run.sha, job->event.head_sha, sizeof(run.sha));
    int ret = rep_fetch_list(&job->github, run.id, &job->artifacts, job->log, err);
    if (!ret)
        ret = rep_fetch_results(&job->github, &run, &job->artifacts,
                                job->event.run_attempt > 1 ? job->event.started_unix : 0, NULL,
                                NULL, &job->now, job->log, err);
    return ret;
}

struct run_page {
    const struct job *job;
    struct rep_runs *runs;
    bool of_main;
};

static int on_runs(void *context, const json_t *array)
{
    struct run_page *page = context;
    if (page->of_main)
        rep_runs_of_main(array, &page->job->event, page->runs);
    else
        rep_runs_of_pull(array, &page->job->event, &page->job->pull, page->runs);
    return 0;
}

static bool is_missing(void *context, const struct rep_artifact *artifact)
{
    const struct rep_results *results = context;
    return rep_results_find(results, artifact->platform, 0) == SIZE_MAX;
}

/* Keeps the parts of a platform together: what is missing is decided before a run's artifacts
   are fetched. */
struct missing {
    const struct rep_results *have;
    size_t count; /* results at the start of this run */
};

static bool is_missing_before(void *context, const struct rep_artifact *artifact)
{
    const struct missing *missing = context;
    struct rep_results before = {.item = missing->have->item, .count = missing->count};
    return is_missing(&before, artifact);
}

/* Is there a platform that these results should have and lack? */
static bool is_complete(const struct job *job, const struct rep_results *results)
{
    const struct rep_artifacts *const lists[] = {&job->artifacts, &job->main_artifacts};
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        for (size_t j = 0; j < lists[i]->count; j++) {
            if (rep_results_find(results, lists[i]->item[j].platform, 0) == SIZE_MAX)
                return false;
        }
    }
    return true;
}

/* Walk back from the newest run until every platform has a result. A run that failed, or whose
   artifacts have expired, only sends us one further. */
static int walk_back(struct job *job, const struct rep_runs *runs, bool of_main,
                     struct rep_results *results, struct err *err)
{
    struct rep_artifacts *artifacts = malloc(sizeof(*artifacts));
    if (!artifacts)
        return err_set(err, -ENOMEM, "cannot look for a baseline: %s", err_text(ENOMEM));
    int ret = 0;
    for (size_t i = 0; i < runs->count && i < BASELINE_STEPS_MAX && !ret; i++) {
        ret = rep_fetch_list(&job->github, runs->run[i].id, artifacts, NULL, err);
        if (ret)
            break;
        if (of_main && i == 0)
            job->main_artifacts = *artifacts;
        struct missing missing = {.have = results, .count = results->count};
        ret = rep_fetch_results(&job->github, &runs->run[i], artifacts, 0, is_missing_before,
                                &missing, results, job->log, err);
        if (is_complete(job, results))
            break;
    }
    free(artifacts);
    return ret;
}

/* What main gained after the fork point is not the pull request's doing. Without the answer,
   the newest run of main serves: the comment names it. */
static int prefer_merge_base(struct job *job, struct rep_runs *runs, struct err *err)
{
    if (job->event.kind != REP_EVENT_PULL || !rep_runs_differ(runs))
        return 0;
    for (size_t i = 0; i < job->now.count; i++) {
        /* The result names the base build's commit. It is the fork's word, but it can only
           choose among main's own runs, and the fork's numbers are its word as well. */
        const char *claimed = job->now.item[i].result.base_commit;
        for (size_t j = 0; claimed && j < runs->count; j++) {
            if (!strcmp(runs->run[j].sha, claimed)) {
                rep_runs_prefer(runs, claimed, runs->run[j].created_unix);
                return 0;
            }
        }
    }
    char sha[REP_SHA_SIZE];
    int64_t committed = 0;
    struct err why = {0};
    int ret = rep_github_merge_base(&job->github, job->pull.base_ref, job->event.head_sha, sha,
                                    &committed, &why);
    if (ret == -ETIMEDOUT || ret == -EDQUOT || ret == -ENOMEM)
        return err_set(err, ret, "%s", why.text);
    if (ret)
        rep_log(job->log, REP_INFO, "compared with the newest run of main: %s", why.text);
    else
        rep_runs_prefer(runs, sha, committed);
    return 0;
}

static int fetch_main(struct job *job, struct err *err)
{
    struct rep_runs *runs = calloc(1, sizeof(*runs));
    if (!runs)
        return err_set(err, -ENOMEM, "cannot look for a baseline: %s", err_text(ENOMEM));
    struct run_page page = {.job = job, .runs = runs, .of_main = true};
    int ret = rep_github_runs(&job->github, job->event.workflow_file, "push",
                              job->event.default_branch, "completed", on_runs, &page, err);
    if (ret == -ENOENT)
        ret = 0; /* main does not have this workflow yet */
    if (!ret)
        ret = prefer_merge_base(job, runs, err);
    if (!ret)
        ret = walk_back(job, runs, true, &job->main, err);
    free(runs);
    return ret;
}

static int fetch_previous(struct job *job, struct err *err)
{
    struct rep_runs *runs = calloc(1, sizeof(*runs));
    if (!runs)
        return err_set(err, -ENOMEM, "cannot look for a baseline: %s", err_text(ENOMEM));
    struct run_page page = {.job = job, .runs = runs};
    int ret = rep_github_runs(&job->github, job->event.workflow_file, "pull_request",
                              job->event.head_branch, NULL, on_runs, &page, err);
    if (ret == -ENOENT)
        ret = 0;
    if (!ret)
        ret = walk_back(job, runs, false, &job->previous, err);
    free(runs);
    return ret;
}

/* The history of main, extended by this run when it is one of main. After merge_all(): a run has
   one row, and a part that came after another would replace it. */
static int handle_history(struct job *job, struct err *err)
{
    enum rep_history_found found;
    int ret = rep_fetch_history(&job->github, &job->event, &job->history, &found, job->log, err);
    job->has_history = found == REP_HISTORY_FOUND;
    bool extends = job->event.kind == REP_EVENT_PUSH_MAIN && job->options->export_history;
    if (ret && !extends && !rep_fetch_is_final(ret)) {
        /* it only sharpens the intervals */
        rep_log(job->log, REP_WARNING, "the history of main is not used: %s", err->text);
        return 0;
    }
    if (ret || !extends)
        return ret;
    if (found == REP_HISTORY_LOST)
        rep_log(job->log, REP_WARNING,
                "the history of main starts anew: its targets are uncalibrated until %d runs were "
                "added",
                TT_HISTORY_MIN_CALIBRATED);
    for (size_t i = 0; i < job->now.count && !ret; i++)
        ret = tt_history_extend(&job->history, &job->now.item[i].result, err);
    if (!ret)
        ret = tt_history_write(&job->history, job->options->export_history, err);
    return ret;
}

static int merge_all(struct job *job, struct err *err)
{
    struct rep_results *const lists[] = {&job->now, &job->previous, &job->main};
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        if (rep_results_merge(lists[i]))
            return err_set(err, -ENOMEM, "cannot merge the results: %s", err_text(ENOMEM));
    }
    return 0;
}

/* Compare, write the text, and keep the comment. */
static int write_comment(struct job *job, struct rep_outcome *outcome, struct err *err)
{
    const struct rep_options *options = job->options;
    struct rep_view view = {
        .server_url = options->server_url,
        .repository = job->event.repository,
        .head_sha = job->event.head_sha,
        .keeper = options->keeper,
        .workflow_path = options->workflow_path,
        .conclusion = job->event.conclusion,
        .stamp = {job->event.run_number, job->event.run_id, job->event.run_attempt},
        .now_unix = job->event.updated_unix,
        .history = job->has_history ? &job->history : NULL,
        .limits = options->limits,
        .log = job->log,
    };
    int ret = rep_view_build(&view, &job->now, &job->previous, &job->main, &job->committed, err);
    if (!ret)
        ret = rep_finish(options, &view, outcome, err);
    rep_view_fini(&view);
    if (ret || job->event.kind != REP_EVENT_PULL || options->dry_run)
        return ret;

    enum rep_comment_outcome done;
    ret = rep_comment_put(&job->github, job->pull.number, options->author, outcome->comment.data,
                          job->log, &done, err);
    if (ret == -EROFS) {
        rep_log(job->log, REP_WARNING, "the comment is not written: %s", err->text);
        return 0;
    }
    if (!ret) {
        static const char *const words[] = {
            [REP_COMMENT_CREATED] = "the comment was created",
            [REP_COMMENT_UPDATED] = "the comment was updated",
            [REP_COMMENT_UNCHANGED] = "the comment is up to date already",
            [REP_COMMENT_NEWER] = "the comment reports a newer run already and was left as it is"};
        rep_log(job->log, REP_INFO, "%s", words[done]);
    }
    return ret;
}

static int run(struct job *job, struct rep_outcome *outcome, struct err *err)
{
    int ret = fetch_now(job, err);
    if (!ret)
        ret = fetch_main(job, err);
    if (!ret && job->event.kind == REP_EVENT_PULL)
        ret = fetch_previous(job, err);
    bool nothing_read = !job->now.count;
    if (!ret)
        ret = merge_all(job, err);
    if (!ret)
        ret = handle_history(job, err);
    if (!ret)
        ret = rep_finish_committed(job->options->baselines_path, &job->now, &job->committed,
                                   job->log, err);
    if (!ret)
        ret = write_comment(job, outcome, err);
    if (!ret && nothing_read)
        ret = err_set(err, -ENODATA,
                      "no result could be read from run %" PRIu64 ": see the lines above; the "
                      "measuring job must upload result.json as tracetax-<platform>",
                      job->event.run_id);
    return ret;
}

int rep_report(const struct rep_options *options, struct rep_log *log, struct rep_outcome *outcome,
               struct err *err)
{
    *outcome = (struct rep_outcome){0};
    struct rep_http *http = NULL;
    struct job *job = calloc(1, sizeof(*job));
    if (!job)
        return err_set(err, -ENOMEM, "cannot start: %s", err_text(ENOMEM));
    job->options = options;
    job->log = log;
    int ret = read_event(job, err);
    if (!ret && job->event.kind == REP_EVENT_NOTHING) {
        rep_log(log, REP_INFO, "nothing to do: %s", job->event.reason);
        goto out;
    }
    struct rep_http_options http_options = {.api_url = options->api_url,
                                            .token = options->token,
                                            .total_ms = options->time_limit_ms,
                                            .max_requests = options->max_requests,
                                            .log = log};
    if (!ret)
        ret = rep_http_open(&http_options, &http, err);
    if (ret)
        goto out;
    job->github = (struct rep_github){.http = http, .repository = job->event.repository};
    if (job->event.kind == REP_EVENT_PULL)
        ret = find_pull(job, err);
    if (!ret)
        ret = run(job, outcome, err);
    else if (ret > 0)
        ret = 0;
    outcome->requests = rep_http_requests(http);
out:
    rep_http_close(http);
    tt_history_fini(&job->history);
    rep_results_fini(&job->now);
    rep_results_fini(&job->previous);
    rep_results_fini(&job->main);
    rep_results_fini(&job->committed);
    free(job);
    return ret;
}
