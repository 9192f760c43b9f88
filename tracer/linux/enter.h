/* SPDX-License-Identifier: MIT */
/* A process puts itself under the kernel's eyes before an exec: by the filter and a listener, else
 * by a filter and ptrace, else by ptrace alone. */
#ifndef TRACER_LINUX_ENTER_H
#define TRACER_LINUX_ENTER_H

#include <stdbool.h>

#include "tracer/record.h"

/* Part of the injected library too: no C library behind this. */

/**
 * Have the calling thread, and what it starts, watched from now on.
 * @pipe the tracer's request pipe, open for writing
 * @by_ptrace without trying a listener: the program may want one of its own, and there is only
 *            one in a chain of filters
 * @return 0, or why the last of the ways failed: then nothing is changed for the thread.
 *         Async-signal-safe; leaves no descriptor open.
 */
__attribute__((visibility("hidden"))) int ft_enter(struct ft_log_head *log, int pipe,
                                                   bool by_ptrace);

#endif
