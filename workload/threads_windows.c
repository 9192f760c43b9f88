/* SPDX-License-Identifier: MIT */
/* Threads that start together, from _beginthreadex, which sets the C runtime up for each. */
#include "threads.h"

#include <errno.h>
#include <process.h>
#include <windows.h>

struct start {
    void (*body)(void *context, size_t index);
    void *context;
    size_t index;
    HANDLE thread;
};

static unsigned __stdcall enter(void *argument)
{
    struct start *start = argument;
    start->body(start->context, start->index);
    return 0;
}

int wl_threads_run(size_t count, void (*body)(void *context, size_t index), void *context)
{
    struct start starts[WL_THREADS_MAX];
    size_t started = 0;
    int ret = count <= WL_THREADS_MAX ? 0 : -EINVAL;

    while (!ret && started < count) {
        struct start *start = &starts[started];
        *start = (struct start){.body = body, .context = context, .index = started};
        start->thread = (HANDLE)_beginthreadex(NULL, 0, enter, start, 0, NULL);
        if (start->thread)
            started++;
        else
            ret = errno ? -errno : -EAGAIN;
    }
    for (size_t i = 0; i < started; i++) {
        if (WaitForSingleObject(starts[i].thread, INFINITE) != WAIT_OBJECT_0 && !ret)
            ret = -EIO;
        CloseHandle(starts[i].thread);
    }
    return ret;
}
