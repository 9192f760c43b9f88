/* SPDX-License-Identifier: MIT */
/* A watched process asks the tracer to serve the listener that it has made for itself. */
#ifndef TRACER_LINUX_REQUEST_H
#define TRACER_LINUX_REQUEST_H

#include <stdint.h>

#include "common/compiler.h"
#include "tracer/record.h"

/** What goes through the request pipe: one write, whole (it is smaller than PIPE_BUF). */
struct ft_request {
    uint32_t pid;  /**< of the process that asks */
    int32_t fd;    /**< the listener, a descriptor of that process */
    uint32_t slot; /**< in ft_log_head.requests, where the answer is awaited */
};

/** Take the descriptor over. @return it, close-on-exec; -EPERM, -ESRCH, -ENOSYS, ... */
MUST_USE int ft_request_take(const struct ft_request *request);

/** Wake the asking process. A slot outside the table is ignored. */
void ft_request_answer(struct ft_log_head *log, const struct ft_request *request, int result);

#endif
