/* SPDX-License-Identifier: MIT */
/* The ptrace way: a process that traces, records and, should the tracer end, goes on silently. */
#include "tracer/linux/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracer/linux/request.h"
#include "tracer/linux/tracees.h"

/** What goes through the keeper's pipe. */
struct order {
    struct ft_request request;
    enum ft_keeper_mode mode;
};

struct keeping {
    int requests, signals, tracer; /* pipe, signalfd, pidfd of the tracer (-1: gone) */
    struct ft_log *log;
    struct ft_tracees tracees;
};

static void take_orders(struct keeping *keeping)
{
    struct order order;
    while (read(keeping->requests, &order, sizeof(order)) == (ssize_t)sizeof(order)) {
        int ret = ft_tracees_attach(&keeping->tracees, order.request.tid, order.mode);
        ft_request_answer(keeping->log->head, &order.request, ret);
    }
}

/** The tracer has finished, or is gone. @return true when nobody is traced any more */
static bool take_leave(struct keeping *keeping, bool told)
{
    keeping->tracees.silent = true;
    if (told) {
        struct ft_log_head *head = keeping->log->head;
        __atomic_store_n(&head->keeper_left, 1 + (keeping->tracees.count > 0), __ATOMIC_RELEASE);
        (void)syscall(SYS_futex, &head->keeper_left, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    }
    return keeping->tracees.count == 0;
}

static void keep(struct keeping *keeping)
{
    struct pollfd fds[] = {{.fd = keeping->signals, .events = POLLIN},
                           {.fd = keeping->requests, .events = POLLIN},
                           {.fd = keeping->tracer, .events = POLLIN}};
    bool leaving = false;
    while (!leaving || keeping->tracees.count) {
        struct signalfd_siginfo info;
        (void)poll(fds, ARRAY_LEN(fds), -1);
        while (read(keeping->signals, &info, sizeof(info)) > 0)
            ;
        ft_tracees_serve(&keeping->tracees);
        take_orders(keeping);
        if (!leaving && (fds[1].revents & POLLHUP)) {
            leaving = true;
            (void)take_leave(keeping, true);
            fds[1].fd = -1;
        }
        if (fds[2].revents & POLLIN) {
            leaving = true;
            (void)take_leave(keeping, false);
            fds[1].fd = fds[2].fd = -1;
        }
    }
}

/** In the new process: nothing of the tracer's stays open but what is needed here. */
static void keeper_main(int requests, struct ft_log *log)
{
    struct keeping keeping = {.requests = requests, .log = log};
    sigset_t mask;

    (void)setsid(); /* a terminal's signals are not for us */
    sigfillset(&mask);
    (void)sigprocmask(SIG_SETMASK, &mask, NULL);
    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD);
    keeping.signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    keeping.tracer = (int)syscall(SYS_pidfd_open, getppid(), 0);
    ft_tracees_init(&keeping.tracees, log);
    for (int fd = 0; fd < 1024; fd++)
        if (fd != requests && fd != keeping.signals && fd != keeping.tracer)
            close(fd);
    keep(&keeping);
    ft_tracees_fini(&keeping.tracees);
}

int ft_keeper_start(struct ft_keeper *keeper, struct ft_log *log)
{
    int ends[2];

    if (keeper->pid)
        return 0;
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
        return -errno;
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[1]);
        keeper_main(ends[0], log);
        _exit(0);
    }
    int ret = pid < 0 ? -errno : 0;
    close(ends[0]);
    if (ret) {
        close(ends[1]);
        return ret;
    }
    *keeper = (struct ft_keeper){.pid = pid, .request = ends[1]};
    return 0;
}

int ft_keeper_attach(const struct ft_keeper *keeper, const struct ft_request *request,
                     enum ft_keeper_mode mode)
{
    const struct order order = {.request = *request, .mode = mode};
    ssize_t n = write(keeper->request, &order, sizeof(order));
    return n == (ssize_t)sizeof(order) ? 0 : -EPIPE;
}

bool ft_keeper_stop(struct ft_keeper *keeper, struct ft_log *log)
{
    if (!keeper->pid)
        return false;
    struct ft_log_head *head = log->head;
    close(keeper->request);
    while (__atomic_load_n(&head->keeper_left, __ATOMIC_ACQUIRE) == 0) {
        const struct timespec step = {.tv_nsec = 10000000};
        (void)syscall(SYS_futex, &head->keeper_left, FUTEX_WAIT, 0, &step, NULL, 0);
        if (waitpid(keeper->pid, NULL, WNOHANG) == keeper->pid) {
            keeper->pid = 0; /* killed by somebody */
            return false;
        }
    }
    bool left = __atomic_load_n(&head->keeper_left, __ATOMIC_ACQUIRE) == 2;
    if (!left)
        while (waitpid(keeper->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    keeper->pid = 0;
    return left;
}
