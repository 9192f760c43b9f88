/* SPDX-License-Identifier: MIT */
/* Starting the root command, watched in the way that its image needs. */
#ifndef TRACER_LINUX_LAUNCH_H
#define TRACER_LINUX_LAUNCH_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "common/compiler.h"
#include "tracer/record.h"

/** The child's stack until its exec; most of it is never touched. */
#define FT_LAUNCH_STACK_BYTES 65536

/** What a launch needs and gives. Large: initialise its members one by one. */
struct ft_launch {
    const char *path; /**< the image, as exec takes it */
    char *const *argv;
    char *const *envp;
    sigset_t signal_mask; /**< of the new program */
    /** What the new program inherits: SIG_DFL or SIG_IGN. */
    void (*on_child)(int), (*on_file_size)(int); /* SIGCHLD, SIGXFSZ */
    bool enter;                                  /**< have the kernel watch it */
    bool by_ptrace;                              /**< without a listener */
    struct ft_log_head *log;
    int pipe; /**< where it asks for that: the request pipe's writing end */

    pid_t pid;       /**< out: of the child, -1 when there is none */
    int enter_error; /**< out: negative errno value where the kernel cannot watch it */
    int exec_error;  /**< out: negative errno value, or 0 */

    char *stack;      /**< of the child, FT_LAUNCH_STACK_BYTES at an address divisible by 16 */
    pthread_t thread; /**< internal */
};

/**
 * Start the child. Without `enter` its exec is over on return. With it, requests have to be
 * served until FT_REQUEST_LAUNCHED comes; what is out is valid then.
 * @return 0, or -ENOMEM, -EAGAIN (no process or thread)
 */
MUST_USE int ft_launch_start(struct ft_launch *launch);

/** Once the exec is over. */
void ft_launch_finish(struct ft_launch *launch);

#endif
