/* SPDX-License-Identifier: MIT */
/* What each system that has uname(2) tells in its own way. */
#ifndef HARNESS_PLATFORM_POSIX_H
#define HARNESS_PLATFORM_POSIX_H

#include "harness/platform.h"

/** How the platform's id begins: "linux", "macos". */
extern const char tt_platform_system[];

/* Each as tt_platform_clean() gives it: the caller's to free(), NULL when memory is short. */

/** The system's name and version, as its users know it. */
MUST_USE char *tt_platform_image(void);

MUST_USE char *tt_platform_cpu(void);
MUST_USE char *tt_platform_libc(void);

#endif
