/* SPDX-License-Identifier: MIT */
/* A watched process asks the tracer to serve its listener. */
#include "tracer/linux/request.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/ioctl.h>
#include <linux/seccomp.h>

#include "tracer/linux/sys.h"

/** Which kernels know by which number; older headers had the wrong direction. */
#define ID_VALID SECCOMP_IOW(2, __u64)
#define ID_VALID_BEFORE_5_9 SECCOMP_IOR(2, __u64)

static bool is_listener(int fd)
{
    const __u64 none = 0; /* no notification has this number */
    long ret = SYS3(__NR_ioctl, fd, ID_VALID, &none);
    if (ret == -EINVAL)
        ret = SYS3(__NR_ioctl, fd, ID_VALID_BEFORE_5_9, &none);
    return ret == -ENOENT;
}

int ft_request_take(const struct ft_request *request)
{
    int process = (int)SYS2(__NR_pidfd_open, request->pid, 0);
    if (process < 0)
        return process;
    int fd = (int)SYS3(__NR_pidfd_getfd, process, request->fd, 0);
    SYS1(__NR_close, process);
    if (fd >= 0 && !is_listener(fd)) {
        SYS1(__NR_close, fd);
        return -EBADF;
    }
    return fd;
}

void ft_request_answer(struct ft_log_head *log, const struct ft_request *request, int result)
{
    if (request->slot >= FT_REQUEST_SLOTS)
        return;
    uint32_t *state = &log->requests[request->slot].state;
    uint32_t asked = request->asked;
    if (ft_request_phase(asked) == FT_REQUEST_ASKED &&
        __atomic_compare_exchange_n(state, &asked, ft_request_answered(asked, result), false,
                                    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        SYS3(__NR_futex, state, FUTEX_WAKE, INT_MAX);
}

static bool has_ended(uint32_t pid)
{
    return SYS2(__NR_kill, pid, 0) == -ESRCH;
}

unsigned ft_request_waiting(const struct ft_log_head *log)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < FT_REQUEST_SLOTS; i++) {
        uint32_t owner = __atomic_load_n(&log->requests[i].owner, __ATOMIC_SEQ_CST);
        count += owner && !has_ended(owner);
    }
    return count;
}

void ft_request_sweep(struct ft_log_head *log)
{
    for (uint32_t i = 0; i < FT_REQUEST_SLOTS; i++) {
        struct ft_request_slot *slot = &log->requests[i];
        uint32_t state = __atomic_load_n(&slot->state, __ATOMIC_ACQUIRE);
        uint32_t owner = __atomic_load_n(&slot->owner, __ATOMIC_RELAXED);
        if (ft_request_phase(state) == FT_REQUEST_FREE || !owner || !has_ended(owner))
            continue;
        /* The owner first: a slot that is free never has one. */
        if (__atomic_compare_exchange_n(&slot->owner, &owner, 0, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            (void)__atomic_compare_exchange_n(&slot->state, &state, ft_request_freed(state), false,
                                              __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    }
}
