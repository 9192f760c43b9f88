/* SPDX-License-Identifier: MIT */
/* The tracer's side of a seccomp listener: read what is about to be tried, record it, let it go on.
 */
#ifndef TRACER_LINUX_SUPERVISE_H
#define TRACER_LINUX_SUPERVISE_H

#include <stdbool.h>

#include "common/compiler.h"
#include "tracer/log.h"

struct ft_supervisor;

/**
 * Serve a listener in a thread of its own until no process is left under its filter.
 * @fd    the listener; owned by the supervisor on success
 * @out   for ft_supervisor_stop(); NULL on failure
 * @return 0, -ENOMEM or -EAGAIN (no thread)
 */
MUST_USE int ft_supervisor_start(int fd, struct ft_log *log, struct ft_supervisor **out);

/**
 * End the thread; a notification that it has taken is answered first.
 * @return the listener, the caller's to serve or close, when processes are left under the
 *         filter; -1 when there are none
 */
int ft_supervisor_stop(struct ft_supervisor *supervisor);

/**
 * Answer every notification without recording, until no process is left: for what outlives
 * the tracer, whose calls would fail with ENOSYS once the last listener is closed.
 */
void ft_supervise_silently(int fd);

#endif
