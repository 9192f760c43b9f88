/* SPDX-License-Identifier: MIT */
/* From inside a watched program: put the filter on this thread and have the tracer serve it. */
#include "tracer/linux/preload_request.h"

#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/futex.h>

#include "tracer/image.h"
#include "tracer/linux/filter.h"
#include "tracer/linux/preload_env.h"
#include "tracer/linux/sys.h"

/** Layout of struct ft_request, which needs no C library either. */
#include "tracer/linux/request.h"

#define ANSWER_STEPS 200 /* of 10 ms */

bool ft_preload_has_filter(void)
{
    return SYS4(__NR_prctl, FT_FILTER_PROBE, 0, 0, 0) == -FT_FILTER_PROBE_ERROR;
}

/** Take a slot where the answer will stand. @return its number, or -1 */
static int take_slot(struct ft_log_head *log)
{
    for (uint32_t i = 0; i < FT_REQUEST_SLOTS; i++) {
        uint32_t expected = FT_REQUEST_FREE;
        if (__atomic_compare_exchange_n(&log->requests[i].state, &expected, FT_REQUEST_ASKED, false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return (int)i;
    }
    return -1;
}

static int await_answer(struct ft_request_slot *slot)
{
    static const struct {
        long seconds, nanoseconds;
    } step = {0, 10000000};
    int result = -ETIMEDOUT;

    for (int i = 0; i < ANSWER_STEPS; i++) {
        if (__atomic_load_n(&slot->state, __ATOMIC_ACQUIRE) == FT_REQUEST_ANSWERED) {
            result = slot->result;
            break;
        }
        SYS4(__NR_futex, &slot->state, FUTEX_WAIT, FT_REQUEST_ASKED, &step);
    }
    __atomic_store_n(&slot->state, FT_REQUEST_FREE, __ATOMIC_RELEASE);
    return result;
}

/** Open the tracer's request pipe through its /proc entry. */
static int open_pipe(void)
{
    const char *value = ft_preload_env;
    char path[64];
    uint32_t colon[3], colons = 0;

    for (uint32_t i = 0; value[i] && colons < 3; i++)
        if (value[i] == ':')
            colon[colons++] = i;
    if (colons < 3)
        return -EINVAL;
    uint32_t n = ft_put_text(path, 0, sizeof(path), "/proc/");
    for (uint32_t i = 0; i < colon[0] && n + 1 < sizeof(path); i++)
        path[n++] = value[i];
    n = ft_put_text(path, n, sizeof(path), "/fd/");
    for (uint32_t i = colon[1] + 1; i < colon[2] && n + 1 < sizeof(path); i++)
        path[n++] = value[i];
    path[n] = '\0';
    return (int)SYS4(__NR_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0);
}

static int ask(int pipe, int listener)
{
    int slot = take_slot(ft_preload_log);
    if (slot < 0)
        return -EAGAIN;
    const struct ft_request request = {
        .pid = (uint32_t)SYS0(__NR_getpid),
        .fd = listener,
        .slot = (uint32_t)slot,
    };
    long n = SYS3(__NR_write, pipe, &request, sizeof(request));
    if (n != (long)sizeof(request)) {
        __atomic_store_n(&ft_preload_log->requests[slot].state, FT_REQUEST_FREE, __ATOMIC_RELEASE);
        return n < 0 ? (int)n : -EIO;
    }
    return await_answer(&ft_preload_log->requests[slot]);
}

void ft_preload_enter_filter(const char *image)
{
    if (ft_preload_has_filter())
        return;
    /* The pipe first: once the filter is on, our own open would wait for its answer. */
    int pipe = open_pipe();
    int listener = pipe < 0 ? pipe : ft_filter_install();
    int ret = listener < 0 ? listener : ask(pipe, listener);
    if (listener >= 0)
        SYS1(__NR_close, listener);
    if (pipe >= 0)
        SYS1(__NR_close, pipe);
    if (ret)
        ft_note_reason(FT_REASON_NO_FILTER, image);
}
