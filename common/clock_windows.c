/* SPDX-License-Identifier: MIT */
/* Time, from QueryPerformanceCounter and GetSystemTimePreciseAsFileTime. */
#include <errno.h>
#include <windows.h>

#include "common/clock.h"

#define NS_PER_S 1000000000u
/* FILETIME counts 100 ns from 1601-01-01; 1970-01-01 is this much later. */
#define FILETIME_PER_S 10000000
#define UNIX_EPOCH_S INT64_C(11644473600)

uint64_t clock_monotonic_ns(void)
{
    LARGE_INTEGER frequency, now;
    (void)QueryPerformanceFrequency(&frequency); /* neither fails since Windows XP */
    (void)QueryPerformanceCounter(&now);
    uint64_t per_s = (uint64_t)frequency.QuadPart, ticks = (uint64_t)now.QuadPart;
    /* In two steps, for the product would overflow after minutes. */
    return ticks / per_s * NS_PER_S + ticks % per_s * NS_PER_S / per_s;
}

int64_t clock_unix_s(void)
{
    FILETIME now;
    GetSystemTimePreciseAsFileTime(&now);
    int64_t steps = (int64_t)((uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime);
    return steps / FILETIME_PER_S - UNIX_EPOCH_S;
}

int clock_utc(int64_t unix_s, struct tm *out)
{
    __time64_t time = unix_s;
    if (!_gmtime64_s(out, &time))
        return 0;
    *out = (struct tm){0};
    return -EOVERFLOW;
}

uint64_t clock_resolution_ns(void)
{
    LARGE_INTEGER frequency;
    (void)QueryPerformanceFrequency(&frequency);
    uint64_t step_ns = NS_PER_S / (uint64_t)frequency.QuadPart;
    return step_ns ? step_ns : 1;
}
