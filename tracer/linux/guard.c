/* SPDX-License-Identifier: MIT */
/* A process that outlives the tracer for the sake of the watched. */
#include "tracer/linux/guard.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracer/linux/sys.h"

#define STACK_BYTES 65536u
#define DESCRIPTORS 65536

/*
 * The guard runs on the tracer's memory and descriptors, so it costs little and knows
 * every listener at once. It may not use what the C library keeps for a thread (errno):
 * raw calls only, here.
 */

/** A program whose code the tracer had changed for a moment comes by: it gets its own back. */
static void restore(const struct ft_guard_slot *slot)
{
    for (size_t i = 0; slot->patches && i < FT_GUARD_PATCHES; i++) {
        struct ft_guard_patch *patch = &slot->patches[i];
        if (!patch->tid || patch->tid != slot->notification->pid)
            continue;
        SYS4(__NR_pwrite64, patch->memory, patch->bytes, patch->size_bytes, patch->address);
        SYS1(__NR_close, patch->memory);
        patch->tid = 0;
    }
}

static void answer(struct ft_guard_slot *slot)
{
    restore(slot);
    for (size_t i = 0; i < slot->response_bytes; i++)
        ((char *)slot->response)[i] = 0;
    slot->response->id = slot->notification->id;
    slot->response->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    (void)SYS3(__NR_ioctl, slot->fd, SECCOMP_IOCTL_NOTIF_SEND, slot->response);
}

static void serve(struct ft_guard_slot *slot)
{
    for (size_t i = 0; i < slot->notification_bytes; i++)
        ((char *)slot->notification)[i] = 0;
    if (SYS3(__NR_ioctl, slot->fd, SECCOMP_IOCTL_NOTIF_RECV, slot->notification) == 0)
        answer(slot);
}

static bool is_needed(const struct ft_guard *guard, int fd)
{
    for (size_t i = 0; i < guard->count; i++) {
        const struct ft_guard_slot *slot = &guard->slots[i];
        if (slot->fd < 0)
            continue;
        if (slot->fd == fd)
            return true;
        for (size_t k = 0; slot->patches && k < FT_GUARD_PATCHES; k++)
            if (slot->patches[k].tid && slot->patches[k].memory == fd)
                return true;
    }
    return false;
}

/** A pipe's reader must not wait for us. */
static void close_others(const struct ft_guard *guard)
{
    for (int fd = 0; fd < DESCRIPTORS; fd++)
        if (!is_needed(guard, fd))
            SYS1(__NR_close, fd);
}

/** Wait for any listener and serve it. @return false when no process is left under any filter */
static bool serve_all(struct ft_guard *guard)
{
    struct pollfd fds[FT_GUARD_SLOTS];
    bool any = false;

    for (size_t i = 0; i < guard->count; i++) {
        fds[i].fd = guard->slots[i].fd; /* a free place's -1 is passed over */
        fds[i].events = POLLIN;
        fds[i].revents = 0;
        any |= fds[i].fd >= 0;
    }
    if (!any || sys6(__NR_ppoll, (long)fds, (long)guard->count, 0, 0, 0, 0) <= 0)
        return any;
    for (size_t i = 0; i < guard->count; i++) {
        if (fds[i].revents & POLLIN) {
            serve(&guard->slots[i]);
        } else if (fds[i].revents) { /* the last process has ended */
            SYS1(__NR_close, fds[i].fd);
            guard->slots[i].fd = -1;
        }
    }
    return true;
}

static int guard_main(void *argument)
{
    struct ft_guard *guard = argument;
    struct pollfd tracer = {.fd = guard->tracer, .events = POLLIN};

    SYS0(__NR_setsid); /* a terminal's signals are not for us */
    while (sys6(__NR_ppoll, (long)&tracer, 1, 0, 0, 0, 0) != 1)
        ;
    for (size_t i = 0; i < guard->count; i++)
        if (guard->slots[i].fd >= 0)
            answer(
                &guard->slots[i]); /* what the tracer had received; else the kernel says ENOENT */
    close_others(guard);
    while (serve_all(guard))
        ;
    SYS1(__NR_exit_group, 0);
    return 0;
}

static int start(struct ft_guard *guard)
{
    sigset_t all, old;

    guard->tracer = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (guard->tracer < 0)
        return -errno;
    guard->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (guard->stack == MAP_FAILED) {
        close(guard->tracer);
        return -ENOMEM;
    }
    sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, &old);
    guard->pid =
        clone(guard_main, guard->stack + STACK_BYTES, CLONE_VM | CLONE_FILES | SIGCHLD, guard);
    int ret = guard->pid < 0 ? -errno : 0;
    (void)sigprocmask(SIG_SETMASK, &old, NULL);
    if (ret) {
        guard->pid = 0;
        munmap(guard->stack, STACK_BYTES);
        close(guard->tracer);
    }
    return ret;
}

int ft_guard_add(struct ft_guard *guard, const struct ft_guard_slot *slot)
{
    size_t place = 0;
    while (place < guard->count && guard->slots[place].fd >= 0)
        place++;
    if (place == FT_GUARD_SLOTS)
        return -EMFILE;
    guard->slots[place] = *slot;
    if (place == guard->count)
        __atomic_store_n(&guard->count, place + 1, __ATOMIC_RELEASE);
    int ret = guard->pid ? 0 : start(guard);
    if (ret)
        ft_guard_remove(guard, (int)place);
    return ret ? ret : (int)place;
}

void ft_guard_remove(struct ft_guard *guard, int place)
{
    __atomic_store_n(&guard->slots[place].fd, -1, __ATOMIC_RELEASE);
}

int ft_guard_inherit(struct ft_guard *guard, int place)
{
    struct ft_guard_slot *slot = &guard->slots[place];
    size_t first = (slot->notification_bytes + 7) & ~(size_t)7;
    size_t second = first + ((slot->response_bytes + 7) & ~(size_t)7);
    char *map = mmap(NULL, second + FT_GUARD_PATCHES * sizeof(*slot->patches),
                     PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        return -ENOMEM;
    slot->notification = (struct seccomp_notif *)(void *)map;
    slot->response = (struct seccomp_notif_resp *)(void *)(map + first);
    if (slot->patches) {
        struct ft_guard_patch *patches = (struct ft_guard_patch *)(void *)(map + second);
        for (size_t i = 0; i < FT_GUARD_PATCHES; i++)
            patches[i] = slot->patches[i];
        slot->patches = patches;
    }
    return 0;
}

void ft_guard_dismiss(struct ft_guard *guard)
{
    if (!guard->pid)
        return;
    for (size_t i = 0; i < guard->count; i++)
        if (guard->slots[i].fd >= 0)
            return;
    (void)kill(guard->pid, SIGKILL);
    while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    munmap(guard->stack, STACK_BYTES);
    close(guard->tracer);
    guard->pid = 0;
}
