/* SPDX-License-Identifier: MIT */
/* A process puts itself under the kernel's eyes before an exec. */
#include "tracer/linux/enter.h"

#include <linux/errno.h>
#include <linux/futex.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>

#include "tracer/linux/filter.h"
#include "tracer/linux/peer.h"
#include "tracer/linux/request.h"
#include "tracer/linux/sys.h"

/** How long to wait before looking again. */
static const struct {
    long seconds, nanoseconds;
} step = {0, 10000000};

/** A minute: how long to wait where giving up only leaves us unwatched. */
#define PATIENCE_STEPS 6000

/** Somebody who asks. */
struct asking {
    struct ft_log_head *log;
    int pipe;
    uint32_t pid, tid; /* as the tracer knows them */
    bool has_proc;
    uint32_t slot;  /* in the log, where the answer will stand */
    uint32_t asked; /* its state until then */
};

/** @return 0, or -EAGAIN when others have them all */
static int take_slot(struct asking *asking)
{
    struct ft_request_slot *slots = asking->log->requests;
    for (uint32_t i = 0; i < FT_REQUEST_SLOTS; i++) {
        uint32_t free = __atomic_load_n(&slots[i].state, __ATOMIC_RELAXED);
        uint32_t asked = ft_request_asked_after(free);
        if (ft_request_phase(free) != FT_REQUEST_FREE ||
            !__atomic_compare_exchange_n(&slots[i].state, &free, asked, 0, __ATOMIC_ACQUIRE,
                                         __ATOMIC_RELAXED))
            continue;
        /* In one order with the guard's look at it and with our look at the guard. */
        __atomic_store_n(&slots[i].owner, asking->pid, __ATOMIC_SEQ_CST);
        asking->slot = i;
        asking->asked = asked;
        return 0;
    }
    return -EAGAIN;
}

/** Is there no such process as was to be watched? */
static bool is_missing(const struct asking *asking, int watch)
{
    return watch == -ENOENT && asking->has_proc;
}

/** Take a slot, waiting while others have them all. From now on a guard that is there stays.
 * @return 0, -EAGAIN, or -ESRCH when the tracer is gone */
static int begin(struct asking *asking)
{
    int ret = take_slot(asking);
    if (!ret)
        return 0;
    int tracer = ft_peer_watch(asking->log->tracer_pid);
    if (is_missing(asking, tracer))
        ret = -ESRCH;
    for (int i = 0; ret == -EAGAIN && i < PATIENCE_STEPS; i++) {
        SYS2(__NR_nanosleep, &step, NULL);
        ret = tracer >= 0 && ft_peer_is_gone(tracer) ? -ESRCH : take_slot(asking);
    }
    if (tracer >= 0)
        SYS1(__NR_close, tracer);
    return ret;
}

static void end(struct asking *asking)
{
    struct ft_request_slot *slot = &asking->log->requests[asking->slot];
    __atomic_store_n(&slot->owner, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->state, ft_request_freed(asking->asked), __ATOMIC_RELEASE);
}

/**
 * Wait for the answer as long as it can come.
 * @server of who gives it: ft_peer_watch(), or -1
 * @patient as long as the server lives: there is no way back
 */
static int await_answer(struct asking *asking, int server, bool patient)
{
    uint32_t *state = &asking->log->requests[asking->slot].state;
    bool gone = false;

    for (int i = 0;; i++) {
        uint32_t now = __atomic_load_n(state, __ATOMIC_ACQUIRE);
        if (ft_request_phase(now) == FT_REQUEST_ANSWERED)
            return ft_request_result(now);
        if (gone)
            return -ESRCH; /* and the answer was not its last deed */
        if (i == PATIENCE_STEPS && !(patient && server >= 0))
            return -ETIMEDOUT;
        if (SYS4(__NR_futex, state, FUTEX_WAIT, asking->asked, &step) == -ETIMEDOUT && server >= 0)
            gone = ft_peer_is_gone(server);
    }
}

static int put(const struct asking *asking, enum ft_request_kind kind, int fd)
{
    const struct ft_request request = {
        .kind = kind,
        .pid = asking->pid,
        .tid = asking->tid,
        .fd = fd,
        .slot = asking->slot,
        .asked = asking->asked,
    };
    long n = SYS3(__NR_write, asking->pipe, &request, sizeof(request));
    if (n == (long)sizeof(request))
        return 0;
    return n < 0 ? (int)n : -EIO;
}

/** Ask for what changes nothing for this process should nobody answer. */
static int ask(struct asking *asking, enum ft_request_kind kind)
{
    int ret = begin(asking);
    if (ret)
        return ret;
    int tracer = ft_peer_watch(asking->log->tracer_pid);
    ret = is_missing(asking, tracer) ? -ESRCH : put(asking, kind, -1);
    if (!ret)
        ret = await_answer(asking, tracer, false);
    if (tracer >= 0)
        SYS1(__NR_close, tracer);
    end(asking);
    return ret;
}

/** Put the filter on and hand its listener over. @on whether the filter is: there is no way back */
static int hand_over_listener(struct asking *asking, int guard, bool *on)
{
    int listener =
        ft_filter_install(SECCOMP_RET_USER_NOTIF,
                          asking->log->flags & FT_FLAG_INJECT ? FT_FILTER_INJECT : FT_FILTER_PLAIN);
    *on = listener >= 0;
    if (listener < 0)
        return listener;
    int ret = put(asking, FT_REQUEST_LISTENER, listener);
    if (!ret)
        ret = await_answer(asking, guard, true);
    SYS1(__NR_close, listener);
    return ret;
}

/**
 * Between the filter and the answer this process alone has the listener, and the tracer may be
 * killed: then the guard fetches it. So there must be one, and it must know that we come.
 */
static int enter_guarded(struct asking *asking, bool *on)
{
    uint32_t *place = &asking->log->guard_pid;
    int ret = __atomic_load_n(place, __ATOMIC_RELAXED) ? 0 : ask(asking, FT_REQUEST_GUARD);
    if (!ret)
        ret = begin(asking);
    if (ret)
        return ret;
    uint32_t pid = __atomic_load_n(place, __ATOMIC_SEQ_CST);
    int guard = pid ? ft_peer_watch(pid) : -ESRCH;
    ret = pid && !is_missing(asking, guard) ? 0 : -ESRCH;
    if (!ret) {
        /* Where Yama restricts that to ancestors, the guard needs leave. */
        SYS4(__NR_prctl, PR_SET_PTRACER, pid, 0, 0);
        ret = hand_over_listener(asking, guard, on);
        SYS4(__NR_prctl, PR_SET_PTRACER, 0, 0, 0);
    }
    if (guard >= 0)
        SYS1(__NR_close, guard);
    end(asking);
    return ret;
}

/** A filter cannot be taken off again, and without a server it makes every call on a path fail:
 * only where the tracer has room. */
static int enter_by_listener(struct asking *asking)
{
    bool on = false;
    if (!ft_room_take(asking->log))
        return -EMFILE;
    int ret = enter_guarded(asking, &on);
    if (!on)
        ft_room_give_back(asking->log, 1);
    return ret;
}

static int enter_by_ptrace(struct asking *asking)
{
    /* Where Yama restricts ptrace to ancestors, the tracer's helper needs leave. */
    SYS4(__NR_prctl, PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0);
    int ret = ask(asking, FT_REQUEST_TRACE_FILTER);
    /* Only now: without a tracer such a filter makes every call on a path fail. */
    if (!ret && ft_filter_install(SECCOMP_RET_TRACE, FT_FILTER_PLAIN) < 0)
        ret = ask(asking, FT_REQUEST_TRACE_EVERY);
    SYS4(__NR_prctl, PR_SET_PTRACER, 0, 0, 0);
    return ret;
}

int ft_enter(struct ft_log_head *log, int pipe, bool by_ptrace)
{
    struct asking asking = {.log = log, .pipe = pipe};
    asking.has_proc = ft_peer_self(&asking.pid, &asking.tid);
    int ret = by_ptrace || (log->flags & FT_FLAG_PTRACE) ? -EOPNOTSUPP : enter_by_listener(&asking);
    return ret ? enter_by_ptrace(&asking) : 0;
}
