/* SPDX-License-Identifier: MIT */
/* Who asks and who answers, by their numbers in the tracer's name space of processes. */
#ifndef TRACER_LINUX_PEER_H
#define TRACER_LINUX_PEER_H

#include <stdbool.h>
#include <stdint.h>

/* Part of the injected library too: no C library behind this. Async-signal-safe. */

/**
 * The calling thread's numbers as the tracer knows them. /proc is the tracer's (the way to its
 * request pipe leads through it), getpid(2) is not when the caller is in a name space of its own.
 * @return false without /proc: they are what getpid(2) and gettid(2) say
 */
__attribute__((visibility("hidden"))) bool ft_peer_self(uint32_t *pid, uint32_t *tid);

/** Keep an eye on a process. @return a descriptor; -ENOENT: there is none, or no /proc; ... */
__attribute__((visibility("hidden"))) int ft_peer_watch(uint32_t pid);

/** Has it ended? Makes no call on a path: good behind a filter too. */
__attribute__((visibility("hidden"))) bool ft_peer_is_gone(int watch);

#endif
