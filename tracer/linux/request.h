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
    FT_REQUEST_LISTENER,     /**< serve the listener `fd` */
    FT_REQUEST_TRACE_FILTER, /**< trace the task, which will stop itself by a filter */
    FT_REQUEST_TRACE_EVERY,  /**< trace the task, stopping it at every call */
    FT_REQUEST_LAUNCHED,     /**< from the tracer's own thread: the root command's exec is over */
};

/** What goes through the request pipe: one write, whole (it is smaller than PIPE_BUF). */
struct ft_request {
    uint32_t kind; /**< enum ft_request_kind */
    uint32_t pid;  /**< of the process that asks */
    uint32_t tid;  /**< and of its thread */
    int32_t fd;    /**< a descriptor of that process, or -1 */
    uint32_t slot; /**< in ft_log_head.requests, where the answer is awaited */
};

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

/** Take the descriptor over. @return it, close-on-exec; -EPERM, -ESRCH, -ENOSYS, ... */
MUST_USE int ft_request_take(const struct ft_request *request);

/** Wake the asking process. A slot outside the table is ignored. */
void ft_request_answer(struct ft_log_head *log, const struct ft_request *request, int result);

#endif
