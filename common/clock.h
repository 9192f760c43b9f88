/* SPDX-License-Identifier: MIT */
/* Time. */
#ifndef COMMON_CLOCK_H
#define COMMON_CLOCK_H

#include <stdint.h>
#include <time.h>

#include "common/compiler.h"

/** Nanoseconds of a clock that never goes back; its zero is arbitrary. Thread safe. */
uint64_t clock_monotonic_ns(void);

/** Seconds since 1970-01-01 00:00 UTC; may jump when the clock is set. Thread safe. */
int64_t clock_unix_s(void);

/**
 * A time's parts in UTC.
 * @out zeroed on failure
 * @return 0 or -EOVERFLOW. Thread safe.
 */
MUST_USE int clock_utc(int64_t unix_s, struct tm *out);

/** Smallest step of clock_monotonic_ns() that the system states, at least 1 ns. */
uint64_t clock_resolution_ns(void);

#endif
