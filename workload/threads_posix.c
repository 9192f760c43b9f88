/* SPDX-License-Identifier: MIT */
/* Threads that start together, from pthread_create(3). */
#include "threads.h"

#include <errno.h>
#include <pthread.h>

struct start {
    void (*body)(void *context, size_t index);
    void *context;
    size_t index;
    pthread_t thread;
};

static void *enter(void *argument)
{
    struct start *start = argument;
    start->body(start->context, start->index);
    return NULL;
}

int wl_threads_run(size_t count, void (*body)(void *context, size_t index), void *context)
{
    struct start starts[WL_THREADS_MAX];
    size_t started = 0;
    int ret = count <= WL_THREADS_MAX ? 0 : -EINVAL;

    while (!ret && started < count) {
        struct start *start = &starts[started];
        *start = (struct start){.body = body, .context = context, .index = started};
        ret = -pthread_create(&start->thread, NULL, enter, start);
        if (!ret)
            started++;
    }
    for (size_t i = 0; i < started; i++) {
        int joined = -pthread_join(starts[i].thread, NULL);
        if (!ret)
            ret = joined;
    }
    return ret;
}
