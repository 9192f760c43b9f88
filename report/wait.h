/* SPDX-License-Identifier: MIT */
/* When a request is tried again, and how long to wait before. Pure. */
#ifndef REPORT_WAIT_H
#define REPORT_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/compiler.h"

/** Tries of one request, the first one included. */
#define REP_WAIT_MAX_TRIES 4

/** What became of one try. */
struct rep_answer {
    bool unanswered;              /**< no whole answer: connection dropped, timed out, cut JSON */
    long status;                  /**< HTTP status; 0 when unanswered */
    int64_t retry_after_s;        /**< Retry-After in seconds; -1 when there was none */
    int64_t ratelimit_remaining;  /**< X-RateLimit-Remaining; -1 when there was none */
    int64_t ratelimit_reset_unix; /**< X-RateLimit-Reset; -1 when there was none */
    bool says_rate_limit;         /**< the message speaks of a rate limit */
};

enum rep_next {
    REP_NEXT_DONE,    /**< this answer is the answer */
    REP_NEXT_WAIT,    /**< try again after the time */
    REP_NEXT_GIVE_UP, /**< worth another try, but there were enough */
};

/** True for an answer that says "too many requests": the request was not carried out. */
bool rep_answer_is_rate_limit(const struct rep_answer *answer);

/**
 * What to do after a try.
 *
 * Too many requests (429, or 403 with Retry-After, with no requests left or with a message
 * that says so): Retry-After, else until the reset when none are left, else 60 s, doubled by
 * each further try, as GitHub asks for ("Best practices for using the REST API"). 500, 502,
 * 503, 504 and no answer: Retry-After, else 1 s, 2 s, 4 s. All else is final.
 *
 * @tries   tries so far, from 1
 * @now_unix seconds since 1970, for the reset
 * @wait_ms filled for REP_NEXT_WAIT, else 0; at most an hour and a second
 */
enum rep_next rep_wait_after(const struct rep_answer *answer, unsigned int tries, int64_t now_unix,
                             uint64_t *wait_ms);

#endif
