/* SPDX-License-Identifier: MIT */
/* The server of the stand-in: connections, faults on demand, the log of what was asked. */
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
#include "stand_in_github.h"

#define FAULTS_MAX 16
#define HUNG_MAX 16
#define BODY_MAX_BYTES (1u << 20)

struct stand_in {
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock;
    struct github github;
    json_t *log; /* of {method, url, status, body, answer} */
    struct stand_in_fault faults[FAULTS_MAX];
    size_t faults_count;
    struct MHD_Connection *hung[HUNG_MAX];
    size_t hung_count;
};

/* One request while its body comes in. */
struct request {
    struct buf body;
};

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
        github_handle(&server->github, connection, method, url, body, &answer);
    if (fault && fault->status) {
        github_answer_error(&answer, fault->status, fault->message ? fault->message : "injected");
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
    github_answer_fini(&answer);
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

struct stand_in *stand_in_start(const char *state)
{
    struct stand_in *server = calloc(1, sizeof(*server));
    if (!server)
        return NULL;
    json_error_t error;
    server->github.state = json_loads(state, 0, &error);
    server->log = json_array();
    buf_init(&server->github.violations, 65536);
    /* A fault's hook calls what takes it, and has it already. */
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&server->lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    server->github.next_id = 1 + github_highest_comment(server->github.state);
    if (!server->github.state)
        (void)fprintf(stderr, "the state is not JSON: line %d: %s\n", error.line, error.text);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    server->daemon =
        MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL,
                         on_request, server, MHD_OPTION_SOCK_ADDR, &address,
                         MHD_OPTION_NOTIFY_COMPLETED, on_done, NULL, MHD_OPTION_END);
    if (!server->github.state || !server->daemon) {
        stand_in_stop(server);
        return NULL;
    }
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    pthread_mutex_lock(&server->lock);
    (void)snprintf(server->github.url, sizeof(server->github.url), "http://127.0.0.1:%u",
                   (unsigned int)info->port);
    /* another host name, as GitHub's storage is */
    (void)snprintf(server->github.storage, sizeof(server->github.storage), "http://localhost:%u",
                   (unsigned int)info->port);
    pthread_mutex_unlock(&server->lock);
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
    json_decref(server->github.state);
    json_decref(server->log);
    buf_fini(&server->github.violations);
    pthread_mutex_destroy(&server->lock);
    free(server);
}

const char *stand_in_url(const struct stand_in *server)
{
    return server->github.url;
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
    json_t *copy = json_deep_copy(github_comments(&server->github, key));
    pthread_mutex_unlock(&server->lock);
    return copy;
}

uint64_t stand_in_comment(struct stand_in *server, unsigned int issue, const char *login,
                          const char *body)
{
    char key[24];
    (void)snprintf(key, sizeof(key), "%u", issue);
    pthread_mutex_lock(&server->lock);
    json_t *comment = github_add_comment(&server->github, key, login, body);
    uint64_t id = github_id(comment);
    json_decref(comment);
    pthread_mutex_unlock(&server->lock);
    return id;
}

void stand_in_forget_comments(struct stand_in *server, unsigned int issue)
{
    char key[24];
    (void)snprintf(key, sizeof(key), "%u", issue);
    pthread_mutex_lock(&server->lock);
    json_array_clear(github_comments(&server->github, key));
    pthread_mutex_unlock(&server->lock);
}

json_t *stand_in_state(struct stand_in *server)
{
    pthread_mutex_lock(&server->lock);
    json_t *copy = json_deep_copy(server->github.state);
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
        count += (!method || github_text_is(entry, "method", method)) && path &&
                 (match ? strstr(path, match) != NULL : strncmp(path, "/_blob/", 7) != 0);
    }
    pthread_mutex_unlock(&server->lock);
    return count;
}

const char *stand_in_violations(struct stand_in *server)
{
    pthread_mutex_lock(&server->lock);
    const char *text = server->github.violations.size_bytes ? server->github.violations.data : NULL;
    pthread_mutex_unlock(&server->lock);
    return text;
}
