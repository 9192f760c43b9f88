/* SPDX-License-Identifier: MIT */
/* Starting the root command, watched in the way that its image needs. */
#ifndef TRACER_LINUX_LAUNCH_H
#define TRACER_LINUX_LAUNCH_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "common/compiler.h"

/** What a launch needs and gives. */
struct ft_launch {
    const char *path; /**< the image, as exec takes it */
    char *const *argv;
    char *const *envp;
    sigset_t signal_mask; /**< of the new program */
    bool filter;          /**< put the kernel's filter on it */

    pid_t pid;        /**< out: of the child, -1 when there is none */
    int listener;     /**< out: the filter's listener, the caller's; or -1 */
    int filter_error; /**< out: negative errno value where a filter was asked for and refused */
    int exec_error;   /**< out, after ft_launch_wait(): negative errno value, or 0 */

    int state; /**< internal; a futex */
    char *stack;
    pthread_t thread;
};

/**
 * Start the child. With `filter` its exec waits for the listener to be served: start a
 * supervisor on `listener` before ft_launch_wait().
 * @return 0, or -ENOMEM, -EAGAIN (no process or thread)
 */
MUST_USE int ft_launch_start(struct ft_launch *launch);

/** Wait until the exec has happened or failed; free what the start took. */
void ft_launch_wait(struct ft_launch *launch);

#endif
