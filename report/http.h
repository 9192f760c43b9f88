/* SPDX-License-Identifier: MIT */
/* Requests to the API and downloads from its storage: bounded in size, number and time. */
#ifndef REPORT_HTTP_H
#define REPORT_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/buf.h"
#include "common/compiler.h"
#include "common/err.h"
#include "report/log.h"

/** Largest JSON answer: a page of 100 comments of 65,536 characters, escaped, fits. */
#define REP_HTTP_MAX_JSON_BYTES (64u << 20)

struct rep_http;

/** How to reach the API. Everything borrowed; must outlive the rep_http. */
struct rep_http_options {
    const char *api_url; /**< "https://api.github.com" */
    const char *token;   /**< sent to the API's own host and nowhere else */
    uint64_t total_ms;   /**< for everything, waiting included */
    unsigned int
        max_requests;    /**< to the API, tries included; downloads from storage are not counted */
    struct rep_log *log; /**< told of each wait */
};

/** An answer of the API. */
struct rep_response {
    long status;       /**< 100 to 599 */
    json_t *json;      /**< owned; NULL when the body was empty or, for an error, not JSON */
    char *next_url;    /**< owned; of the header Link, rel="next", when it is on the API's host */
    char *location;    /**< owned; of the header Location of a redirect, or NULL */
    char message[200]; /**< `message` of an error's body: plain text, escaped for a log */
};

/**
 * Check the addresses and start.
 * @return 0; -EINVAL: not a URL that may be used (https, or http for 127.0.0.1, [::1] and
 *         localhost), or a token with bytes that no header may hold; -ENOMEM
 * Not thread safe: one thread, one rep_http; curl_global_init() is the caller's.
 */
MUST_USE int rep_http_open(const struct rep_http_options *options, struct rep_http **out,
                           struct err *err);

/** Fine on NULL. */
void rep_http_close(struct rep_http *http);

/** Requests made to the API so far. */
unsigned int rep_http_requests(const struct rep_http *http);

/** Wait, if there is so much time left. @return false: there is not, and nothing was waited for */
bool rep_http_rest(const struct rep_http *http, uint64_t ms);

/** Free what an answer holds; leaves a zeroed one. */
void rep_response_fini(struct rep_response *response);

/**
 * Make a request and wait for its final answer: see rep_wait_after() for what is tried again.
 * A POST that got no answer, or a 5xx, may have been carried out, so it is never repeated
 * here: -EAGAIN tells that nobody knows. A moved repository (301, 307, 308) is followed for
 * GET on the API's own scheme, host and port, three times at most.
 * @method "GET", "POST", "PATCH" or "DELETE"
 * @path   from '/', or a whole URL that rep_response.next_url gave
 * @body   JSON to send, or NULL
 * @out    for rep_response_fini(); zeroed on failure. Any status is a success here
 * @return 0; -EAGAIN (see above); -EIO: the API gave up on us; -ETIMEDOUT: the time is used
 *         up, or would be by the wait that was asked for; -EDQUOT: too many requests;
 *         -EPROTO: an answer that is not the API's; -ENOMEM
 */
MUST_USE int rep_http_api(struct rep_http *http, const char *method, const char *path,
                          const json_t *body, struct rep_response *out, struct err *err);

/**
 * Fetch from the storage host, without the token and without following redirects.
 * @url  as the API gave it: https, or what the API's own scheme allows; never printed
 * @what names the object in errors
 * @out  appended to; its limit counts, whatever the headers say
 * @return 0; -EFBIG: larger than the limit of @out; -ENOENT: not there (404, 410); -EPROTO:
 *         an address that may not be used; -EIO, -ETIMEDOUT, -ENOMEM
 */
MUST_USE int rep_http_download(struct rep_http *http, const char *url, const char *what,
                               struct buf *out, struct err *err);

#endif
