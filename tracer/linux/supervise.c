/* SPDX-License-Identifier: MIT */
/* The tracer's side of a seccomp listener. */
#include "tracer/linux/supervise.h"

#include <errno.h>
#include <linux/ioctl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tracer/linux/inject.h"
#include "tracer/linux/notified.h"

/* Newer than the headers of some systems (Linux 6.6). */
#ifndef SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1ul << 0)
#endif
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#endif

/** Without a thread: how long the next notification is waited for, and after how many somebody else
 * has a turn. */
#define TURN_WAIT_MS 1
#define TURN_NOTIFICATIONS 256

/** Makes a blocking call return with EINTR; has no other effect. */
#define STOP_SIGNAL SIGUSR1

struct ft_supervisor {
    int fd;
    struct ft_log *log;
    struct ft_guard *guard;
    int place; /* in the guard; negative: unguarded */
    pthread_t thread;
    bool threadless; /* no thread could be had: ft_supervisor_serve() */
    bool stop;       /* atomic */
    bool finished;   /* atomic: no process is left */
    struct seccomp_notif_sizes sizes;
    struct seccomp_notif *notification;  /* owned, sizes.seccomp_notif bytes */
    struct seccomp_notif_resp *response; /* owned, sizes.seccomp_notif_resp bytes */
    struct ft_notified notified;
    struct ft_inject inject;
};

/** ioctl(2), whose request is a long to the kernel and an int to some C libraries. */
static long listener_call(int fd, unsigned long request, const void *argument)
{
    return syscall(SYS_ioctl, fd, request, argument);
}

/** The listener hangs up with the last process; before Linux 6.11 a receive that waits stays. */
static bool no_process_left(int fd)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
    return poll(&poll_fd, 1, 0) > 0 && (poll_fd.revents & (POLLHUP | POLLERR)) &&
           !(poll_fd.revents & POLLIN);
}

/** The answer came too late. When the task still lives a signal has taken its call back: with
 * SA_RESTART it comes again, without, the program sees EINTR. */
static void count_interrupted(struct ft_supervisor *supervisor)
{
    uint32_t tid = supervisor->notification->pid;
    if (syscall(SYS_tgkill, supervisor->notified.pid, tid, 0) == 0 || errno == EPERM)
        __atomic_fetch_add(&supervisor->log->head->interrupted, 1, __ATOMIC_RELAXED);
}

/** Take one notification, record it, and let the call go on. @return false when no more come */
static bool serve_one(struct ft_supervisor *supervisor)
{
    struct seccomp_notif *notification = supervisor->notification;
    struct seccomp_notif_resp *response = supervisor->response;

    memset(notification, 0, supervisor->sizes.seccomp_notif); /* else EINVAL */
    if (listener_call(supervisor->fd, SECCOMP_IOCTL_NOTIF_RECV, notification)) {
        if (errno == ENOENT)
            return !no_process_left(supervisor->fd);
        return errno == EINTR;
    }
    bool known = ft_notified_read(&supervisor->notified, notification);
    ft_inject_before_answer(&supervisor->inject, notification,
                            known ? supervisor->notified.pid : 0);
    memset(response, 0, supervisor->sizes.seccomp_notif_resp);
    response->id = notification->id;
    bool denied = known && ft_notified_is_denied(&supervisor->notified, supervisor->log);
    if (denied)
        response->error = -ENOSYS;
    else
        response->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    /* When the task is gone its call never happened, and what was read may be another's. */
    bool late = listener_call(supervisor->fd, SECCOMP_IOCTL_NOTIF_SEND, response) != 0;
    if (late)
        ft_inject_unanswered(&supervisor->inject, notification);
    if (late && known)
        count_interrupted(supervisor);
    else if (!late && known && !denied)
        ft_notified_commit(&supervisor->notified, FT_ERROR_UNKNOWN, supervisor->log);
    return true;
}

static void *serve(void *argument)
{
    struct ft_supervisor *supervisor = argument;
    while (!__atomic_load_n(&supervisor->stop, __ATOMIC_ACQUIRE)) {
        if (!serve_one(supervisor)) {
            __atomic_store_n(&supervisor->finished, true, __ATOMIC_RELEASE);
            break;
        }
    }
    return NULL;
}

static void ignore_signal(int number)
{
    (void)number;
}

static void supervisor_free(struct ft_supervisor *supervisor)
{
    ft_inject_fini(&supervisor->inject);
    free(supervisor->notification);
    free(supervisor->response);
    free(supervisor);
}

static int supervisor_new(int fd, struct ft_log *log, struct ft_supervisor **out)
{
    struct ft_supervisor *supervisor = calloc(1, sizeof(*supervisor));
    *out = NULL;
    if (!supervisor)
        return -ENOMEM;
    supervisor->fd = fd;
    supervisor->log = log;
    if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &supervisor->sizes))
        supervisor->sizes = (struct seccomp_notif_sizes){sizeof(struct seccomp_notif),
                                                         sizeof(struct seccomp_notif_resp),
                                                         sizeof(struct seccomp_data)};
    /* A newer kernel's structures may be larger than ours: never smaller buffers than both. */
    if (supervisor->sizes.seccomp_notif < sizeof(struct seccomp_notif))
        supervisor->sizes.seccomp_notif = sizeof(struct seccomp_notif);
    if (supervisor->sizes.seccomp_notif_resp < sizeof(struct seccomp_notif_resp))
        supervisor->sizes.seccomp_notif_resp = sizeof(struct seccomp_notif_resp);
    supervisor->notification = calloc(1, supervisor->sizes.seccomp_notif);
    supervisor->response = calloc(1, supervisor->sizes.seccomp_notif_resp);
    if (!supervisor->notification || !supervisor->response) {
        supervisor_free(supervisor);
        return -ENOMEM;
    }
    *out = supervisor;
    return 0;
}

int ft_supervisor_start(int fd, struct ft_log *log, struct ft_guard *guard, struct ft_slots *slots,
                        struct ft_supervisor **out)
{
    struct ft_supervisor *supervisor = NULL;
    sigset_t all, old;

    *out = NULL;
    int ret = supervisor_new(fd, log, &supervisor);
    if (ret)
        return ret;
    /* Halves the cost: the woken task runs on this processor at once. Absent: EINVAL. */
    (void)listener_call(fd, SECCOMP_IOCTL_NOTIF_SET_FLAGS,
                        (const void *)SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);

    supervisor->guard = guard;
    const struct ft_guard_slot slot = {
        .fd = fd,
        .notification = supervisor->notification,
        .response = supervisor->response,
        .notification_bytes = supervisor->sizes.seccomp_notif,
        .response_bytes = supervisor->sizes.seccomp_notif_resp,
        .patches = supervisor->inject.patches,
    };
    supervisor->place = ft_guard_add(guard, &slot);
    /* Without a guard our end could leave a program with the bootstrap in its code. */
    ft_inject_init(&supervisor->inject, log, supervisor->place >= 0 ? slots : NULL, fd);

    struct sigaction action = {.sa_handler = ignore_signal};
    sigemptyset(&action.sa_mask);
    (void)sigaction(STOP_SIGNAL, &action, NULL);
    sigfillset(&all);
    sigdelset(&all, STOP_SIGNAL);
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    ret = -pthread_create(&supervisor->thread, NULL, serve, supervisor);
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    /* The filter is on already and cannot be taken off: its calls must be answered. */
    supervisor->threadless = ret != 0;
    *out = supervisor;
    return 0;
}

bool ft_supervisor_serve(struct ft_supervisor *supervisor)
{
    struct pollfd listener = {.fd = supervisor->fd, .events = POLLIN};
    if (!supervisor->threadless)
        return false;
    for (int i = 0; i < TURN_NOTIFICATIONS && !supervisor->finished; i++) {
        if (poll(&listener, 1, TURN_WAIT_MS) <= 0)
            break;
        if (!(listener.revents & POLLIN) || !serve_one(supervisor))
            supervisor->finished = true;
    }
    return !supervisor->finished;
}

bool ft_supervisor_is_finished(const struct ft_supervisor *supervisor)
{
    return __atomic_load_n(&supervisor->finished, __ATOMIC_ACQUIRE);
}

bool ft_supervisor_stop(struct ft_supervisor *supervisor)
{
    __atomic_store_n(&supervisor->stop, true, __ATOMIC_RELEASE);
    /* The signal may fall between the test of `stop` and the blocking call: repeat it. */
    struct timespec pause = {.tv_nsec = 200000};
    while (!supervisor->threadless) {
        if (pthread_tryjoin_np(supervisor->thread, NULL) == 0)
            break;
        (void)pthread_kill(supervisor->thread, STOP_SIGNAL);
        (void)nanosleep(&pause, NULL);
    }
    if (!supervisor->finished && !no_process_left(supervisor->fd)) {
        /* What the guard needs must stay. */
        if (supervisor->place >= 0 && !ft_guard_inherit(supervisor->guard, supervisor->place)) {
            ft_inject_leave(&supervisor->inject);
            supervisor_free(supervisor);
        }
        return true;
    }
    if (supervisor->place >= 0)
        ft_guard_remove(supervisor->guard, supervisor->place);
    close(supervisor->fd);
    supervisor_free(supervisor);
    return false;
}
