/* SPDX-License-Identifier: MIT */
/* Time. */
#ifndef COMMON_CLOCK_H
#define COMMON_CLOCK_H

#include <stdint.h>

/** Nanoseconds of a clock that never goes back; its zero is arbitrary. Thread safe. */
uint64_t clock_monotonic_ns(void);

/** Seconds since 1970-01-01 00:00 UTC; may jump when the clock is set. Thread safe. */
int64_t clock_unix_s(void);

/** Smallest step of clock_monotonic_ns() that the system states, at least 1 ns. */
uint64_t clock_resolution_ns(void);

#endif
