/* SPDX-License-Identifier: MIT */
/* Starting the root command. */
#include "tracer/linux/launch.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tracer/linux/filter.h"
#include "tracer/linux/sys.h"

#define STACK_BYTES 65536u
#define KERNEL_SIGSET_BYTES 8

/* States of a launch. */
#define STARTING 0
#define FILTERED 1 /* the listener is made, or refused, or was not asked for */

static void set_filtered(struct ft_launch *launch)
{
    __atomic_store_n(&launch->state, FILTERED, __ATOMIC_RELEASE);
    SYS3(__NR_futex, &launch->state, FUTEX_WAKE, INT_MAX);
}

/**
 * The child shares our memory and descriptors until its exec, so the listener needs no
 * passing on. It shares errno and the C library's state too: only raw calls here.
 */
static int child(void *argument)
{
    struct ft_launch *launch = argument;

    SYS4(__NR_rt_sigprocmask, SIG_SETMASK, &launch->signal_mask, NULL, KERNEL_SIGSET_BYTES);
    if (launch->filter) {
        int fd = ft_filter_install();
        launch->listener = fd < 0 ? -1 : fd;
        launch->filter_error = fd < 0 ? fd : 0;
    }
    set_filtered(launch);
    launch->exec_error = (int)SYS3(__NR_execve, launch->path, launch->argv, launch->envp);
    SYS1(__NR_exit, 127);
    return 127;
}

/** Clone the child and wait for its exec. */
static void *clone_child(void *argument)
{
    struct ft_launch *launch = argument;
    launch->pid = clone(child, launch->stack + STACK_BYTES,
                        CLONE_VM | CLONE_FILES | CLONE_VFORK | SIGCHLD, launch);
    if (launch->pid < 0)
        launch->exec_error = -errno;
    set_filtered(launch);
    return NULL;
}

int ft_launch_start(struct ft_launch *launch)
{
    launch->pid = -1;
    launch->listener = -1;
    launch->filter_error = 0;
    launch->exec_error = 0;
    launch->state = STARTING;
    launch->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (launch->stack == MAP_FAILED)
        return -ENOMEM;
    int ret = 0;
    if (!launch->filter) {
        clone_child(launch);
    } else {
        /* The exec is notified and waits for an answer: somebody else has to wait for it. */
        ret = -pthread_create(&launch->thread, NULL, clone_child, launch);
        while (!ret && __atomic_load_n(&launch->state, __ATOMIC_ACQUIRE) == STARTING)
            (void)syscall(SYS_futex, &launch->state, FUTEX_WAIT, STARTING, NULL);
    }
    if (ret)
        munmap(launch->stack, STACK_BYTES);
    return ret;
}

void ft_launch_wait(struct ft_launch *launch)
{
    if (launch->filter)
        (void)pthread_join(launch->thread, NULL);
    munmap(launch->stack, STACK_BYTES);
}
