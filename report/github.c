/* SPDX-License-Identifier: MIT */
/* The requests that the reporter makes. */
#include "report/github.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "report/url.h"

/* A listing that goes on for longer is cut: 10,000 comments, 10,000 artifacts. */
#define MAX_PAGES 100

/* A status that is not what was asked for, as an error. */
static int refuse(const struct rep_response *response, const char *what, const char *needs,
                  struct err *err)
{
    const char *colon = response->message[0] ? ": " : "";
    switch (response->status) {
    case 401:
        return err_set(err, -EACCES,
                       "cannot %s: the token is not accepted (401%s%s); set GITHUB_TOKEN to the "
                       "job's token",
                       what, colon, response->message);
    case 403:
        if (strcasestr(response->message, "locked"))
            return err_set(err, -EROFS, "cannot %s: the conversation is locked", what);
        return err_set(err, -EACCES,
                       "cannot %s: the token has no permission (403%s%s); give the job "
                       "\"permissions: %s\"",
                       what, colon, response->message, needs);
    case 404:
    case 410:
        return err_set(err, -ENOENT, "cannot %s: not there (%ld%s%s)", what, response->status,
                       colon, response->message);
    default:
        return err_set(err, -EPROTO, "cannot %s: the API answered with status %ld%s%s", what,
                       response->status, colon, response->message);
    }
}

static int put_before(struct err *err, int code, const char *what)
{
    if (!err)
        return code;
    struct err inner = *err;
    return err_set(err, code, "cannot %s: %s", what, inner.text);
}

/* GET, expecting 200 and JSON. */
static int get(const struct rep_github *github, const char *path, const char *what,
               const char *needs, struct rep_response *out, struct err *err)
{
    int ret = rep_http_api(github->http, "GET", path, NULL, out, err);
    if (ret)
        return put_before(err, ret, what);
    if (out->status == 200 && out->json)
        return 0;
    ret = refuse(out, what, needs, err);
    rep_response_fini(out);
    return ret;
}

/* Page after page of a list; @key names the array, or NULL when the answer is one. */
static int list(const struct rep_github *github, const struct buf *first, const char *key,
                unsigned int max_pages, const char *what, const char *needs, rep_page_fn *page,
                void *context, struct err *err)
{
    int ret = buf_status(first);
    if (ret)
        return err_set(err, ret, "cannot %s: the address is too long", what);
    char *next = NULL;
    for (unsigned int i = 0; i < max_pages; i++) {
        struct rep_response response;
        ret = get(github, next ? next : first->data, what, needs, &response, err);
        free(next);
        next = NULL;
        if (ret)
            return ret;
        const json_t *array = key ? json_object_get(response.json, key) : response.json;
        ret = json_is_array(array) ? page(context, array) : -EPROTO;
        next = response.next_url;
        response.next_url = NULL;
        rep_response_fini(&response);
        if (ret < 0)
            err_set(err, ret, "cannot %s: %s", what,
                    ret == -EPROTO ? "the answer is not a list" : err_text(ret));
        if (ret || !next)
            break;
    }
    free(next);
    return ret < 0 ? ret : 0;
}

static void start_path(struct buf *path, const struct rep_github *github)
{
    buf_init(path, REP_URL_MAX_BYTES);
    buf_printf(path, "/repos/%s", github->repository);
}

int rep_github_pulls(const struct rep_github *github, const struct rep_event *event,
                     rep_page_fn *page, void *context, struct err *err)
{
    struct buf path;
    start_path(&path, github);
    buf_puts(&path, "/pulls?state=open&per_page=100&head=");
    rep_url_encode(&path, event->head_owner);
    buf_puts(&path, ":");
    rep_url_encode(&path, event->head_branch);
    int ret = list(github, &path, NULL, MAX_PAGES, "find the pull request", "pull-requests: write",
                   page, context, err);
    buf_fini(&path);
    return ret;
}

int rep_github_artifacts(const struct rep_github *github, uint64_t run_id, rep_page_fn *page,
                         void *context, struct err *err)
{
    struct buf path;
    start_path(&path, github);
    buf_printf(&path, "/actions/runs/%" PRIu64 "/artifacts?per_page=100", run_id);
    int ret = list(github, &path, "artifacts", 5, "list a run's artifacts", "actions: read", page,
                   context, err);
    buf_fini(&path);
    return ret;
}

int rep_github_artifacts_named(const struct rep_github *github, const char *name,
                               unsigned int max_pages, rep_page_fn *page, void *context,
                               struct err *err)
{
    struct buf path;
    start_path(&path, github);
    buf_puts(&path, "/actions/artifacts?per_page=100&name=");
    rep_url_encode(&path, name);
    int ret = list(github, &path, "artifacts", max_pages, "list artifacts", "actions: read", page,
                   context, err);
    buf_fini(&path);
    return ret;
}

int rep_github_runs(const struct rep_github *github, const char *workflow_file, const char *trigger,
                    const char *branch, const char *status, rep_page_fn *page, void *context,
                    struct err *err)
{
    struct buf path;
    start_path(&path, github);
    buf_puts(&path, "/actions/workflows/");
    rep_url_encode(&path, workflow_file);
    buf_printf(&path, "/runs?event=%s&per_page=100&branch=", trigger);
    rep_url_encode(&path, branch);
    if (status)
        buf_printf(&path, "&status=%s", status);
    int ret = list(github, &path, "workflow_runs", 1, "list earlier runs", "actions: read", page,
                   context, err);
    buf_fini(&path);
    return ret;
}

int rep_github_merge_base(const struct rep_github *github, const char *base_ref,
                          const char *head_sha, char sha[REP_SHA_SIZE], int64_t *committed_unix,
                          struct err *err)
{
    struct buf path;
    struct rep_response response = {0};
    start_path(&path, github);
    buf_puts(&path, "/compare/");
    rep_url_encode(&path, base_ref);
    buf_printf(&path, "...%s?per_page=1", head_sha);
    int ret = buf_status(&path)
                  ? err_set(err, -EPROTO,
                            "cannot find the merge base: the branch's "
                            "name is too long")
                  : get(github, path.data, "find the merge base", "contents: read", &response, err);
    if (!ret) {
        const json_t *commit = json_object_get(response.json, "merge_base_commit");
        ret = rep_json_sha(json_object_get(commit, "sha"), sha);
        if (ret)
            err_set(err, ret, "cannot find the merge base: the answer has none");
        *committed_unix = rep_json_time(rep_json_at(commit, "commit.committer.date"));
    }
    rep_response_fini(&response);
    buf_fini(&path);
    return ret;
}

int rep_github_download(const struct rep_github *github, uint64_t artifact_id, const char *what,
                        struct buf *out, struct err *err)
{
    struct buf path;
    struct rep_response response = {0};
    start_path(&path, github);
    buf_printf(&path, "/actions/artifacts/%" PRIu64 "/zip", artifact_id);
    int ret = buf_status(&path);
    if (!ret)
        ret = rep_http_api(github->http, "GET", path.data, NULL, &response, err);
    if (ret) {
        ret = put_before(err, ret, "download an artifact");
    } else if (response.status != 302 || !response.location) {
        ret = refuse(&response, "download an artifact", "actions: read", err);
    } else {
        ret = rep_http_download(github->http, response.location, what, out, err);
    }
    rep_response_fini(&response);
    buf_fini(&path);
    return ret;
}

int rep_github_comments(const struct rep_github *github, uint64_t number, rep_page_fn *page,
                        void *context, struct err *err)
{
    struct buf path;
    start_path(&path, github);
    buf_printf(&path, "/issues/%" PRIu64 "/comments?per_page=100", number);
    int ret = list(github, &path, NULL, MAX_PAGES, "list the comments", "pull-requests: write",
                   page, context, err);
    buf_fini(&path);
    return ret;
}

/* POST, PATCH or DELETE of a comment. @path is used up; @response for rep_response_fini() */
static int write_comment(const struct rep_github *github, const char *method, struct buf *path,
                         const char *body, long wanted, const char *what,
                         struct rep_response *response, struct err *err)
{
    *response = (struct rep_response){0};
    json_t *json = NULL;
    int ret = buf_status(path);
    if (!ret && body) {
        json = json_pack("{s:s}", "body", body);
        ret = json ? 0 : -EPROTO;
    }
    if (ret) {
        err_set(err, ret, "cannot %s: the text is not UTF-8 or memory is short", what);
        goto out;
    }
    ret = rep_http_api(github->http, method, path->data, json, response, err);
    if (ret)
        ret = put_before(err, ret, what);
    else if (response->status != wanted)
        ret = refuse(response, what, "pull-requests: write", err);
out:
    json_decref(json);
    buf_fini(path);
    return ret;
}

int rep_github_comment_create(const struct rep_github *github, uint64_t number, const char *body,
                              uint64_t *id, char login[REP_NAME_SIZE], struct err *err)
{
    *id = 0;
    login[0] = '\0';
    struct buf path;
    struct rep_response response;
    start_path(&path, github);
    buf_printf(&path, "/issues/%" PRIu64 "/comments", number);
    int ret = write_comment(github, "POST", &path, body, 201, "write the comment", &response, err);
    if (!ret) {
        const char *text = json_string_value(rep_json_at(response.json, "user.login"));
        *id = rep_json_id(json_object_get(response.json, "id"));
        (void)snprintf(login, REP_NAME_SIZE, "%s", text ? text : "");
    }
    rep_response_fini(&response);
    return ret;
}

int rep_github_comment_update(const struct rep_github *github, uint64_t comment_id,
                              const char *body, struct err *err)
{
    struct buf path;
    struct rep_response response;
    start_path(&path, github);
    buf_printf(&path, "/issues/comments/%" PRIu64, comment_id);
    int ret =
        write_comment(github, "PATCH", &path, body, 200, "update the comment", &response, err);
    rep_response_fini(&response);
    return ret;
}

int rep_github_comment_delete(const struct rep_github *github, uint64_t comment_id, struct err *err)
{
    struct buf path;
    struct rep_response response;
    start_path(&path, github);
    buf_printf(&path, "/issues/comments/%" PRIu64, comment_id);
    int ret = write_comment(github, "DELETE", &path, NULL, 204, "remove a double of the comment",
                            &response, err);
    rep_response_fini(&response);
    return ret == -ENOENT ? 0 : ret;
}
