/* SPDX-License-Identifier: MIT */
/* Results kept on this machine: in tracetax/PLATFORM/TIME.json below folder_state(). */
#ifndef HARNESS_STATE_H
#define HARNESS_STATE_H

#include <stddef.h>

#include "common/compiler.h"
#include "common/err.h"
#include "harness/result.h"

#define TT_STATE_MAX_KEPT 50

/**
 * The folder of a platform's results; it need not be there.
 * @out the caller's to free(); NULL on failure
 * @return 0, -ENOENT (the system has no such folder), -ENOMEM
 */
MUST_USE int tt_state_folder(const char *platform_id, char **out, struct err *err);

/**
 * Paths of the kept results, newest first.
 * @paths each and the array are the caller's to free(); NULL when there are none
 * @return 0 (also when the folder is not there), or what the system says
 */
MUST_USE int tt_state_list(const char *platform_id, char ***paths, size_t *count, struct err *err);

/**
 * Keep a result, and remove all but the newest TT_STATE_MAX_KEPT.
 * @return 0, or why it could not be kept
 */
MUST_USE int tt_state_keep(const struct tt_result *result, struct err *err);

#endif
