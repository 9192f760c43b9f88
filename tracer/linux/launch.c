/* SPDX-License-Identifier: MIT */
/* Starting the root command. */
#include "tracer/linux/launch.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tracer/linux/enter.h"
#include "tracer/linux/request.h"
#include "tracer/linux/sys.h"

#define STACK_BYTES 65536u
#define KERNEL_SIGSET_BYTES 8

/** The child shares our memory until its exec, the C library's state for this thread included:
 * only raw calls here. */
static int child(void *argument)
{
    struct ft_launch *launch = argument;

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
    launch->pid =
        clone(child, launch->stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, launch);
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
    launch->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (launch->stack == MAP_FAILED)
        return -ENOMEM;
    int ret = 0;
    if (launch->enter)
        /* The exec is notified and waits for an answer: another thread has to wait for it. */
        ret = -pthread_create(&launch->thread, NULL, clone_in_thread, launch);
    else
        clone_child(launch);
    if (ret)
        munmap(launch->stack, STACK_BYTES);
    return ret;
}

void ft_launch_finish(struct ft_launch *launch)
{
    if (launch->enter)
        (void)pthread_join(launch->thread, NULL);
    munmap(launch->stack, STACK_BYTES);
}
