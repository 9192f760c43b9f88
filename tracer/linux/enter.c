/* SPDX-License-Identifier: MIT */
/* A process puts itself under the kernel's eyes before an exec. */
#include "tracer/linux/enter.h"

#include <linux/errno.h>
#include <linux/futex.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>

#include "tracer/linux/filter.h"
#include "tracer/linux/request.h"
#include "tracer/linux/sys.h"

#define ANSWER_STEPS 500 /* of 10 ms */

/** Take a slot where the answer will stand. @return its number, or -1 */
static int take_slot(struct ft_log_head *log)
{
    for (uint32_t i = 0; i < FT_REQUEST_SLOTS; i++) {
        uint32_t expected = FT_REQUEST_FREE;
        if (__atomic_compare_exchange_n(&log->requests[i].state, &expected, FT_REQUEST_ASKED, 0,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return (int)i;
    }
    return -1;
}

static int await_answer(struct ft_request_slot *slot)
{
    static const struct {
        long seconds, nanoseconds;
    } step = {0, 10000000};
    int result = -ETIMEDOUT;

    for (int i = 0; i < ANSWER_STEPS; i++) {
        if (__atomic_load_n(&slot->state, __ATOMIC_ACQUIRE) == FT_REQUEST_ANSWERED) {
            result = slot->result;
            break;
        }
        SYS4(__NR_futex, &slot->state, FUTEX_WAIT, FT_REQUEST_ASKED, &step);
    }
    __atomic_store_n(&slot->state, FT_REQUEST_FREE, __ATOMIC_RELEASE);
    return result;
}

static int ask(struct ft_log_head *log, int pipe, enum ft_request_kind kind, int fd)
{
    int slot = take_slot(log);
    if (slot < 0)
        return -EAGAIN;
    const struct ft_request request = {
        .kind = kind,
        .pid = (uint32_t)SYS0(__NR_getpid),
        .tid = (uint32_t)SYS0(__NR_gettid),
        .fd = fd,
        .slot = (uint32_t)slot,
    };
    long n = SYS3(__NR_write, pipe, &request, sizeof(request));
    if (n == (long)sizeof(request))
        return await_answer(&log->requests[slot]);
    __atomic_store_n(&log->requests[slot].state, FT_REQUEST_FREE, __ATOMIC_RELEASE);
    return n < 0 ? (int)n : -EIO;
}

static int enter_by_listener(struct ft_log_head *log, int pipe)
{
    /* A filter cannot be taken off again, and without a server it makes every call on a path fail:
     * so only where the tracer has room. */
    if (!ft_room_take(log))
        return -EMFILE;
    int listener = ft_filter_install(
        SECCOMP_RET_USER_NOTIF, log->flags & FT_FLAG_INJECT ? FT_FILTER_INJECT : FT_FILTER_PLAIN);
    if (listener < 0) {
        ft_room_give_back(log, 1);
        return listener;
    }
    int ret = ask(log, pipe, FT_REQUEST_LISTENER, listener);
    SYS1(__NR_close, listener);
    return ret;
}

static int enter_by_ptrace(struct ft_log_head *log, int pipe)
{
    /* Where Yama restricts ptrace to ancestors, the tracer's helper needs leave. */
    SYS4(__NR_prctl, PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0);
    int ret = ask(log, pipe, FT_REQUEST_TRACE_FILTER, -1);
    /* Only now: without a tracer such a filter makes every call on a path fail. */
    if (!ret && ft_filter_install(SECCOMP_RET_TRACE, FT_FILTER_PLAIN) < 0)
        ret = ask(log, pipe, FT_REQUEST_TRACE_EVERY, -1);
    SYS4(__NR_prctl, PR_SET_PTRACER, 0, 0, 0);
    return ret;
}

int ft_enter(struct ft_log_head *log, int pipe, bool by_ptrace)
{
    int ret =
        by_ptrace || (log->flags & FT_FLAG_PTRACE) ? -EOPNOTSUPP : enter_by_listener(log, pipe);
    return ret ? enter_by_ptrace(log, pipe) : 0;
}
