/* SPDX-License-Identifier: MIT */
/* A watched process asks the tracer to serve the listener that it has made for itself. */
#ifndef TRACER_LINUX_REQUEST_H
#define TRACER_LINUX_REQUEST_H

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

/** Take the descriptor over. @return it, close-on-exec; -EPERM, -ESRCH, -ENOSYS, ... */
MUST_USE int ft_request_take(const struct ft_request *request);

/** Wake the asking process. A slot outside the table is ignored. */
void ft_request_answer(struct ft_log_head *log, const struct ft_request *request, int result);

#endif
