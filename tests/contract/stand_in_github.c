/* SPDX-License-Identifier: MIT */
/* What the stand-in answers, by its state. */
#include "stand_in_github.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "stand_in.h"

#define FIRST_COMMENT_ID 1000

static void complain(struct github *github, const char *method, const char *url, const char *what)
{
    buf_printf(&github->violations, "%s %s: %s\n", method, url, what);
}

static json_t *error_body(const char *message)
{
    return json_pack("{s:s, s:s}", "message", message, "documentation_url",
                     "https://docs.github.com/rest");
}

void github_answer_error(struct answer *answer, unsigned int status, const char *message)
{
    answer->status = status;
    json_decref(answer->json);
    answer->json = error_body(message);
}

static const char *query(struct MHD_Connection *connection, const char *key)
{
    return MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, key);
}

static uint64_t number_of(const char *text, uint64_t otherwise)
{
    return text ? strtoull(text, NULL, 10) : otherwise;
}

/* A page of a list, with a header Link to the next one as GitHub writes it. */
static void answer_list(struct github *github, struct MHD_Connection *connection, const char *url,
                        json_t *all, const char *wrap, struct answer *answer)
{
    uint64_t most = (uint64_t)json_integer_value(json_object_get(github->state, "page_size"));
    uint64_t size = number_of(query(connection, "per_page"), 30);
    uint64_t page = number_of(query(connection, "page"), 1);
    if (most && size > most)
        size = most;
    json_t *part = json_array();
    for (uint64_t i = (page - 1) * size; i < page * size && i < json_array_size(all); i++)
        json_array_append(part, json_array_get(all, i));
    if (page * size < json_array_size(all)) {
        struct buf link;
        buf_init(&link, 4096);
        buf_printf(&link, "<%s%s?per_page=%" PRIu64 "&page=%" PRIu64, github->url, url, size,
                   page + 1);
        if (query(connection, "name")) /* what was asked for holds for the next page, too */
            buf_printf(&link, "&name=%s", query(connection, "name"));
        buf_printf(&link, ">; rel=\"next\", <%s%s?page=99>; rel=\"last\"", github->url, url);
        answer->link = buf_take(&link);
    }
    answer->json =
        wrap ? json_pack("{s:I, s:o}", "total_count", (json_int_t)json_array_size(all), wrap, part)
             : part;
    answer->status = 200;
    json_decref(all);
}

bool github_text_is(const json_t *object, const char *key, const char *wanted)
{
    const char *text = json_string_value(json_object_get(object, key));
    return !wanted || (text && !strcmp(text, wanted));
}

uint64_t github_id(const json_t *object)
{
    return (uint64_t)json_integer_value(json_object_get(object, "id"));
}

static void list_pulls(struct github *github, struct MHD_Connection *connection, const char *url,
                       struct answer *answer)
{
    const char *head = query(connection, "head");
    const char *colon = head ? strchr(head, ':') : NULL;
    json_t *all = json_array();
    size_t i;
    json_t *pull;
    json_array_foreach(json_object_get(github->state, "pulls"), i, pull)
    {
        const json_t *its = json_object_get(pull, "head");
        const char *owner =
            json_string_value(json_object_get(json_object_get(its, "user"), "login"));
        /* as GitHub: a head without "owner:" is ignored */
        bool fits = !colon ||
                    (owner && strlen(owner) == (size_t)(colon - head) &&
                     !strncmp(owner, head, strlen(owner)) && github_text_is(its, "ref", colon + 1));
        if (fits && github_text_is(pull, "state", query(connection, "state")))
            json_array_append(all, pull);
    }
    answer_list(github, connection, url, all, NULL, answer);
}

/* Is it a run of this workflow? The path may have "@" and a ref behind it. */
static bool is_of_workflow(const json_t *run, const char *file, size_t length)
{
    const char *path = json_string_value(json_object_get(run, "path"));
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash && strcspn(slash + 1, "@") == length && !strncmp(slash + 1, file, length);
}

static void list_runs(struct github *github, struct MHD_Connection *connection, const char *url,
                      const char *file, size_t length, struct answer *answer)
{
    json_t *all = json_array();
    size_t i;
    json_t *run;
    json_array_foreach(json_object_get(github->state, "runs"), i, run)
    {
        if (is_of_workflow(run, file, length) &&
            github_text_is(run, "event", query(connection, "event")) &&
            github_text_is(run, "head_branch", query(connection, "branch")) &&
            github_text_is(run, "status", query(connection, "status"))) {
            json_array_append(all, run);
        }
    }
    answer_list(github, connection, url, all, "workflow_runs", answer);
}

/* Artifacts without what only the stand-in knows. */
static void list_artifacts(struct github *github, struct MHD_Connection *connection,
                           const char *url, uint64_t run_id, struct answer *answer)
{
    json_t *all = json_array();
    size_t i;
    json_t *artifact;
    json_array_foreach(json_object_get(github->state, "artifacts"), i, artifact)
    {
        const json_t *run = json_object_get(artifact, "workflow_run");
        if ((run_id && github_id(run) != run_id) ||
            !github_text_is(artifact, "name", query(connection, "name")))
            continue;
        json_t *shown = json_deep_copy(artifact);
        json_object_del(shown, "file");
        json_object_del(shown, "stream_bytes");
        json_object_del(shown, "location");
        json_array_append_new(all, shown);
    }
    answer_list(github, connection, url, all, "artifacts", answer);
}

static json_t *find_artifact(struct github *github, uint64_t id)
{
    size_t i;
    json_t *artifact;
    json_array_foreach(json_object_get(github->state, "artifacts"), i, artifact)
    {
        if (github_id(artifact) == id)
            return artifact;
    }
    return NULL;
}

static void answer_zip(struct github *github, uint64_t id, struct answer *answer)
{
    const json_t *artifact = find_artifact(github, id);
    if (!artifact) {
        github_answer_error(answer, 404, "Not Found");
    } else if (json_is_true(json_object_get(artifact, "gone"))) {
        github_answer_error(answer, 410, "Artifact has expired");
    } else {
        const char *elsewhere = json_string_value(json_object_get(artifact, "location"));
        struct buf location;
        buf_init(&location, 4096);
        if (elsewhere)
            buf_puts(&location, elsewhere);
        else
            buf_printf(&location, "%s/_blob/%" PRIu64 "?sig=s3cr%%2Bt", github->storage, id);
        answer->status = 302;
        answer->location = buf_take(&location);
    }
}

static void answer_blob(struct github *github, struct MHD_Connection *connection, const char *url,
                        uint64_t id, struct answer *answer)
{
    const char *sig = query(connection, "sig");
    if (MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Authorization")) {
        complain(github, "GET", url, "the token was sent to the storage host");
        github_answer_error(answer, 400, "InvalidAuthenticationInfo");
        return;
    }
    if (!sig || strcmp(sig, "s3cr+t") != 0) {
        complain(github, "GET", url, "the signed query was changed");
        github_answer_error(answer, 403, "AuthenticationFailed");
        return;
    }
    const json_t *artifact = find_artifact(github, id);
    const char *file = json_string_value(json_object_get(artifact, "file"));
    answer->stream_bytes = (uint64_t)json_integer_value(json_object_get(artifact, "stream_bytes"));
    answer->is_file = true;
    answer->status = 200;
    buf_init(&answer->file, 64u << 20);
    if (!answer->stream_bytes && (!file || file_read(file, &answer->file, NULL)))
        github_answer_error(answer, 404, "BlobNotFound");
}

json_t *github_comments(struct github *github, const char *issue)
{
    json_t *comments = json_object_get(github->state, "comments");
    if (!comments) {
        comments = json_object();
        json_object_set_new(github->state, "comments", comments);
    }
    json_t *list = json_object_get(comments, issue);
    if (!list) {
        list = json_array();
        json_object_set_new(comments, issue, list);
    }
    return list;
}

/* A comment without what only the stand-in knows. */
static json_t *shown_comment(const json_t *comment)
{
    json_t *shown = json_deep_copy(comment);
    json_object_del(shown, "lag");
    return shown;
}

/* What is listed: without what was written so shortly before that "lag" lists do not show it. */
static json_t *listed_comments(struct github *github, const char *issue)
{
    json_t *listed = json_array();
    size_t i;
    json_t *comment;
    json_array_foreach(github_comments(github, issue), i, comment)
    {
        json_int_t lag = json_integer_value(json_object_get(comment, "lag"));
        if (lag)
            json_object_set_new(comment, "lag", json_integer(lag - 1));
        else
            json_array_append_new(listed, shown_comment(comment));
    }
    return listed;
}

json_t *github_add_comment(struct github *github, const char *issue, const char *login,
                           const char *body)
{
    json_t *comment = json_pack("{s:I, s:s, s:{s:s, s:s}}", "id", (json_int_t)github->next_id++,
                                "body", body, "user", "login", login, "type", "Bot");
    json_array_append(github_comments(github, issue), comment);
    return comment;
}

/* Find a comment. @index filled when found */
static json_t *find_comment(struct github *github, uint64_t id, json_t **list, size_t *index)
{
    const char *issue;
    json_t *comments;
    json_object_foreach(json_object_get(github->state, "comments"), issue, comments)
    {
        size_t i;
        json_t *comment;
        json_array_foreach(comments, i, comment)
        {
            if (github_id(comment) == id) {
                *list = comments;
                *index = i;
                return comment;
            }
        }
    }
    return NULL;
}

/* The text of a request that writes a comment; NULL and an answer when it is not right. */
static const char *body_text(struct github *github, const char *method, const char *url,
                             const json_t *body, struct answer *answer)
{
    const char *text = json_string_value(json_object_get(body, "body"));
    if (!text || json_object_size(body) != 1) {
        complain(github, method, url, "the body is not {\"body\": text}");
        github_answer_error(answer, 422, "Validation Failed");
        return NULL;
    }
    if (strlen(text) > 65536) {
        complain(github, method, url, "the comment is too long");
        github_answer_error(answer, 422, "Body is too long (maximum is 65536 characters)");
        return NULL;
    }
    return text;
}

static void handle_issue(struct github *github, struct MHD_Connection *connection,
                         const char *method, const char *url, const char *issue, const json_t *body,
                         struct answer *answer)
{
    if (!strcmp(method, "GET")) {
        answer_list(github, connection, url, listed_comments(github, issue), NULL, answer);
        return;
    }
    const char *text = body_text(github, method, url, body, answer);
    if (text) {
        json_t *comment = github_add_comment(github, issue, STAND_IN_LOGIN, text);
        answer->json = shown_comment(comment);
        answer->status = 201;
        json_object_set(comment, "lag", json_object_get(github->state, "lag"));
        json_decref(comment);
    }
}

static void handle_comment(struct github *github, const char *method, const char *url, uint64_t id,
                           const json_t *body, struct answer *answer)
{
    json_t *list = NULL;
    size_t index = 0;
    json_t *comment = find_comment(github, id, &list, &index);
    if (!comment) {
        github_answer_error(answer, 404, "Not Found");
    } else if (!strcmp(method, "DELETE")) {
        json_array_remove(list, index);
        answer->status = 204;
    } else {
        const char *text = body_text(github, method, url, body, answer);
        if (!text)
            return;
        json_object_set_new(comment, "body", json_string(text));
        answer->json = shown_comment(comment);
        answer->status = 200;
    }
}

static void check_headers(struct github *github, struct MHD_Connection *connection,
                          const char *method, const char *url, bool has_body)
{
    static const struct {
        const char *name, *wanted;
    } headers[] = {{"Authorization", "Bearer " STAND_IN_TOKEN},
                   {"Accept", "application/vnd.github+json"},
                   {"X-GitHub-Api-Version", "2022-11-28"},
                   {"User-Agent", "tracetax-report"}};
    for (size_t i = 0; i < ARRAY_LEN(headers); i++) {
        const char *value =
            MHD_lookup_connection_value(connection, MHD_HEADER_KIND, headers[i].name);
        if (!value || strcmp(value, headers[i].wanted) != 0)
            complain(github, method, url, headers[i].name);
    }
    const char *type = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Type");
    if (has_body && (!type || strncmp(type, "application/json", 16) != 0))
        complain(github, method, url, "Content-Type");
    if (number_of(query(connection, "per_page"), 30) > 100)
        complain(github, method, url, "per_page over 100");
}

/* The rest of @url after @prefix; NULL when it starts otherwise. */
static const char *after(const char *url, const char *prefix)
{
    size_t length = strlen(prefix);
    return !strncmp(url, prefix, length) ? url + length : NULL;
}

static void handle_actions(struct github *github, struct MHD_Connection *connection,
                           const char *url, const char *rest, struct answer *answer)
{
    char *end = NULL;
    const char *at;
    if (!strcmp(rest, "artifacts")) {
        list_artifacts(github, connection, url, 0, answer);
    } else if ((at = after(rest, "artifacts/")) && strtoull(at, &end, 10) && !strcmp(end, "/zip")) {
        answer_zip(github, strtoull(at, NULL, 10), answer);
    } else if ((at = after(rest, "runs/")) && strtoull(at, &end, 10) &&
               !strcmp(end, "/artifacts")) {
        list_artifacts(github, connection, url, strtoull(at, NULL, 10), answer);
    } else if ((at = after(rest, "workflows/")) && !strcmp(at + strcspn(at, "/"), "/runs")) {
        list_runs(github, connection, url, at, strcspn(at, "/"), answer);
    } else {
        complain(github, "GET", url, "no such path");
        github_answer_error(answer, 404, "Not Found");
    }
}

void github_handle(struct github *github, struct MHD_Connection *connection, const char *method,
                   const char *url, const json_t *body, struct answer *answer)
{
    const char *at = after(url, "/_blob/");
    if (at) {
        answer_blob(github, connection, url, strtoull(at, NULL, 10), answer);
        return;
    }
    check_headers(github, connection, method, url, body != NULL);
    const char *rest = after(url, "/repos/acme/tracer/");
    if (rest && !strcmp(rest, "pulls")) {
        list_pulls(github, connection, url, answer);
    } else if (rest && (at = after(rest, "actions/"))) {
        handle_actions(github, connection, url, at, answer);
    } else if (rest && (at = after(rest, "compare/"))) {
        const json_t *compared = json_object_get(json_object_get(github->state, "compare"), at);
        answer->json = compared ? json_deep_copy(compared) : error_body("Not Found");
        answer->status = compared ? 200 : 404;
    } else if (rest && (at = after(rest, "issues/comments/"))) {
        handle_comment(github, method, url, strtoull(at, NULL, 10), body, answer);
    } else if (rest && (at = after(rest, "issues/")) && strstr(at, "/comments")) {
        char issue[24] = {0};
        (void)snprintf(issue, sizeof(issue), "%.*s", (int)strcspn(at, "/"), at);
        handle_issue(github, connection, method, url, issue, body, answer);
    } else {
        complain(github, method, url, "no such path");
        github_answer_error(answer, 404, "Not Found");
    }
}

/* Comments that the state holds already keep their numbers. */
uint64_t github_highest_comment(const json_t *state)
{
    uint64_t highest = FIRST_COMMENT_ID - 1;
    const char *issue;
    json_t *comments;
    json_object_foreach(json_object_get(state, "comments"), issue, comments)
    {
        size_t i;
        json_t *comment;
        json_array_foreach(comments, i, comment)
        {
            if (github_id(comment) > highest)
                highest = github_id(comment);
        }
    }
    return highest;
}

void github_answer_fini(struct answer *answer)
{
    json_decref(answer->json);
    buf_fini(&answer->file);
    free(answer->location);
    free(answer->link);
}
