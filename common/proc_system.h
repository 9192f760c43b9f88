/* SPDX-License-Identifier: MIT */
/* Where Linux and macOS differ below proc_posix.c. */
#ifndef COMMON_PROC_SYSTEM_H
#define COMMON_PROC_SYSTEM_H

#include <stdint.h>
#include <sys/resource.h>

#include "common/compiler.h"

/** Make a pipe, both ends close-on-exec. @return 0 or a negative errno value */
MUST_USE int proc_system_pipe(int ends[2]);

/** Largest resident set of a child, from what wait4(2) gives. */
uint64_t proc_system_peak_rss_bytes(const struct rusage *usage);

#endif
