/* SPDX-License-Identifier: MIT */
/* The tracer's side of a seccomp listener: read what is about to be tried, record it, let it go on.
 */
#ifndef TRACER_LINUX_SUPERVISE_H
#define TRACER_LINUX_SUPERVISE_H

#include <stdbool.h>

#include "common/compiler.h"
#include "tracer/linux/guard.h"
#include "tracer/linux/slots.h"
#include "tracer/log.h"

struct ft_supervisor;

/**
 * Serve a listener in a thread of its own until no process is left under its filter. Where no
 * thread can be had it is served by ft_supervisor_serve().
 * @fd    the listener; owned by the supervisor on success
 * @guard takes over should this process be killed; must outlive the supervisor. Without one to
 *        be had (old kernels) the listener is served all the same
 * @slots what to put into static programs, when their filter is of that kind; or NULL
 * @out   for ft_supervisor_stop(); NULL on failure
 * @return 0 or -ENOMEM
 * Not thread safe beside other calls with the same guard.
 */
MUST_USE int ft_supervisor_start(int fd, struct ft_log *log, struct ft_guard *guard,
                                 struct ft_slots *slots, struct ft_supervisor **out);

/**
 * Serve what waits, without a thread.
 * @return true when this is to be called again and again; false when a thread does it, or nobody
 *         is left
 */
bool ft_supervisor_serve(struct ft_supervisor *supervisor);

/** Is no process left under the filter? Then stopping takes no time. */
bool ft_supervisor_is_finished(const struct ft_supervisor *supervisor);

/**
 * End the thread; a notification that it has taken is answered first.
 * @return true when processes are left under the filter: then the listener stays open and with
 *         the guard
 */
bool ft_supervisor_stop(struct ft_supervisor *supervisor);

#endif
