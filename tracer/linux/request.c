/* SPDX-License-Identifier: MIT */
/* A watched process asks the tracer to serve its listener. */
#include "tracer/linux/request.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

int ft_request_take(const struct ft_request *request)
{
    int process = (int)syscall(SYS_pidfd_open, request->pid, 0);
    if (process < 0)
        return -errno;
    int fd = (int)syscall(SYS_pidfd_getfd, process, request->fd, 0);
    int ret = fd < 0 ? -errno : fd;
    close(process);
    return ret;
}

void ft_request_answer(struct ft_log_head *log, const struct ft_request *request, int result)
{
    if (request->slot >= FT_REQUEST_SLOTS)
        return;
    struct ft_request_slot *slot = &log->requests[request->slot];
    slot->result = result;
    __atomic_store_n(&slot->state, FT_REQUEST_ANSWERED, __ATOMIC_RELEASE);
    (void)syscall(SYS_futex, &slot->state, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
