/* SPDX-License-Identifier: MIT */
/* A small GitHub for tests. */
#include "stand_in.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <microhttpd.h>

#include "common/buf.h"
#include "common/file.h"

#define FAULTS_MAX 16
#define HUNG_MAX 16
#define BODY_MAX_BYTES (1u << 20)
#define FIRST_COMMENT_ID 1000

struct stand_in {
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock;
    json_t *state;
    json_t *log; /* of {method, url, status, body, answer} */
    struct buf violations;
    struct stand_in_fault faults[FAULTS_MAX];
    size_t faults_count;
    struct MHD_Connection *hung[HUNG_MAX];
    size_t hung_count;
    uint64_t next_id;
    char url[64];
    char storage[64];
};

/* One request while its body comes in. */
struct request {
    struct buf body;
};

/* What is answered. */
struct answer {
    unsigned int status;
    json_t *json;    /* owned; or */
    struct buf file; /* owned; or */
    uint64_t stream_bytes;
    char *location; /* owned */
    char *link;     /* owned */
    bool is_file;
};

static void complain(struct stand_in *server, const char *method, const char *url, const char *what)
{
    buf_printf(&server->violations, "%s %s: %s\n", method, url, what);
}

static json_t *error_body(const char *message)
{
    return json_pack("{s:s, s:s}", "message", message, "documentation_url",
                     "https://docs.github.com/rest");
}

static void answer_error(struct answer *answer, unsigned int status, const char *message)
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
static void answer_list(struct stand_in *server, struct MHD_Connection *connection, const char *url,
                        json_t *all, const char *wrap, struct answer *answer)
{
    uint64_t most = (uint64_t)json_integer_value(json_object_get(server->state, "page_size"));
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
        buf_printf(&link,
                   "<%s%s?per_page=%" PRIu64 "&page=%" PRIu64 ">; rel=\"next\", <%s%s?page=99>; "
                   "rel=\"last\"",
                   server->url, url, size, page + 1, server->url, url);
        answer->link = buf_take(&link);
    }
    answer->json =
        wrap ? json_pack("{s:I, s:o}", "total_count", (json_int_t)json_array_size(all), wrap, part)
             : part;
    answer->status = 200;
    json_decref(all);
}

static bool text_is(const json_t *object, const char *key, const char *wanted)
{
    const char *text = json_string_value(json_object_get(object, key));
    return !wanted || (text && !strcmp(text, wanted));
}

static uint64_t id_of(const json_t *object)
{
    return (uint64_t)json_integer_value(json_object_get(object, "id"));
}

static void list_pulls(struct stand_in *server, struct MHD_Connection *connection, const char *url,
                       struct answer *answer)
{
    const char *head = query(connection, "head");
    const char *colon = head ? strchr(head, ':') : NULL;
    json_t *all = json_array();
    size_t i;
    json_t *pull;
    json_array_foreach(json_object_get(server->state, "pulls"), i, pull)
    {
        const json_t *its = json_object_get(pull, "head");
        const char *owner =
            json_string_value(json_object_get(json_object_get(its, "user"), "login"));
        /* as GitHub: a head without "owner:" is ignored */
        bool fits =
            !colon || (owner && strlen(owner) == (size_t)(colon - head) &&
                       !strncmp(owner, head, strlen(owner)) && text_is(its, "ref", colon + 1));
        if (fits && text_is(pull, "state", query(connection, "state")))
            json_array_append(all, pull);
    }
    answer_list(server, connection, url, all, NULL, answer);
}

static void list_runs(struct stand_in *server, struct MHD_Connection *connection, const char *url,
                      struct answer *answer)
{
    json_t *all = json_array();
    size_t i;
    json_t *run;
    json_array_foreach(json_object_get(server->state, "runs"), i, run)
    {
        if (text_is(run, "event", query(connection, "event")) &&
            text_is(run, "head_branch", query(connection, "branch")) &&
            text_is(run, "status", query(connection, "status"))) {
            json_array_append(all, run);
        }
    }
    answer_list(server, connection, url, all, "workflow_runs", answer);
}

/* Artifacts without what only the stand-in knows. */
static void list_artifacts(struct stand_in *server, struct MHD_Connection *connection,
                           const char *url, uint64_t run_id, struct answer *answer)
{
    json_t *all = json_array();
    size_t i;
    json_t *artifact;
    json_array_foreach(json_object_get(server->state, "artifacts"), i, artifact)
    {
        const json_t *run = json_object_get(artifact, "workflow_run");
        if ((run_id && id_of(run) != run_id) ||
            !text_is(artifact, "name", query(connection, "name")))
            continue;
        json_t *shown = json_deep_copy(artifact);
        json_object_del(shown, "file");
        json_object_del(shown, "stream_bytes");
        json_object_del(shown, "location");
        json_array_append_new(all, shown);
    }
    answer_list(server, connection, url, all, "artifacts", answer);
}

static json_t *find_artifact(struct stand_in *server, uint64_t id)
{
    size_t i;
    json_t *artifact;
    json_array_foreach(json_object_get(server->state, "artifacts"), i, artifact)
    {
        if (id_of(artifact) == id)
            return artifact;
    }
    return NULL;
}

static void answer_zip(struct stand_in *server, uint64_t id, struct answer *answer)
{
    const json_t *artifact = find_artifact(server, id);
    if (!artifact) {
        answer_error(answer, 404, "Not Found");
    } else if (json_is_true(json_object_get(artifact, "gone"))) {
        answer_error(answer, 410, "Artifact has expired");
    } else {
        const char *elsewhere = json_string_value(json_object_get(artifact, "location"));
        struct buf location;
        buf_init(&location, 4096);
        if (elsewhere)
            buf_puts(&location, elsewhere);
        else
            buf_printf(&location, "%s/_blob/%" PRIu64 "?sig=s3cr%%2Bt", server->storage, id);
        answer->status = 302;
        answer->location = buf_take(&location);
    }
}

static void answer_blob(struct stand_in *server, struct MHD_Connection *connection, const char *url,
                        uint64_t id, struct answer *answer)
{
    const char *sig = query(connection, "sig");
    if (MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Authorization")) {
        complain(server, "GET", url, "the token was sent to the storage host");
        answer_error(answer, 400, "InvalidAuthenticationInfo");
        return;
    }
    if (!sig || strcmp(sig, "s3cr+t") != 0) {
        complain(server, "GET", url, "the signed query was changed");
        answer_error(answer, 403, "AuthenticationFailed");
        return;
    }
    const json_t *artifact = find_artifact(server, id);
    const char *file = json_string_value(json_object_get(artifact, "file"));
    answer->stream_bytes = (uint64_t)json_integer_value(json_object_get(artifact, "stream_bytes"));
    answer->is_file = true;
    answer->status = 200;
    buf_init(&answer->file, 64u << 20);
    if (!answer->stream_bytes && (!file || file_read(file, &answer->file, NULL)))
        answer_error(answer, 404, "BlobNotFound");
}

static json_t *comments_of(struct stand_in *server, const char *issue)
{
    json_t *comments = json_object_get(server->state, "comments");
    if (!comments) {
        comments = json_object();
        json_object_set_new(server->state, "comments", comments);
    }
    json_t *list = json_object_get(comments, issue);
    if (!list) {
        list = json_array();
        json_object_set_new(comments, issue, list);
    }
    return list;
}

static json_t *add_comment(struct stand_in *server, const char *issue, const char *login,
                           const char *body)
{
    json_t *comment = json_pack("{s:I, s:s, s:{s:s, s:s}}", "id", (json_int_t)server->next_id++,
                                "body", body, "user", "login", login, "type", "Bot");
    json_array_append(comments_of(server, issue), comment);
    return comment;
}

/* Find a comment. @index filled when found */
static json_t *find_comment(struct stand_in *server, uint64_t id, json_t **list, size_t *index)
{
    const char *issue;
    json_t *comments;
    json_object_foreach(json_object_get(server->state, "comments"), issue, comments)
    {
        size_t i;
        json_t *comment;
        json_array_foreach(comments, i, comment)
        {
            if (id_of(comment) == id) {
                *list = comments;
                *index = i;
                return comment;
            }
        }
    }
    return NULL;
}

/* The text of a request that writes a comment; NULL and an answer when it is not right. */
static const char *body_text(struct stand_in *server, const char *method, const char *url,
                             const json_t *body, struct answer *answer)
{
    const char *text = json_string_value(json_object_get(body, "body"));
    if (!text || json_object_size(body) != 1) {
        complain(server, method, url, "the body is not {\"body\": text}");
        answer_error(answer, 422, "Validation Failed");
        return NULL;
    }
    if (strlen(text) > 65536) {
        complain(server, method, url, "the comment is too long");
        answer_error(answer, 422, "Body is too long (maximum is 65536 characters)");
        return NULL;
    }
    return text;
}

static void handle_issue(struct stand_in *server, struct MHD_Connection *connection,
                         const char *method, const char *url, const char *issue, const json_t *body,
                         struct answer *answer)
{
    if (!strcmp(method, "GET")) {
        answer_list(server, connection, url, json_deep_copy(comments_of(server, issue)), NULL,
                    answer);
        return;
    }
    const char *text = body_text(server, method, url, body, answer);
    if (text) {
        answer->json = add_comment(server, issue, STAND_IN_LOGIN, text);
        answer->status = 201;
    }
}

static void handle_comment(struct stand_in *server, const char *method, const char *url,
                           uint64_t id, const json_t *body, struct answer *answer)
{
    json_t *list = NULL;
    size_t index = 0;
    json_t *comment = find_comment(server, id, &list, &index);
    if (!comment) {
        answer_error(answer, 404, "Not Found");
    } else if (!strcmp(method, "DELETE")) {
        json_array_remove(list, index);
        answer->status = 204;
    } else {
        const char *text = body_text(server, method, url, body, answer);
        if (!text)
            return;
        json_object_set_new(comment, "body", json_string(text));
        answer->json = json_incref(comment);
        answer->status = 200;
    }
}

static void check_headers(struct stand_in *server, struct MHD_Connection *connection,
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
            complain(server, method, url, headers[i].name);
    }
    const char *type = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Type");
    if (has_body && (!type || strncmp(type, "application/json", 16) != 0))
        complain(server, method, url, "Content-Type");
    if (number_of(query(connection, "per_page"), 30) > 100)
        complain(server, method, url, "per_page over 100");
}

/* The rest of @url after @prefix; NULL when it starts otherwise. */
static const char *after(const char *url, const char *prefix)
{
    size_t length = strlen(prefix);
    return !strncmp(url, prefix, length) ? url + length : NULL;
}

static void handle_actions(struct stand_in *server, struct MHD_Connection *connection,
                           const char *url, const char *rest, struct answer *answer)
{
    char *end = NULL;
    const char *at;
    if (!strcmp(rest, "artifacts")) {
        list_artifacts(server, connection, url, 0, answer);
    } else if ((at = after(rest, "artifacts/")) && strtoull(at, &end, 10) && !strcmp(end, "/zip")) {
        answer_zip(server, strtoull(at, NULL, 10), answer);
    } else if ((at = after(rest, "runs/")) && strtoull(at, &end, 10) &&
               !strcmp(end, "/artifacts")) {
        list_artifacts(server, connection, url, strtoull(at, NULL, 10), answer);
    } else if (!strcmp(rest, "workflows/benchmark.yml/runs")) {
        list_runs(server, connection, url, answer);
    } else {
        complain(server, "GET", url, "no such path");
        answer_error(answer, 404, "Not Found");
    }
}

static void handle(struct stand_in *server, struct MHD_Connection *connection, const char *method,
                   const char *url, const json_t *body, struct answer *answer)
{
    const char *at = after(url, "/_blob/");
    if (at) {
        answer_blob(server, connection, url, strtoull(at, NULL, 10), answer);
        return;
    }
    check_headers(server, connection, method, url, body != NULL);
    const char *rest = after(url, "/repos/acme/tracer/");
    if (rest && !strcmp(rest, "pulls")) {
        list_pulls(server, connection, url, answer);
    } else if (rest && (at = after(rest, "actions/"))) {
        handle_actions(server, connection, url, at, answer);
    } else if (rest && (at = after(rest, "compare/"))) {
        const json_t *compared = json_object_get(json_object_get(server->state, "compare"), at);
        answer->json = compared ? json_deep_copy(compared) : error_body("Not Found");
        answer->status = compared ? 200 : 404;
    } else if (rest && (at = after(rest, "issues/comments/"))) {
        handle_comment(server, method, url, strtoull(at, NULL, 10), body, answer);
    } else if (rest && (at = after(rest, "issues/")) && strstr(at, "/comments")) {
        char issue[24] = {0};
        (void)snprintf(issue, sizeof(issue), "%.*s", (int)strcspn(at, "/"), at);
        handle_issue(server, connection, method, url, issue, body, answer);
    } else {
        complain(server, method, url, "no such path");
        answer_error(answer, 404, "Not Found");
    }
}

static struct stand_in_fault *find_fault(struct stand_in *server, const char *method,
                                         const char *url)
{
    for (size_t i = 0; i < server->faults_count; i++) {
        struct stand_in_fault *fault = &server->faults[i];
        if (fault->times && (!fault->method || !strcmp(fault->method, method)) &&
            (!fault->match || strstr(url, fault->match))) {
            fault->times--;
            return fault;
        }
    }
    return NULL;
}

static ssize_t read_zeros(void *context, uint64_t at, char *out, size_t room)
{
    const uint64_t *total = context;
    if (at >= *total)
        return MHD_CONTENT_READER_END_OF_STREAM;
    uint64_t left = *total - at;
    size_t n = left < room ? (size_t)left : room;
    memset(out, 0, n);
    return (ssize_t)n;
}

/* Half of what was announced, then the connection ends. */
static ssize_t read_half(void *context, uint64_t at, char *out, size_t room)
{
    const struct buf *whole = context;
    uint64_t half = whole->size_bytes / 2;
    if (at >= half)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    size_t n = half - at < room ? (size_t)(half - at) : room;
    memcpy(out, whole->data + at, n);
    return (ssize_t)n;
}

static void free_buf(void *context)
{
    buf_fini(context);
    free(context);
}

static enum MHD_Result send_answer(struct MHD_Connection *connection, struct answer *answer,
                                   const struct stand_in_fault *fault)
{
    struct buf *text = calloc(1, sizeof(*text));
    if (!text)
        return MHD_NO;
    buf_init(text, 64u << 20);
    if (answer->is_file && answer->status == 200) {
        buf_append(text, answer->file.data, answer->file.size_bytes);
    } else if (answer->json) {
        char *json = json_dumps(answer->json, JSON_COMPACT);
        buf_puts(text, json ? json : "");
        free(json);
    }
    if (fault && fault->cut)
        buf_truncate(text, text->size_bytes / 2);

    struct MHD_Response *response;
    if (answer->stream_bytes) {
        uint64_t *total = malloc(sizeof(*total));
        if (total)
            *total = answer->stream_bytes;
        free_buf(text);
        response =
            MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 65536, read_zeros, total, free);
    } else if (fault && fault->break_off) {
        response =
            MHD_create_response_from_callback(text->size_bytes, 65536, read_half, text, free_buf);
    } else {
        response = MHD_create_response_from_buffer(text->size_bytes, text->data ? text->data : "",
                                                   MHD_RESPMEM_MUST_COPY);
        free_buf(text);
    }
    MHD_add_response_header(response, "Content-Type", "application/json; charset=utf-8");
    if (answer->link)
        MHD_add_response_header(response, "Link", answer->link);
    if (answer->location)
        MHD_add_response_header(response, "Location", answer->location);
    if (fault && fault->header)
        MHD_add_response_header(response, fault->header, fault->value);
    enum MHD_Result ret = MHD_queue_response(connection, answer->status, response);
    MHD_destroy_response(response);
    return ret;
}

static void answer_fini(struct answer *answer)
{
    json_decref(answer->json);
    buf_fini(&answer->file);
    free(answer->location);
    free(answer->link);
}

struct query_text {
    struct buf *out;
};

static enum MHD_Result on_query(void *context, enum MHD_ValueKind kind, const char *key,
                                const char *value)
{
    (void)kind;
    struct buf *out = ((struct query_text *)context)->out;
    buf_printf(out, "%s%s=%s", strchr(out->data, '?') ? "&" : "?", key, value ? value : "");
    return MHD_YES;
}

/* For the referee that holds every exchange against GitHub's own description. */
static void keep_log(struct stand_in *server, struct MHD_Connection *connection, const char *method,
                     const char *url, const struct request *request, const struct answer *answer,
                     bool failed)
{
    struct buf whole;
    buf_init(&whole, 65536);
    buf_puts(&whole, url);
    struct query_text text = {.out = &whole};
    MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, on_query, &text);
    json_array_append_new(server->log, json_pack("{s:s, s:s, s:s, s:i, s:b, s:s?, s:O?}", "method",
                                                 method, "path", url, "url", whole.data, "status",
                                                 (int)answer->status, "failed", failed, "body",
                                                 request->body.data, "answer", answer->json));
    buf_fini(&whole);
}

static enum MHD_Result respond(struct stand_in *server, struct MHD_Connection *connection,
                               const char *method, const char *url, const struct request *request)
{
    struct answer answer = {.status = 500};
    json_t *body = request->body.size_bytes
                       ? json_loadb(request->body.data, request->body.size_bytes, 0, NULL)
                       : NULL;
    pthread_mutex_lock(&server->lock);
    struct stand_in_fault *fault = find_fault(server, method, url);
    if (fault && fault->hook)
        fault->hook(server, fault->context);
    if (!fault || fault->apply || !fault->status)
        handle(server, connection, method, url, body, &answer);
    if (fault && fault->status) {
        answer_error(&answer, fault->status, fault->message ? fault->message : "injected");
        answer.is_file = false;
    }
    keep_log(server, connection, method, url, request, &answer, fault != NULL);
    enum MHD_Result ret = MHD_YES;
    if (fault && fault->hang && server->hung_count < HUNG_MAX) {
        server->hung[server->hung_count++] = connection;
        MHD_suspend_connection(connection);
    } else if (fault && fault->drop) {
        ret = MHD_NO;
    } else {
        ret = send_answer(connection, &answer, fault);
    }
    pthread_mutex_unlock(&server->lock);
    answer_fini(&answer);
    json_decref(body);
    return ret;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *size_bytes, void **state)
{
    (void)version;
    struct request *request = *state;
    if (!request) {
        request = calloc(1, sizeof(*request));
        if (!request)
            return MHD_NO;
        buf_init(&request->body, BODY_MAX_BYTES);
        *state = request;
        return MHD_YES;
    }
    if (*size_bytes) {
        buf_append(&request->body, data, *size_bytes);
        *size_bytes = 0;
        return MHD_YES;
    }
    return respond(context, connection, method, url, request);
}

static void on_done(void *context, struct MHD_Connection *connection, void **state,
                    enum MHD_RequestTerminationCode code)
{
    (void)context;
    (void)connection;
    (void)code;
    struct request *request = *state;
    if (request)
        buf_fini(&request->body);
    free(request);
    *state = NULL;
}

/* Comments that the state holds already keep their numbers. */
static uint64_t highest_comment(const json_t *state)
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
            if (id_of(comment) > highest)
                highest = id_of(comment);
        }
    }
    return highest;
}

struct stand_in *stand_in_start(const char *state)
{
    struct stand_in *server = calloc(1, sizeof(*server));
    if (!server)
        return NULL;
    json_error_t error;
    server->state = json_loads(state, 0, &error);
    server->log = json_array();
    buf_init(&server->violations, 65536);
    pthread_mutex_init(&server->lock, NULL);
    server->next_id = 1 + highest_comment(server->state);
    if (!server->state)
        (void)fprintf(stderr, "the state is not JSON: line %d: %s\n", error.line, error.text);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    server->daemon =
        MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL,
                         on_request, server, MHD_OPTION_SOCK_ADDR, &address,
                         MHD_OPTION_NOTIFY_COMPLETED, on_done, NULL, MHD_OPTION_END);
    if (!server->state || !server->daemon) {
        stand_in_stop(server);
        return NULL;
    }
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    (void)snprintf(server->url, sizeof(server->url), "http://127.0.0.1:%u",
                   (unsigned int)info->port);
    /* another host name, as GitHub's storage is */
    (void)snprintf(server->storage, sizeof(server->storage), "http://localhost:%u",
                   (unsigned int)info->port);
    return server;
}

/* One exchange a line, for the referee of `make contract`. */
static void append_log(const struct stand_in *server)
{
    const char *path = getenv("TRACETAX_CONTRACT_LOG");
    FILE *file = path ? fopen(path, "ae") : NULL;
    size_t i;
    json_t *entry;
    if (!file)
        return;
    json_array_foreach(server->log, i, entry)
    {
        char *line = json_dumps(entry, JSON_COMPACT);
        (void)fprintf(file, "%s\n", line);
        free(line);
    }
    (void)fclose(file);
}

void stand_in_stop(struct stand_in *server)
{
    if (!server)
        return;
    for (size_t i = 0; i < server->hung_count; i++)
        MHD_resume_connection(server->hung[i]);
    if (server->daemon)
        MHD_stop_daemon(server->daemon);
    append_log(server);
    json_decref(server->state);
    json_decref(server->log);
    buf_fini(&server->violations);
    pthread_mutex_destroy(&server->lock);
    free(server);
}

const char *stand_in_url(const struct stand_in *server)
{
    return server->url;
}

void stand_in_fail(struct stand_in *server, const struct stand_in_fault *fault)
{
    pthread_mutex_lock(&server->lock);
    if (server->faults_count < FAULTS_MAX)
        server->faults[server->faults_count++] = *fault;
    pthread_mutex_unlock(&server->lock);
}

json_t *stand_in_comments(struct stand_in *server, unsigned int issue)
{
    char key[24];
    (void)snprintf(key, sizeof(key), "%u", issue);
    pthread_mutex_lock(&server->lock);
    json_t *copy = json_deep_copy(comments_of(server, key));
    pthread_mutex_unlock(&server->lock);
    return copy;
}

/* Also called by a fault's hook, which holds the lock already: so no lock here. */
uint64_t stand_in_comment(struct stand_in *server, unsigned int issue, const char *login,
                          const char *body)
{
    char key[24];
    (void)snprintf(key, sizeof(key), "%u", issue);
    json_t *comment = add_comment(server, key, login, body);
    uint64_t id = id_of(comment);
    json_decref(comment);
    return id;
}

void stand_in_forget_comments(struct stand_in *server, unsigned int issue)
{
    char key[24];
    (void)snprintf(key, sizeof(key), "%u", issue);
    json_array_clear(comments_of(server, key));
}

json_t *stand_in_state(struct stand_in *server)
{
    pthread_mutex_lock(&server->lock);
    json_t *copy = json_deep_copy(server->state);
    pthread_mutex_unlock(&server->lock);
    return copy;
}

size_t stand_in_count(struct stand_in *server, const char *method, const char *match)
{
    size_t count = 0;
    size_t i;
    json_t *entry;
    pthread_mutex_lock(&server->lock);
    json_array_foreach(server->log, i, entry)
    {
        const char *path = json_string_value(json_object_get(entry, "url"));
        count += (!method || text_is(entry, "method", method)) && path &&
                 (match ? strstr(path, match) != NULL : strncmp(path, "/_blob/", 7) != 0);
    }
    pthread_mutex_unlock(&server->lock);
    return count;
}

const char *stand_in_violations(struct stand_in *server)
{
    pthread_mutex_lock(&server->lock);
    const char *text = server->violations.size_bytes ? server->violations.data : NULL;
    pthread_mutex_unlock(&server->lock);
    return text;
}
