/* SPDX-License-Identifier: MIT */
/* Threads that start together and are waited for together. */
#ifndef WORKLOAD_THREADS_H
#define WORKLOAD_THREADS_H

#include <stddef.h>

/**
 * Run @body in @count threads and wait for all of them.
 * @count   1 to WL_THREADS_MAX
 * @body    called once a thread with @context and the thread's index, from 0
 * @return 0, or a negative errno value when a thread could not be started; those that
 *         were are waited for all the same
 */
int wl_threads_run(size_t count, void (*body)(void *context, size_t index), void *context);

/** Most threads that wl_threads_run() starts. */
#define WL_THREADS_MAX 64

#endif
