/* SPDX-License-Identifier: MIT */
/* What the command filetrace asks of each system. */
#ifndef TRACER_SYSTEM_H
#define TRACER_SYSTEM_H

#include <stdio.h>

#include "common/compiler.h"
#include "tracer/record.h"

/**
 * Open a file to read bytes; not inherited by children.
 * @out  NULL on failure
 * @return 0, or what the system says
 */
MUST_USE int ft_system_open(const char *path, FILE **out);

/** End this process as the command ended, by the same signal where it was one.
 * @return the exit status for main() to return */
int ft_system_end_as(const struct ft_raw_summary *end);

#endif
