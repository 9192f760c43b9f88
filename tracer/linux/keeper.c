/* SPDX-License-Identifier: MIT */
/* The ptrace way: a process that traces, records and, should the tracer end, goes on silently. */
#include "tracer/linux/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracer/linux/request.h"
#include "tracer/linux/tracees.h"

/** What goes to the keeper, whole. */
struct order {
    struct ft_request request;
    enum ft_keeper_mode mode;
};

struct keeping {
    int orders;          /* socket: from the tracer, and back the farewell */
    int signals, tracer; /* signalfd, pidfd of the tracer (-1: gone) */
    struct ft_log *log;
    struct ft_tracees tracees;
};

/** @return false when no more will come */
static bool take_orders(struct keeping *keeping)
{
    struct order order;
    ssize_t n;
    while ((n = recv(keeping->orders, &order, sizeof(order), MSG_DONTWAIT)) ==
           (ssize_t)sizeof(order)) {
        int ret = ft_tracees_attach(&keeping->tracees, order.request.tid, order.mode);
        ft_request_answer(keeping->log->head, &order.request, ret);
    }
    return n < 0 && (errno == EAGAIN || errno == EINTR);
}

/** The run is over: tell the tracer whether anybody is left, and record no more. */
static void take_leave(struct keeping *keeping)
{
    const char left = keeping->tracees.count > 0;
    keeping->tracees.silent = true;
    (void)send(keeping->orders, &left, sizeof(left), MSG_NOSIGNAL); /* the tracer may be gone */
    close(keeping->orders);
}

static void keep(struct keeping *keeping)
{
    struct pollfd fds[] = {{.fd = keeping->signals, .events = POLLIN},
                           {.fd = keeping->orders, .events = POLLIN},
                           {.fd = keeping->tracer, .events = POLLIN}};
    bool leaving = false;
    while (!leaving || keeping->tracees.count) {
        struct signalfd_siginfo info;
        (void)poll(fds, ARRAY_LEN(fds), -1);
        while (read(keeping->signals, &info, sizeof(info)) > 0)
            ;
        ft_tracees_serve(&keeping->tracees);
        if (!leaving && !take_orders(keeping)) {
            leaving = true;
            take_leave(keeping);
            fds[1].fd = -1;
        }
        if (fds[2].revents & POLLIN) {
            leaving = true;
            keeping->tracees.silent = true;
            fds[1].fd = fds[2].fd = -1;
        }
    }
}

/** In the new process: nothing of the tracer's stays open but what is needed here. */
static void keeper_main(int orders, struct ft_log *log)
{
    struct keeping keeping = {.orders = orders, .log = log};
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
        if (fd != orders && fd != keeping.signals && fd != keeping.tracer)
            close(fd);
    keep(&keeping);
    ft_tracees_fini(&keeping.tracees);
}

int ft_keeper_start(struct ft_keeper *keeper, struct ft_log *log)
{
    int ends[2];

    if (keeper->pid)
        return 0;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
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
    *keeper = (struct ft_keeper){.pid = pid, .orders = ends[1]};
    return 0;
}

int ft_keeper_attach(const struct ft_keeper *keeper, const struct ft_request *request,
                     enum ft_keeper_mode mode)
{
    const struct order order = {.request = *request, .mode = mode};
    ssize_t n = send(keeper->orders, &order, sizeof(order), MSG_DONTWAIT | MSG_NOSIGNAL);
    return n == (ssize_t)sizeof(order) ? 0 : -EPIPE;
}

bool ft_keeper_stop(struct ft_keeper *keeper)
{
    char left = false;
    if (!keeper->pid)
        return false;
    (void)shutdown(keeper->orders, SHUT_WR);
    /* Should it have been killed, nothing comes. */
    while (read(keeper->orders, &left, sizeof(left)) < 0 && errno == EINTR)
        ;
    close(keeper->orders);
    if (!left)
        while (waitpid(keeper->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    keeper->pid = 0;
    return left;
}
