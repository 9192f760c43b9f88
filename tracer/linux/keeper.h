/* SPDX-License-Identifier: MIT */
/* The ptrace way: a process that traces, records and, should the tracer end, goes on silently. */
#ifndef TRACER_LINUX_KEEPER_H
#define TRACER_LINUX_KEEPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/compiler.h"
#include "tracer/linux/request.h"
#include "tracer/log.h"

/*
 * Where the kernel's notification cannot be had (an ancestor holds a listener, an old kernel,
 * a sandbox) the filter stops its process instead (SECCOMP_RET_TRACE), and where no filter can
 * be had every system call does (PTRACE_SYSCALL). Unlike a notified call, a traced one is seen
 * to end, so its error is known, and signals cannot make it fail with EINTR.
 *
 * A filter that stops a process without a tracer makes its calls fail with ENOSYS. So the
 * tracing is done by a process of its own, which stays as long as anybody is traced.
 */

/** Zeroed: no keeper. */
struct ft_keeper {
    pid_t pid;  /**< 0: none */
    int orders; /**< socket to it; back comes one byte once the run is over: is anybody left? */
};

/** How a process that asks to be traced has arranged it. */
enum ft_keeper_mode {
    FT_KEEPER_FILTER = 1, /**< it will put on a filter that answers SECCOMP_RET_TRACE */
    FT_KEEPER_EVERY = 2,  /**< no filter: stop at every system call */
};

/**
 * Start the keeper, if there is none.
 * @return 0, or -EAGAIN, -EMFILE and such
 */
MUST_USE int ft_keeper_start(struct ft_keeper *keeper, struct ft_log *log);

/**
 * Have the task that asks, and what it starts, traced from now on. The answer goes to its slot in
 * the log: 0, or -EPERM and such from ptrace(2). The task must allow it (PR_SET_PTRACER).
 * @return 0, or -EPIPE (the keeper is gone)
 */
MUST_USE int ft_keeper_attach(const struct ft_keeper *keeper, const struct ft_request *request,
                              enum ft_keeper_mode mode);

/**
 * The run is over.
 * @return true when processes are still traced: the keeper goes on without recording
 */
bool ft_keeper_stop(struct ft_keeper *keeper);

#endif
