/* SPDX-License-Identifier: MIT */
/* What machine this is. */
#ifndef HARNESS_PLATFORM_H
#define HARNESS_PLATFORM_H

#include <stdbool.h>

#include "common/compiler.h"
#include "common/err.h"
#include "harness/result.h"

/**
 * Fill result->platform. What the system does not tell is "unknown".
 * @return 0 or -ENOMEM. Thread safe.
 */
MUST_USE int tt_platform_fill(struct tt_result *result, struct err *err);

/**
 * A text of the system made fit for a result: without control characters, '?' for what is
 * not UTF-8, single spaces, at most TT_RESULT_MAX_STRING_BYTES bytes, "unknown" when empty.
 * @return the caller's to free(); NULL when memory is short
 */
MUST_USE char *tt_platform_clean(const char *text);

/** Can filetrace have static programs record from inside on this machine (--backend inject)? */
bool tt_platform_can_inject(void);

/** Cut a frequency such as "CPU @ 2.60GHz" or " 2593.9 MHz" off a processor's name. */
void tt_platform_cut_frequency(char *cpu);

#endif
