/* SPDX-License-Identifier: MIT */
/* Time, from clock_gettime(2). */
#include "common/clock.h"

#include <errno.h>

uint64_t clock_monotonic_ns(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail for this clock */
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int64_t clock_unix_s(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec;
}

int clock_utc(int64_t unix_s, struct tm *out)
{
    time_t time = (time_t)unix_s;
    if (gmtime_r(&time, out))
        return 0;
    *out = (struct tm){0};
    return -EOVERFLOW;
}

uint64_t clock_resolution_ns(void)
{
    struct timespec step = {0};
    if (clock_getres(CLOCK_MONOTONIC, &step))
        return 1;
    uint64_t ns = (uint64_t)step.tv_sec * 1000000000u + (uint64_t)step.tv_nsec;
    return ns ? ns : 1;
}
