/* SPDX-License-Identifier: MIT */
/* clone(2) of a child that goes on on our memory. */
#ifndef TRACER_LINUX_CLONE_H
#define TRACER_LINUX_CLONE_H

#include <sched.h>

#ifdef FT_BESIDE_THREAD_SANITIZER
/* ThreadSanitizer's own takes every child for one with its own memory, and turns itself off in
 * ours. This is the C library's other name for the same. */
int __clone(int (*function)(void *), void *stack, int flags, void *argument, ...);
#define ft_clone __clone
#else
#define ft_clone clone
#endif

#endif
