/* SPDX-License-Identifier: MIT */
/* Requests to the API and downloads from its storage. */
#include "report/http.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include <curl/curl.h>

#include "common/clock.h"
#include "harness/md_escape.h"
#include "report/transfer.h"
#include "report/url.h"
#include "report/wait.h"

#define CONNECT_TIMEOUT_MS 10000
#define TRY_TIMEOUT_MS 60000
#define LOW_SPEED_BYTES_PER_S 1
#define LOW_SPEED_S 20
#define MAX_MOVES 3
#define STORAGE_TRIES 3
#define USER_AGENT "tracetax-report"
#define API_VERSION_HEADER "X-GitHub-Api-Version: 2022-11-28"

struct rep_http {
    struct rep_http_options options;
    CURL *api; /* kept, so that the connection is */
    struct curl_slist *headers;
    bool plain; /* the API is on http, so its storage may be */
    uint64_t deadline_ns;
    unsigned int requests;
};

/* What holds for every request of ours: no redirect is followed, no other protocol is
   spoken, nothing waits for ever. */
static void set_common(const struct rep_http *http, CURL *curl, struct rep_transfer *transfer,
                       uint64_t timeout_ms)
{
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, http->plain ? "http,https" : "https");
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "https");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_TIMEOUT_MS);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS,
                     (long)(timeout_ms < TRY_TIMEOUT_MS ? timeout_ms : TRY_TIMEOUT_MS));
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, (long)LOW_SPEED_BYTES_PER_S);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)LOW_SPEED_S);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, USER_AGENT);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, rep_transfer_on_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, rep_transfer_on_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, transfer);
    /* what goes to this machine in the clear must not go through another one */
    if (http->plain)
        curl_easy_setopt(curl, CURLOPT_PROXY, "");
}

static uint64_t left_ms(const struct rep_http *http)
{
    uint64_t now_ns = clock_monotonic_ns();
    return now_ns < http->deadline_ns ? (http->deadline_ns - now_ns) / 1000000 : 0;
}

static void sleep_ms(uint64_t ms)
{
    struct timespec rest = {.tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000};
    while (nanosleep(&rest, &rest) && errno == EINTR)
        ;
}

bool rep_http_rest(const struct rep_http *http, uint64_t ms)
{
    if (ms >= left_ms(http))
        return false;
    sleep_ms(ms);
    return true;
}

static bool is_header_text(const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c <= 0x20 || *c >= 0x7f)
            return false;
    }
    return *text != '\0';
}

static int add_header(struct curl_slist **headers, const char *line)
{
    struct curl_slist *longer = curl_slist_append(*headers, line);
    if (!longer)
        return -ENOMEM;
    *headers = longer;
    return 0;
}

static int make_headers(struct rep_http *http)
{
    struct buf line;
    buf_init(&line, 4096);
    int ret = buf_printf(&line, "Authorization: Bearer %s", http->options.token);
    if (!ret)
        ret = add_header(&http->headers, line.data);
    if (line.data)
        explicit_bzero(line.data, line.size_bytes);
    buf_fini(&line);

    static const char *const fixed[] = {"Accept: application/vnd.github+json", API_VERSION_HEADER,
                                        "Content-Type: application/json; charset=utf-8", "Expect:"};
    for (size_t i = 0; i < ARRAY_LEN(fixed) && !ret; i++)
        ret = add_header(&http->headers, fixed[i]);
    return ret;
}

int rep_http_open(const struct rep_http_options *options, struct rep_http **out, struct err *err)
{
    *out = NULL;
    int ret = rep_url_check(options->api_url, true);
    if (ret)
        return err_set(err, ret == -EPERM ? -EINVAL : ret,
                       "cannot use the API: %s: it must be an https address (http only for "
                       "127.0.0.1, [::1] and localhost); set GITHUB_API_URL",
                       options->api_url);
    if (!is_header_text(options->token))
        return err_set(err, -EINVAL,
                       "cannot use the token: it is empty or holds a space or a control "
                       "character; set GITHUB_TOKEN");

    struct rep_http *http = calloc(1, sizeof(*http));
    if (!http)
        return err_set(err, -ENOMEM, "cannot start: %s", err_text(ENOMEM));
    http->options = *options;
    http->plain = !strncasecmp(options->api_url, "http:", 5);
    http->deadline_ns = clock_monotonic_ns() + options->total_ms * UINT64_C(1000000);
    http->api = curl_easy_init();
    if (!http->api || make_headers(http)) {
        rep_http_close(http);
        return err_set(err, -ENOMEM, "cannot start: %s", err_text(ENOMEM));
    }
    *out = http;
    return 0;
}

void rep_http_close(struct rep_http *http)
{
    if (!http)
        return;
    curl_easy_cleanup(http->api);
    curl_slist_free_all(http->headers);
    free(http);
}

unsigned int rep_http_requests(const struct rep_http *http)
{
    return http->requests;
}

void rep_response_fini(struct rep_response *response)
{
    json_decref(response->json);
    free(response->next_url);
    free(response->location);
    response->json = NULL;
    response->next_url = NULL;
    response->location = NULL;
    response->status = 0;
    response->message[0] = '\0';
}

/* One try. @return 0 with @answer filled, or -ENOMEM, -EPROTO (larger than allowed) */
static int try_once(struct rep_http *http, const char *method, const char *url, const char *payload,
                    struct buf *body, struct rep_transfer *transfer, struct rep_answer *answer)
{
    CURL *curl = http->api;
    curl_easy_reset(curl);
    set_common(http, curl, transfer, left_ms(http));
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, http->headers);
    if (payload) {
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)strlen(payload));
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, payload);
    }
    if (strcmp(method, "GET") != 0)
        curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
    /* libcurl sends a request again by itself when a connection that it had used before ends
       without an answer: never for one that must not be carried out twice */
    if (!strcmp(method, "POST"))
        curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 1L);

    http->requests++;
    CURLcode code = curl_easy_perform(curl);
    if (transfer->too_large)
        return -EPROTO;
    if (buf_status(body) || code == CURLE_OUT_OF_MEMORY)
        return -ENOMEM;
    *answer = (struct rep_answer){.unanswered = code != CURLE_OK,
                                  .retry_after_s = transfer->retry_after_s,
                                  .ratelimit_remaining = transfer->ratelimit_remaining,
                                  .ratelimit_reset_unix = transfer->ratelimit_reset_unix};
    if (code == CURLE_OK)
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer->status);
    return 0;
}

/* Read the body into @out. A success that is not whole JSON counts as no answer. */
static void read_body(const struct buf *body, struct rep_answer *answer, struct rep_response *out)
{
    out->status = answer->status;
    if (answer->unanswered || !body->size_bytes)
        return;
    out->json = json_loadb(body->data, body->size_bytes, JSON_REJECT_DUPLICATES, NULL);
    if (!out->json && answer->status >= 200 && answer->status < 300) {
        answer->unanswered = true;
        answer->status = 0;
        return;
    }
    const char *message = json_string_value(json_object_get(out->json, "message"));
    if (!message || answer->status < 300)
        return;
    answer->says_rate_limit = strcasestr(message, "rate limit") != NULL;
    struct buf text;
    buf_init(&text, sizeof(out->message) - 1);
    tt_plain_escape(&text, message, TT_TEXT_MAX_CHARS);
    if (text.data)
        (void)snprintf(out->message, sizeof(out->message), "%s", text.data);
    buf_fini(&text);
}

static int read_headers(const struct rep_http *http, struct rep_transfer *transfer,
                        struct rep_response *out)
{
    out->location = transfer->location;
    transfer->location = NULL;
    if (!transfer->link)
        return 0;
    char *next = NULL;
    int ret = rep_url_next_of_link(transfer->link, &next);
    /* the token goes with the next request: to no other host */
    if (next && !rep_url_same_origin(next, http->options.api_url)) {
        free(next);
        next = NULL;
    }
    out->next_url = next;
    return ret;
}

/* Sleep before the next try, unless that would go past the deadline. */
static int wait_before_retry(const struct rep_http *http, const struct rep_answer *answer,
                             uint64_t wait_ms, struct err *err)
{
    const char *why = rep_answer_is_rate_limit(answer) ? "its rate limit is reached"
                                                       : "it did not answer properly";
    if (wait_ms >= left_ms(http))
        return err_set(err, -ETIMEDOUT,
                       "the API gave up: %s (status %ld) and asks for a wait of %" PRIu64
                       " s, more than the time left; run the job again later or raise "
                       "--time-limit",
                       why, answer->status, wait_ms / 1000);
    rep_log(http->options.log, REP_INFO, "%s (status %ld): trying again in %" PRIu64 " s", why,
            answer->status, wait_ms / 1000);
    sleep_ms(wait_ms);
    return 0;
}

/* Try until the answer is final. */
static int request_url(struct rep_http *http, const char *method, const char *url,
                       const char *payload, struct rep_response *out, struct err *err)
{
    bool is_post = !strcmp(method, "POST");
    for (unsigned int tries = 1;; tries++) {
        if (http->requests >= http->options.max_requests)
            return err_set(err, -EDQUOT, "gave up after %u requests to the API", http->requests);
        if (!left_ms(http))
            return err_set(err, -ETIMEDOUT, "gave up: the time limit is reached");

        struct buf body;
        struct rep_transfer transfer;
        struct rep_answer answer = {0};
        buf_init(&body, REP_HTTP_MAX_JSON_BYTES);
        rep_transfer_init(&transfer, &body);
        int ret = try_once(http, method, url, payload, &body, &transfer, &answer);
        if (!ret) {
            rep_response_fini(out);
            read_body(&body, &answer, out);
            ret = read_headers(http, &transfer, out);
        }
        buf_fini(&body);
        rep_transfer_fini(&transfer);
        if (ret)
            return err_set(err, ret, "cannot read the API's answer: %s",
                           ret == -EPROTO ? "larger than allowed" : err_text(ret));

        uint64_t wait_ms = 0;
        enum rep_next next = rep_wait_after(&answer, tries, clock_unix_s(), &wait_ms);
        if (next == REP_NEXT_DONE)
            return 0;
        if (is_post && !rep_answer_is_rate_limit(&answer)) {
            /* whoever looks whether it was done should not look at once */
            (void)rep_http_rest(http, wait_ms);
            return err_set(err, -EAGAIN, "the API did not say whether it did as asked");
        }
        if (next == REP_NEXT_GIVE_UP)
            return err_set(err, -EIO, "the API gave up: %u tries, the last with status %ld%s%s",
                           tries, answer.status, out->message[0] ? ": " : "", out->message);
        ret = wait_before_retry(http, &answer, wait_ms, err);
        if (ret)
            return ret;
    }
}

/* A path of ours becomes an address below the API's; a whole address stays what it is. */
static int put_url(const struct rep_http *http, const char *path, struct buf *out)
{
    if (*path == '/') {
        buf_puts(out, http->options.api_url);
        while (out->size_bytes && out->data[out->size_bytes - 1] == '/')
            buf_truncate(out, out->size_bytes - 1);
    }
    return buf_puts(out, path);
}

static bool is_move(long status)
{
    return status == 301 || status == 307 || status == 308;
}

int rep_http_api(struct rep_http *http, const char *method, const char *path, const json_t *body,
                 struct rep_response *out, struct err *err)
{
    *out = (struct rep_response){0};
    char *payload = NULL;
    struct buf url;
    buf_init(&url, REP_URL_MAX_BYTES);
    int ret = 0;
    if (body && !(payload = json_dumps(body, JSON_COMPACT))) {
        ret = err_set(err, -ENOMEM, "cannot write a request: %s", err_text(ENOMEM));
        goto out;
    }
    if (put_url(http, path, &url)) {
        ret = err_set(err, -EPROTO, "cannot make a request: its address is too long");
        goto out;
    }

    for (unsigned int moves = 0;; moves++) {
        if (!rep_url_same_origin(url.data, http->options.api_url)) {
            ret = err_set(err, -EPROTO, "the API sent us to another host");
            goto out;
        }
        ret = request_url(http, method, url.data, payload, out, err);
        if (ret || strcmp(method, "GET") != 0 || !is_move(out->status) || !out->location ||
            moves == MAX_MOVES) {
            goto out;
        }
        buf_clear(&url);
        if (put_url(http, out->location, &url)) {
            ret = err_set(err, -EPROTO, "the API sent us to an address that is too long");
            goto out;
        }
    }
out:
    if (ret)
        rep_response_fini(out);
    free(payload);
    buf_fini(&url);
    return ret;
}

/* One download. @return 0 with @answer filled; -EFBIG, -ENOMEM */
static int download_once(const struct rep_http *http, const char *url, struct buf *out,
                         struct rep_answer *answer)
{
    /* a handle of its own: nothing of the API's requests, least of all the token, is on it */
    CURL *curl = curl_easy_init();
    if (!curl)
        return -ENOMEM;
    struct rep_transfer transfer;
    rep_transfer_init(&transfer, out);
    set_common(http, curl, &transfer, left_ms(http));
    curl_easy_setopt(curl, CURLOPT_URL, url);
    CURLcode code = curl_easy_perform(curl);
    *answer = (struct rep_answer){.unanswered = code != CURLE_OK,
                                  .retry_after_s = transfer.retry_after_s,
                                  .ratelimit_remaining = -1,
                                  .ratelimit_reset_unix = -1};
    if (code == CURLE_OK)
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer->status);
    int ret = transfer.too_large ? -EFBIG : buf_status(out);
    rep_transfer_fini(&transfer);
    curl_easy_cleanup(curl);
    return ret;
}

int rep_http_download(struct rep_http *http, const char *url, const char *what, struct buf *out,
                      struct err *err)
{
    if (rep_url_check(url, http->plain))
        return err_set(err, -EPROTO,
                       "cannot download %s: the API sent us to an address that is not https", what);
    for (unsigned int tries = 1;; tries++) {
        struct rep_answer answer = {0};
        buf_clear(out);
        if (!left_ms(http))
            return err_set(err, -ETIMEDOUT, "cannot download %s: the time limit is reached", what);
        int ret = download_once(http, url, out, &answer);
        if (ret == -EFBIG)
            return err_set(err, ret, "cannot download %s: larger than %zu bytes", what,
                           out->limit_bytes);
        if (ret)
            return err_set(err, ret, "cannot download %s: %s", what, err_text(ret));
        if (answer.status == 200)
            return 0;
        if (answer.status == 404 || answer.status == 410)
            return err_set(err, -ENOENT, "cannot download %s: it is gone", what);

        uint64_t wait_ms = 0;
        enum rep_next next = rep_wait_after(&answer, tries, clock_unix_s(), &wait_ms);
        if (next != REP_NEXT_WAIT || tries >= STORAGE_TRIES || wait_ms >= left_ms(http))
            return err_set(err, -EIO,
                           "cannot download %s: the storage host answered with status %ld", what,
                           answer.status);
        rep_log(http->options.log, REP_INFO,
                "the storage host did not answer properly (status %ld): trying again in %" PRIu64
                " s",
                answer.status, wait_ms / 1000);
        sleep_ms(wait_ms);
    }
}
