/* SPDX-License-Identifier: MIT */
/* When a request is tried again, and how long to wait before. */
#include "report/wait.h"

#define BACK_OFF_FIRST_S 1
#define SECONDARY_LIMIT_FIRST_S 60
#define LONGEST_WAIT_S 3600

bool rep_answer_is_rate_limit(const struct rep_answer *answer)
{
    if (answer->unanswered)
        return false;
    if (answer->status == 429)
        return true;
    return answer->status == 403 && (answer->retry_after_s >= 0 ||
                                     answer->ratelimit_remaining == 0 || answer->says_rate_limit);
}

static bool is_transient(const struct rep_answer *answer)
{
    return answer->unanswered || answer->status == 500 || answer->status == 502 ||
           answer->status == 503 || answer->status == 504;
}

enum rep_next rep_wait_after(const struct rep_answer *answer, unsigned int tries, int64_t now_unix,
                             uint64_t *wait_ms)
{
    *wait_ms = 0;
    bool limited = rep_answer_is_rate_limit(answer);
    if (!limited && !is_transient(answer))
        return REP_NEXT_DONE;
    if (tries >= REP_WAIT_MAX_TRIES)
        return REP_NEXT_GIVE_UP;

    unsigned int doublings = tries ? tries - 1 : 0;
    int64_t wait_s = (int64_t)(limited ? SECONDARY_LIMIT_FIRST_S : BACK_OFF_FIRST_S) << doublings;
    if (answer->retry_after_s >= 0) {
        wait_s = answer->retry_after_s;
    } else if (limited && answer->ratelimit_remaining == 0 && answer->ratelimit_reset_unix >= 0) {
        /* one second more: the reset is rounded down */
        wait_s = answer->ratelimit_reset_unix > now_unix
                     ? answer->ratelimit_reset_unix - now_unix + 1
                     : 1;
    }
    if (wait_s > LONGEST_WAIT_S + 1)
        wait_s = LONGEST_WAIT_S + 1;
    *wait_ms = (uint64_t)wait_s * 1000;
    return REP_NEXT_WAIT;
}
