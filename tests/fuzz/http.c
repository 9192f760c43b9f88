/* SPDX-License-Identifier: MIT */
/*
 * Whole answers of a hostile GitHub to the reporter's own requests. libcurl's transfer is replaced
 * by the input; all around it is what ships: headers, redirects, pages, limits, retries. The input:
 * a line "STATUS" or "drop" (no whole answer), header lines, an empty line, the body, and a line
 * "%%" before the next answer.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include <curl/curl.h>

#include "fuzz.h"
#include "report/comment.h"
#include "report/github.h"
#include "report/http.h"
#include "report/pull.h"

#define API "https://api.example"
#define MAX_REQUESTS 40
#define MAX_ARCHIVE_BYTES (1u << 20)

/* The linker puts these in the place of libcurl's and of the C library's (--wrap). */
CURLcode __wrap_curl_easy_setopt(CURL *curl, CURLoption option, ...);
CURLcode __wrap_curl_easy_perform(CURL *curl);
CURLcode __wrap_curl_easy_getinfo(CURL *curl, CURLINFO info, ...);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left);

/* The request in the making, and the answers that are left. */
static struct {
    CURL *curl;
    const char *url;
    bool has_headers; /* the token is among them */
    void *body_to, *header_to;
    curl_write_callback on_body, on_header;
    long status;
    struct fuzz_input answers;
    unsigned performed;
} now;

static void start_over(CURL *curl)
{
    now.curl = curl;
    now.url = NULL;
    now.has_headers = false;
    now.body_to = now.header_to = NULL;
}

CURLcode __wrap_curl_easy_setopt(CURL *curl, CURLoption option, ...)
{
    va_list args;
    if (curl != now.curl || option == CURLOPT_PROTOCOLS_STR) /* the first that is set */
        start_over(curl);
    va_start(args, option);
    switch ((int)option) {
    case CURLOPT_URL:
        now.url = va_arg(args, const char *);
        break;
    case CURLOPT_HTTPHEADER:
        now.has_headers = true;
        break;
    case CURLOPT_WRITEDATA:
        now.body_to = va_arg(args, void *);
        break;
    case CURLOPT_HEADERDATA:
        now.header_to = va_arg(args, void *);
        break;
    case CURLOPT_WRITEFUNCTION:
        now.on_body = va_arg(args, curl_write_callback);
        break;
    case CURLOPT_HEADERFUNCTION:
        now.on_header = va_arg(args, curl_write_callback);
        break;
    case CURLOPT_FOLLOWLOCATION:
        FUZZ_CHECK(!va_arg(args, long), "libcurl may follow redirects");
        break;
    default:
        break;
    }
    va_end(args);
    return CURLE_OK;
}

/* The next answer as its own copy; NULL when there is none. */
static char *next_answer(size_t *size_bytes)
{
    const char *at = (const char *)now.answers.at;
    if (!now.answers.left_bytes)
        return NULL;
    const char *end = memmem(at, now.answers.left_bytes, "\n%%\n", 4);
    *size_bytes = end ? (size_t)(end - at) : now.answers.left_bytes;
    char *text = malloc(*size_bytes + 1);
    FUZZ_CHECK(text, "no memory to start with");
    fuzz_take(&now.answers, text, *size_bytes);
    text[*size_bytes] = '\0';
    if (end) {
        char separator[4];
        fuzz_take(&now.answers, separator, sizeof(separator));
    }
    return text;
}

/* Headers line by line, then the body in two pieces. @return false when the reporter had enough */
static bool give(const char *text, size_t size_bytes)
{
    const char *end = text + size_bytes;
    const char *line = text;
    while (line < end && *line != '\n') {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next + 1 : end;
        size_t length = (size_t)(next - line);
        char *copy = malloc(length ? length : 1); /* libcurl promises no NUL at the end */
        FUZZ_CHECK(copy, "no memory to start with");
        memcpy(copy, line, length);
        size_t taken = now.on_header(copy, 1, length, now.header_to);
        free(copy);
        if (taken != length)
            return false;
        line = next;
    }
    line += line < end;
    size_t half = (size_t)(end - line) / 2, rest = (size_t)(end - line) - half;
    if (half && now.on_body((char *)line, 1, half, now.body_to) != half)
        return false;
    return !rest || now.on_body((char *)line + half, 1, rest, now.body_to) == rest;
}

/* Where libcurl would go: it reads "https:/host" as well. */
static void check_address(void)
{
    CURLU *url = curl_url();
    char *scheme = NULL, *host = NULL, *port = NULL;
    bool whole = url && !curl_url_set(url, CURLUPART_URL, now.url, 0) &&
                 !curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) &&
                 !curl_url_get(url, CURLUPART_HOST, &host, 0) &&
                 !curl_url_get(url, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT);
    FUZZ_CHECK(whole, "a request without an address");
    FUZZ_CHECK(!strcmp(scheme, "https"), "a request in the clear");
    FUZZ_CHECK(!now.has_headers || (!strcasecmp(host, "api.example") && !strcmp(port, "443")),
               "the token goes to another host");
    curl_free(scheme);
    curl_free(host);
    curl_free(port);
    curl_url_cleanup(url);
}

CURLcode __wrap_curl_easy_perform(CURL *curl)
{
    size_t size_bytes;
    FUZZ_CHECK(curl == now.curl && now.url, "a request without an address");
    check_address();
    FUZZ_CHECK(++now.performed <= 4 * MAX_REQUESTS, "requests without end");
    char *answer = next_answer(&size_bytes);
    if (!answer)
        return CURLE_COULDNT_CONNECT;
    char *rest = memchr(answer, '\n', size_bytes);
    now.status = strtol(answer, NULL, 10);
    bool whole = now.status >= 100 && now.status <= 599; /* all that libcurl lets through */
    bool taken = true;
    if (rest)
        taken = give(rest + 1, size_bytes - (size_t)(rest + 1 - answer));
    free(answer);
    if (!taken)
        return CURLE_WRITE_ERROR;
    return whole ? CURLE_OK : CURLE_RECV_ERROR;
}

CURLcode __wrap_curl_easy_getinfo(CURL *curl, CURLINFO info, ...)
{
    va_list args;
    (void)curl;
    FUZZ_CHECK(info == CURLINFO_RESPONSE_CODE, "another question");
    va_start(args, info);
    *va_arg(args, long *) = now.status;
    va_end(args);
    return CURLE_OK;
}

/* Nobody waits here. */
int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
    (void)time;
    (void)left;
    return 0;
}

static int on_page(void *context, const json_t *array)
{
    unsigned *pages = context;
    FUZZ_CHECK(json_is_array(array), "a page that is no list");
    FUZZ_CHECK(++*pages <= MAX_REQUESTS, "pages without end");
    return 0;
}

static void ask(const struct rep_github *github, struct rep_log *log, unsigned what)
{
    static const struct rep_event event = {.repository = "o/r",
                                           .default_branch = "main",
                                           .head_owner = "fork",
                                           .head_branch = "b/c d",
                                           .head_sha = "ecf9e9af19c581f156188679cb2a9e8d458c9ba8"};
    struct err err = {0};
    enum rep_comment_outcome outcome;
    char sha[REP_SHA_SIZE];
    int64_t committed;
    unsigned pages = 0;
    struct buf out;
    buf_init(&out, MAX_ARCHIVE_BYTES);
    int ret = 0;
    switch (what % 6) {
    case 0:
        ret = rep_github_pulls(github, &event, on_page, &pages, &err);
        break;
    case 1:
        ret = rep_github_artifacts(github, 5000, on_page, &pages, &err);
        break;
    case 2:
        ret = rep_github_merge_base(github, "main", event.head_sha, sha, &committed, &err);
        break;
    case 3:
        ret = rep_github_download(github, 9, "the artifact", &out, &err);
        break;
    case 4:
        ret = rep_github_runs(github, "benchmark.yml", "push", "main", NULL, on_page, &pages, &err);
        break;
    default:
        ret = rep_comment_put(github, 3, "github-actions[bot]",
                              REP_COMMENT_MARKER "\n<!-- tracetax:run 7 5000 1 -->\ntext\n", log,
                              &outcome, &err);
        break;
    }
    FUZZ_CHECK(!ret == !err.code, "a failure without words");
    buf_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    struct rep_log log = {0};
    struct rep_http *http = NULL;
    struct err err;
    const struct rep_http_options options = {.api_url = API,
                                             .token = "secret",
                                             .total_ms = 7200000, /* an hour's wait is accepted */
                                             .max_requests = MAX_REQUESTS,
                                             .log = &log};
    memset(&now, 0, sizeof(now));
    now.answers = (struct fuzz_input){.at = data, .left_bytes = size_bytes};
    unsigned what = fuzz_take_byte(&now.answers);
    FUZZ_CHECK(!rep_http_open(&options, &http, &err), "no connection");
    const struct rep_github github = {.http = http, .repository = "o/r"};
    ask(&github, &log, what);
    FUZZ_CHECK(rep_http_requests(http) <= MAX_REQUESTS, "more requests than allowed");
    rep_http_close(http);
    rep_log_fini(&log);
    return 0;
}
