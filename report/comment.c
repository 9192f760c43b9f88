/* SPDX-License-Identifier: MIT */
/* Exactly one comment of ours on a pull request. */
#include "report/comment.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/num.h"
#include "report/url.h"

#define MARKER_START "<!-- tracetax:benchmark"
#define MARKER_END " -->"
#define STAMP_START "<!-- tracetax:run "
#define STAMP_END " -->"
/* Doubles that are removed in one go: more means that something else is wrong. */
#define OURS_MAX 10
/* Creating, losing the answer or the comment, and looking again. */
#define ROUNDS_MAX 4
/* The list may be a little older than what was just written. */
#define LAG_MS 2000

/* What we know and the list need not show. */
struct known {
    const char *author, *body;
    uint64_t created_id; /* what we have just written is ours, whoever its author is */
    bool may_be_there;   /* or nobody knows whether we have */
    uint64_t gone[ROUNDS_MAX];
    size_t gone_count;
};

/* What the list shows of ours. */
struct ours {
    const struct known *known;
    uint64_t id[OURS_MAX]; /* in the order found: ascending */
    size_t count;
    char *lowest_body; /* of the lowest id; owned */
    uint64_t lowest_id;
    char *newest_body; /* with the newest stamp; owned */
    struct rep_stamp newest;
};

int rep_comment_head(struct buf *out, const char *workflow_path, const struct rep_stamp *stamp)
{
    buf_puts(out, MARKER_START);
    if (strcmp(workflow_path, REP_WORKFLOW_DEFAULT) != 0) {
        buf_puts(out, " ");
        rep_url_encode(out, workflow_path);
    }
    buf_puts(out, MARKER_END "\n");
    if (stamp->run_id)
        buf_printf(out, STAMP_START "%" PRIu64 " %" PRIu64 " %" PRIu64 STAMP_END "\n",
                   stamp->run_number, stamp->run_id, stamp->attempt);
    return buf_status(out);
}

/* @return the length of the marker in the first line; 0: it is none */
static size_t marker_length(const char *body)
{
    size_t length = strcspn(body, "\r\n");
    size_t start = strlen(MARKER_START);
    size_t end = strlen(MARKER_END);
    if (length < start + end || strncmp(body, MARKER_START, start) != 0 ||
        strncmp(body + length - end, MARKER_END, end) != 0) {
        return 0;
    }
    size_t name = length - start - end;
    bool is_name =
        !name || (name > 1 && body[start] == ' ' && 1 + strcspn(body + start + 1, " <>") == name);
    return is_name ? length : 0;
}

bool rep_comment_is_marked(const char *body)
{
    return marker_length(body) != 0;
}

bool rep_comment_same_marker(const char *a, const char *b)
{
    size_t length = marker_length(a);
    return length && length == marker_length(b) && !memcmp(a, b, length);
}

/* One number and what must follow it. @return after both, or NULL */
static const char *read_number(const char *text, const char *then, uint64_t *out)
{
    char digits[21];
    size_t length = strspn(text, "0123456789");
    if (!length || length >= sizeof(digits))
        return NULL;
    memcpy(digits, text, length);
    digits[length] = '\0';
    if (num_parse_u64(digits, 1, UINT64_MAX, out) ||
        strncmp(text + length, then, strlen(then)) != 0) {
        return NULL;
    }
    return text + length + strlen(then);
}

int rep_comment_read_stamp(const char *body, struct rep_stamp *out)
{
    *out = (struct rep_stamp){0};
    struct rep_stamp stamp = {0};
    const char *line = strchr(body, '\n');
    if (!rep_comment_is_marked(body) || !line ||
        strncmp(line + 1, STAMP_START, strlen(STAMP_START)) != 0) {
        return -EINVAL;
    }
    const char *at = line + 1 + strlen(STAMP_START);
    at = read_number(at, " ", &stamp.run_number);
    if (at)
        at = read_number(at, " ", &stamp.run_id);
    if (at)
        at = read_number(at, STAMP_END, &stamp.attempt);
    if (!at)
        return -EINVAL;
    *out = stamp;
    return 0;
}

bool rep_stamp_is_newer(const struct rep_stamp *a, const struct rep_stamp *b)
{
    if (a->run_id != b->run_id)
        return a->run_id > b->run_id;
    return a->attempt > b->attempt;
}

bool rep_comment_same_text(const char *a, const char *b)
{
    for (;;) {
        a += *a == '\r' && a[1] == '\n';
        b += *b == '\r' && b[1] == '\n';
        if (*a != *b || !*a)
            break;
        a++;
        b++;
    }
    return !a[strspn(a, " \t\r\n")] && !b[strspn(b, " \t\r\n")];
}

static void ours_fini(struct ours *ours)
{
    free(ours->lowest_body);
    free(ours->newest_body);
    *ours = (struct ours){.known = ours->known};
}

static int replace(char **text, const char *with)
{
    char *copy = strdup(with);
    if (!copy)
        return -ENOMEM;
    free(*text);
    *text = copy;
    return 0;
}

static bool is_ours(const struct ours *ours, const json_t *comment, uint64_t id, const char *body)
{
    const struct known *known = ours->known;
    if (!id || !body || !rep_comment_same_marker(body, known->body))
        return false;
    for (size_t i = 0; i < known->gone_count; i++) {
        if (id == known->gone[i])
            return false;
    }
    if (id == known->created_id)
        return true;
    /* another app may write in the name of a bot with the same login on Enterprise */
    const json_t *app = rep_json_at(comment, "performed_via_github_app.slug");
    if (json_is_string(app) && !strcmp(known->author, "github-actions[bot]") &&
        !rep_json_is(app, "github-actions")) {
        return false;
    }
    return rep_json_is(rep_json_at(comment, "user.login"), known->author);
}

static int add(struct ours *ours, uint64_t id, const char *body)
{
    if (ours->count < OURS_MAX)
        ours->id[ours->count++] = id;
    int ret = 0;
    if (!ours->lowest_id || id < ours->lowest_id) {
        ret = replace(&ours->lowest_body, body);
        ours->lowest_id = id;
    }
    struct rep_stamp stamp;
    if (!ret && !rep_comment_read_stamp(body, &stamp) &&
        (!ours->newest_body || rep_stamp_is_newer(&stamp, &ours->newest))) {
        ret = replace(&ours->newest_body, body);
        ours->newest = stamp;
    }
    return ret;
}

static int on_page(void *context, const json_t *array)
{
    struct ours *ours = context;
    size_t index;
    json_t *comment;
    int ret = 0;
    json_array_foreach((json_t *)array, index, comment)
    {
        uint64_t id = rep_json_id(json_object_get(comment, "id"));
        const char *body = json_string_value(json_object_get(comment, "body"));
        if (is_ours(ours, comment, id, body))
            ret = add(ours, id, body);
        if (ret)
            break;
    }
    return ret;
}

/* Does the list show what we wrote before? */
static bool shows_written(const struct ours *ours)
{
    if (!ours->known->created_id)
        return ours->count || !ours->known->may_be_there;
    for (size_t i = 0; i < ours->count; i++) {
        if (ours->id[i] == ours->known->created_id)
            return true;
    }
    return false;
}

/*
 * List what is ours. What we wrote and do not find we look for once more, a little later.
 * After that a comment whose number we were told is there, whatever the list shows: with
 * another one of the same text it would be there twice.
 */
static int look(const struct rep_github *github, uint64_t number, struct ours *ours,
                struct err *err)
{
    int ret = rep_github_comments(github, number, on_page, ours, err);
    if (!ret && !shows_written(ours) && rep_http_rest(github->http, LAG_MS)) {
        ours_fini(ours);
        ret = rep_github_comments(github, number, on_page, ours, err);
    }
    if (!ret && ours->known->created_id && !shows_written(ours)) {
        ret = add(ours, ours->known->created_id, ours->known->body);
        if (ret)
            err_set(err, ret, "cannot list the comments: %s", err_text(ret));
    }
    return ret;
}

static int remove_doubles(const struct rep_github *github, const struct ours *ours,
                          struct rep_log *log, struct err *err)
{
    for (size_t i = 0; i < ours->count; i++) {
        if (ours->id[i] == ours->lowest_id)
            continue;
        int ret = rep_github_comment_delete(github, ours->id[i], err);
        if (ret)
            return ret;
        rep_log(log, REP_INFO, "removed a double of the comment");
    }
    return 0;
}

/*
 * Bring what the list shows in order: the lowest id holds the newest text, nothing else of
 * ours is there. Every reporter does the same, in whatever order, so they agree.
 * @return 0; -ESTALE: the comment went away meanwhile
 */
static int settle(const struct rep_github *github, const struct ours *ours, const char *body,
                  struct rep_log *log, enum rep_comment_outcome *outcome, struct err *err)
{
    struct rep_stamp own;
    bool newer_there = !rep_comment_read_stamp(body, &own) && ours->newest_body &&
                       rep_stamp_is_newer(&ours->newest, &own);
    const char *wanted = newer_there ? ours->newest_body : body;
    bool same = rep_comment_same_text(ours->lowest_body, wanted);
    if (!same) {
        int ret = rep_github_comment_update(github, ours->lowest_id, wanted, err);
        if (ret)
            return ret == -ENOENT ? -ESTALE : ret;
    }
    *outcome = newer_there ? REP_COMMENT_NEWER : same ? REP_COMMENT_UNCHANGED : REP_COMMENT_UPDATED;
    return remove_doubles(github, ours, log, err);
}

/* Create the comment. @return as rep_github_comment_create() */
static int create(const struct rep_github *github, uint64_t number, const char *author,
                  const char *body, struct rep_log *log, uint64_t *created_id, struct err *err)
{
    char login[REP_NAME_SIZE];
    int ret = rep_github_comment_create(github, number, body, created_id, login, err);
    if (ret == -EAGAIN)
        rep_log(log, REP_INFO, "the API did not say whether it wrote the comment: looking again");
    else if (!ret && strcmp(login, author) != 0)
        rep_log(log, REP_WARNING,
                "the comment was written as %s, not as %s, and will not be found again: use "
                "--author",
                login, author);
    return ret;
}

/* A comment that we wanted to change is not there, though a list may go on showing it. */
static void mark_gone(struct known *known, uint64_t id)
{
    if (known->gone_count < ARRAY_LEN(known->gone))
        known->gone[known->gone_count++] = id;
    if (id == known->created_id)
        known->created_id = 0;
}

int rep_comment_put(const struct rep_github *github, uint64_t number, const char *author,
                    const char *body, struct rep_log *log, enum rep_comment_outcome *outcome,
                    struct err *err)
{
    *outcome = REP_COMMENT_UNCHANGED;
    struct known known = {.author = author, .body = body};
    bool created = false;
    for (unsigned int round = 0; round < ROUNDS_MAX; round++) {
        struct ours ours = {.known = &known};
        int ret = look(github, number, &ours, err);
        size_t count = ours.count;
        if (!ret && count)
            ret = settle(github, &ours, body, log, outcome, err);
        if (ret == -ESTALE) {
            mark_gone(&known, ours.lowest_id);
            count--;
        }
        ours_fini(&ours);
        if (count && !ret && created && *outcome == REP_COMMENT_UNCHANGED)
            *outcome = REP_COMMENT_CREATED;
        if (ret != -ESTALE && (ret || count))
            return ret;
        if (count)
            continue;
        ret = create(github, number, author, body, log, &known.created_id, err);
        if (ret && ret != -EAGAIN)
            return ret;
        known.may_be_there = ret == -EAGAIN;
        created = true;
    }
    return err_set(err, -EIO, "cannot write the comment: it was not there after %d tries",
                   ROUNDS_MAX);
}
