/* SPDX-License-Identifier: MIT */
/* Starting the root command. */
#include "tracer/linux/launch.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <unistd.h>

#include "tracer/linux/clone.h"
#include "tracer/linux/enter.h"
#include "tracer/linux/request.h"
#include "tracer/linux/sys.h"

#define KERNEL_SIGSET_BYTES 8

static void set_action(int number, void (*action)(int))
{
    const struct {
        void (*handler)(int);
        unsigned long flags;
        void (*restorer)(void);
        unsigned long mask;
    } kernel_action = {.handler = action};
    SYS4(__NR_rt_sigaction, number, &kernel_action, NULL, KERNEL_SIGSET_BYTES);
}

/** The child shares our memory until its exec, the C library's state for this thread included:
 * only raw calls here. */
static int child(void *argument)
{
    struct ft_launch *launch = argument;

    set_action(SIGCHLD, launch->on_child);
    set_action(SIGXFSZ, launch->on_file_size);
    SYS4(__NR_rt_sigprocmask, SIG_SETMASK, &launch->signal_mask, NULL, KERNEL_SIGSET_BYTES);
    launch->enter_error =
        launch->enter ? ft_enter(launch->log, launch->pipe, launch->by_ptrace) : 0;
    launch->exec_error = (int)SYS3(__NR_execve, launch->path, launch->argv, launch->envp);
    SYS1(__NR_exit, 127);
    return 127;
}

/** Clone the child and wait for its exec. */
static void clone_child(struct ft_launch *launch)
{
    launch->pid = ft_clone(child, launch->stack + FT_LAUNCH_STACK_BYTES,
                           CLONE_VM | CLONE_VFORK | SIGCHLD, launch);
    if (launch->pid < 0)
        launch->exec_error = -errno;
}

static void *clone_in_thread(void *argument)
{
    struct ft_launch *launch = argument;
    const struct ft_request launched = {.kind = FT_REQUEST_LAUNCHED, .slot = FT_REQUEST_SLOTS};

    clone_child(launch);
    while (write(launch->pipe, &launched, sizeof(launched)) < 0 &&
           (errno == EAGAIN || errno == EINTR))
        sched_yield();
    return NULL;
}

int ft_launch_start(struct ft_launch *launch)
{
    launch->pid = -1;
    launch->enter_error = 0;
    launch->exec_error = 0;
    int ret = 0;
    if (launch->enter)
        /* The exec is notified and waits for an answer: another thread has to wait for it. */
        ret = -pthread_create(&launch->thread, NULL, clone_in_thread, launch);
    else
        clone_child(launch);
    return ret;
}

void ft_launch_finish(struct ft_launch *launch)
{
    if (launch->enter)
        (void)pthread_join(launch->thread, NULL);
}
