/* SPDX-License-Identifier: MIT */
/* A process that outlives the tracer for the sake of the watched: when the last descriptor of a
 * listener is closed, the kernel answers every notified call with ENOSYS. */
#ifndef TRACER_LINUX_GUARD_H
#define TRACER_LINUX_GUARD_H

#include <linux/ioctl.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/compiler.h"
#include "tracer/linux/request.h"
#include "tracer/record.h"

#define FT_GUARD_SLOTS 1024
/** Room for the kernel's notification, or for the answer to one. */
#define FT_GUARD_SPARE_BYTES 512u

#define FT_GUARD_PATCHES 16
#define FT_GUARD_PATCH_BYTES 448u

/** Code of a program that was overwritten for a moment, while a call of its is answered. */
struct ft_guard_patch {
    uint32_t tid;     /**< whose call; 0: free. Written last */
    int memory;       /**< its /proc/PID/mem, open for writing */
    uint64_t address; /**< where the bytes belong */
    size_t size_bytes;
    unsigned char bytes[FT_GUARD_PATCH_BYTES];
};

/** A listener that is being served. */
struct ft_guard_slot {
    int fd;                             /**< -1: free */
    struct seccomp_notif *notification; /**< what was received last; perhaps not answered yet */
    struct seccomp_notif_resp *response;
    size_t notification_bytes, response_bytes;
    struct ft_guard_patch *patches; /**< FT_GUARD_PATCHES of them, or NULL */
};

/** Zeroed: no guard. Its process shares this memory. */
struct ft_guard {
    pid_t pid;  /**< 0: none */
    int tracer; /**< pidfd of this process */
    char *stack;
    struct ft_log_head *log;  /**< borrowed; must stay mapped while there is a guard */
    int log_fd;               /**< borrowed: what that is made of, or -1; must stay open as well */
    int requests[2];          /**< borrowed: the request pipe; must stay open as well */
    struct ft_request *taken; /**< borrowed: read from it last; perhaps not answered yet */
    struct seccomp_notif_sizes sizes;
    _Alignas(8) char spare[2][FT_GUARD_SPARE_BYTES]; /**< for listeners that the guard fetches */
    unsigned looks;                                  /**< for somebody who waits for us, in vain */
    size_t count;                                    /**< slots that have ever been used */
    struct ft_guard_slot slots[FT_GUARD_SLOTS];
};

/**
 * Start the guard, if there is none. Should this process end, be it by SIGKILL, the guard fetches
 * the listeners of those who have asked and were not served yet, and answers what is and will be
 * notified, without recording, until no process is left under the filters; then it ends.
 * @guard with log, log_fd, requests and taken filled in
 * @return 0, or -ENOSYS (no pidfd), -EAGAIN, -ENOMEM, -EMFILE
 */
MUST_USE int ft_guard_start(struct ft_guard *guard);

/**
 * Let the guard know a listener that is served.
 * @slot filled in; must not move until ft_guard_remove()
 * @return its place, or -EMFILE, -ESRCH (no guard)
 */
MUST_USE int ft_guard_add(struct ft_guard *guard, const struct ft_guard_slot *slot);

/** Forget a listener; before it is closed. */
void ft_guard_remove(struct ft_guard *guard, int place);

/**
 * The listener's server ends and leaves it to the guard: give the guard buffers of its own, in
 * mapped memory that lives as long as it does. Nothing may be unanswered.
 * @return 0; -ENOMEM: then the buffers of the slot must stay
 */
MUST_USE int ft_guard_inherit(struct ft_guard *guard, int place);

/** No listener is left, nor anybody who makes one: end the guard. Otherwise it stays and takes over
 * when we end. */
void ft_guard_dismiss(struct ft_guard *guard);

#endif
