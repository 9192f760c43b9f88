/* SPDX-License-Identifier: MIT */
/* A process that outlives the tracer for the sake of the watched. */
#include "tracer/linux/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracer/linux/clone.h"
#include "tracer/linux/sys.h"

#define STACK_BYTES 65536u
#define DESCRIPTORS 65536
/** How often to look whether somebody who makes a listener has been killed meanwhile. */
#define LOOK_NS 100000000
/** How often to look when nobody has the log any more: the root command's launch, which shares the
 * tracer's, takes less. */
#define LOOKS_ALONE 50

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

/** Does not wait: nobody else is served while it would. */
static void serve(struct ft_guard_slot *slot)
{
    struct pollfd listener = {.fd = slot->fd, .events = POLLIN};
    struct timespec now = {0}; /* the kernel writes there what is left */
    if (sys6(__NR_ppoll, (long)&listener, 1, (long)&now, 0, 0, 0) != 1)
        return; /* another descriptor of the same listener was served just now */
    for (size_t i = 0; i < slot->notification_bytes; i++)
        ((char *)slot->notification)[i] = 0;
    if (SYS3(__NR_ioctl, slot->fd, SECCOMP_IOCTL_NOTIF_RECV, slot->notification) == 0)
        answer(slot);
}

static bool is_needed(const struct ft_guard *guard, int fd)
{
    if (fd == guard->requests[0] || fd == guard->requests[1]) /* both: it never hangs up */
        return true;
    if (fd == guard->log_fd)
        return true;
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

/** @return where a listener can be kept, or -EMFILE */
static int free_place(const struct ft_guard *guard)
{
    size_t place = 0;
    while (place < guard->count && guard->slots[place].fd >= 0)
        place++;
    return place < FT_GUARD_SLOTS ? (int)place : -EMFILE;
}

/** A listener that the tracer has not lived to serve. */
static int adopt(struct ft_guard *guard, const struct ft_request *request)
{
    int place = free_place(guard);
    if (place < 0 || guard->sizes.seccomp_notif > FT_GUARD_SPARE_BYTES ||
        guard->sizes.seccomp_notif_resp > FT_GUARD_SPARE_BYTES)
        return -EMFILE;
    int fd = ft_request_take(request);
    if (fd < 0) /* -EBADF: it was served, and its number is another file's by now */
        return fd;
    struct ft_guard_slot *slot = &guard->slots[place];
    slot->fd = fd;
    slot->notification = (struct seccomp_notif *)(void *)guard->spare[0];
    slot->response = (struct seccomp_notif_resp *)(void *)guard->spare[1];
    slot->notification_bytes = guard->sizes.seccomp_notif;
    slot->response_bytes = guard->sizes.seccomp_notif_resp;
    slot->patches = NULL;
    if ((size_t)place == guard->count)
        guard->count++;
    return 0;
}

/** @taken zeroed, or what was read from the pipe */
static void adopt_and_answer(struct ft_guard *guard, const struct ft_request *taken)
{
    if (taken->kind == FT_REQUEST_LISTENER)
        ft_request_answer(guard->log, taken, adopt(guard, taken));
    else if (taken->kind == FT_REQUEST_GUARDED)
        ft_request_answer(guard->log, taken, 0);
}

static void read_requests(struct ft_guard *guard)
{
    struct ft_request request;
    while (SYS3(__NR_read, guard->requests[0], &request, sizeof(request)) == (long)sizeof(request))
        adopt_and_answer(guard, &request);
}

static bool has_listener(const struct ft_guard *guard)
{
    for (size_t i = 0; i < guard->count; i++)
        if (guard->slots[i].fd >= 0)
            return true;
    return false;
}

/** Does anybody else have the log? See ft_log_attached(), whose calls are the C library's. */
static bool is_log_held(const struct ft_guard *guard)
{
    if (SYS3(__NR_fcntl, guard->log_fd, F_SETLEASE, F_WRLCK))
        return guard->log_fd >= 0;
    SYS3(__NR_fcntl, guard->log_fd, F_SETLEASE, F_UNLCK);
    return false;
}

/** Is somebody about to ask for us? The log says who, but anything may be written there, and the
 * number of one who was killed may be another's by now. */
static bool is_awaited(struct ft_guard *guard)
{
    if (!ft_request_waiting(guard->log))
        return false;
    guard->looks = is_log_held(guard) ? 0 : guard->looks + 1;
    return guard->looks < LOOKS_ALONE;
}

/** Does nobody need the guard? Then nobody can count on it any more either. */
static bool is_needless(struct ft_guard *guard)
{
    uint32_t *place = &guard->log->guard_pid;
    uint32_t pid = __atomic_load_n(place, __ATOMIC_RELAXED);
    if (has_listener(guard))
        return false;
    /* Who takes a slot now sees that there is no guard, or we see the slot. */
    __atomic_store_n(place, 0, __ATOMIC_SEQ_CST);
    if (!is_awaited(guard))
        return true;
    __atomic_store_n(place, pid, __ATOMIC_SEQ_CST);
    return false;
}

/** Wait for any listener or request and serve it. */
static void serve_all(struct ft_guard *guard)
{
    struct timespec look = {.tv_nsec = LOOK_NS};
    struct pollfd fds[FT_GUARD_SLOTS + 1];
    size_t count = guard->count;

    for (size_t i = 0; i < count; i++) {
        fds[i].fd = guard->slots[i].fd; /* a free place's -1 is passed over */
        fds[i].events = POLLIN;
        fds[i].revents = 0;
    }
    fds[count].fd = guard->requests[0];
    fds[count].events = POLLIN;
    fds[count].revents = 0;
    if (sys6(__NR_ppoll, (long)fds, (long)count + 1, has_listener(guard) ? 0 : (long)&look, 0, 0,
             0) <= 0)
        return;
    for (size_t i = 0; i < count; i++) {
        if (fds[i].revents & POLLIN) {
            serve(&guard->slots[i]);
        } else if (fds[i].revents) { /* the last process has ended */
            SYS1(__NR_close, fds[i].fd);
            guard->slots[i].fd = -1;
        }
    }
    if (fds[count].revents)
        read_requests(guard);
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
    adopt_and_answer(guard, guard->taken);
    close_others(guard);
    while (!is_needless(guard))
        serve_all(guard);
    SYS1(__NR_exit_group, 0);
    return 0;
}

int ft_guard_start(struct ft_guard *guard)
{
    sigset_t all, old;

    if (guard->pid)
        return 0;
    if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &guard->sizes))
        return -errno;
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
        ft_clone(guard_main, guard->stack + STACK_BYTES, CLONE_VM | CLONE_FILES | SIGCHLD, guard);
    int ret = guard->pid < 0 ? -errno : 0;
    (void)sigprocmask(SIG_SETMASK, &old, NULL);
    if (ret) {
        guard->pid = 0;
        munmap(guard->stack, STACK_BYTES);
        close(guard->tracer);
    }
    __atomic_store_n(&guard->log->guard_pid, (uint32_t)guard->pid, __ATOMIC_RELEASE);
    return ret;
}

int ft_guard_add(struct ft_guard *guard, const struct ft_guard_slot *slot)
{
    if (!guard->pid)
        return -ESRCH;
    int place = free_place(guard);
    if (place < 0)
        return place;
    guard->slots[place] = *slot;
    if ((size_t)place == guard->count)
        __atomic_store_n(&guard->count, guard->count + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&guard->taken->kind, FT_REQUEST_GUARDED, __ATOMIC_RELEASE);
    return place;
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
    if (!guard->pid || !is_needless(guard))
        return;
    (void)kill(guard->pid, SIGKILL);
    while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    munmap(guard->stack, STACK_BYTES);
    close(guard->tracer);
    guard->pid = 0;
}
