/* SPDX-License-Identifier: MIT */
/* A watched process asks the tracer to serve the listener that it has made for itself. */
#ifndef TRACER_LINUX_REQUEST_H
#define TRACER_LINUX_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "common/compiler.h"
#include "tracer/record.h"

/** What is asked for. */
enum ft_request_kind {
    FT_REQUEST_NONE,
    FT_REQUEST_GUARD,        /**< have a guard, before the first listener is made */
    FT_REQUEST_LISTENER,     /**< serve the listener `fd` */
    FT_REQUEST_GUARDED,      /**< never asked: what that becomes once the guard has it, too */
    FT_REQUEST_TRACE_FILTER, /**< trace the task, which will stop itself by a filter */
    FT_REQUEST_TRACE_EVERY,  /**< trace the task, stopping it at every call */
    FT_REQUEST_LAUNCHED,     /**< from the tracer's own thread: the root command's exec is over */
};

/** What goes through the request pipe: one write, whole (it is smaller than PIPE_BUF). */
struct ft_request {
    uint32_t kind;  /**< enum ft_request_kind */
    uint32_t pid;   /**< of the process that asks */
    uint32_t tid;   /**< and of its thread */
    int32_t fd;     /**< a descriptor of that process, or -1 */
    uint32_t slot;  /**< in ft_log_head.requests, where the answer is awaited */
    uint32_t asked; /**< the state of that slot: otherwise nobody waits there for this answer */
};

/*
 * A slot's state: its phase (two bits), of an answer the error's number (twelve bits), and a ticket
 * that changes each time the slot is taken, so that a late answer cannot reach somebody else.
 */
#define FT_REQUEST_FREE 0u
#define FT_REQUEST_ASKED 1u
#define FT_REQUEST_ANSWERED 2u
#define FT_REQUEST_BELOW_TICKET 0x3fffu

static inline uint32_t ft_request_phase(uint32_t state)
{
    return state & 3u;
}

/** The state of a slot that is taken. */
static inline uint32_t ft_request_asked_after(uint32_t free)
{
    return (free | FT_REQUEST_BELOW_TICKET) + 1u + FT_REQUEST_ASKED;
}

static inline uint32_t ft_request_freed(uint32_t state)
{
    return state & ~FT_REQUEST_BELOW_TICKET;
}

/** @result 0 or a negative errno value */
static inline uint32_t ft_request_answered(uint32_t asked, int result)
{
    return ft_request_freed(asked) | ((uint32_t)-result & 0xfffu) << 2 | FT_REQUEST_ANSWERED;
}

static inline int ft_request_result(uint32_t state)
{
    return -(int)(state >> 2 & 0xfffu);
}

/**
 * The tracer's descriptors are counted where watched processes see them too: each listener needs
 * one, and so does what is kept for them. @return false when there is none
 */
static inline bool ft_room_take(struct ft_log_head *log)
{
    uint32_t left = __atomic_load_n(&log->listeners_left, __ATOMIC_RELAXED);
    while (left && !__atomic_compare_exchange_n(&log->listeners_left, &left, left - 1, 0,
                                                __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return left != 0;
}

static inline void ft_room_give_back(struct ft_log_head *log, uint32_t count)
{
    __atomic_fetch_add(&log->listeners_left, count, __ATOMIC_RELAXED);
}

/*
 * The tracer's side. Raw calls only: the guard is here too, on the C library's state of another
 * thread.
 */

/** Take the listener over. @return it, close-on-exec; -EBADF for any other file, -EPERM, -ESRCH,
 * -ENOSYS, ... */
MUST_USE int ft_request_take(const struct ft_request *request);

/** Wake the asking process, if it still waits for this. A slot outside the table is ignored. */
void ft_request_answer(struct ft_log_head *log, const struct ft_request *request, int result);

/** Who waits for an answer and lives. @return their number */
MUST_USE unsigned ft_request_waiting(const struct ft_log_head *log);

/** Free the slots of processes that were killed while they waited. */
void ft_request_sweep(struct ft_log_head *log);

#endif
