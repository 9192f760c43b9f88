/* SPDX-License-Identifier: MIT */
/* Finds a result to compare with on this machine. */
#ifndef HARNESS_BASELINE_H
#define HARNESS_BASELINE_H

#include "common/compiler.h"
#include "common/err.h"
#include "harness/result.h"

/** Where earlier runs of a machine are kept. */
#define TT_BASELINE_MAX_KEPT 1000 /**< files looked at; more are passed over */

/**
 * Folder of the kept runs: ${XDG_STATE_HOME:-~/.local/state}/tracetax/PLATFORM.
 * @platform a result's platform.id
 * @out the caller's to free(); NULL on failure
 * @return 0, -ENOENT (neither XDG_STATE_HOME nor HOME is an absolute path), -ENOMEM
 */
MUST_USE int tt_baseline_state_folder(const char *platform, char **out);

/**
 * The newest kept run that is not @now itself (another created_at) and that may be compared
 * with it; without one, the newest other. Files that cannot be read are passed over.
 * @out      for tt_result_fini(); zeroed on failure
 * @out_path the file, the caller's to free(); NULL on failure
 * @return 0, -ENOENT (there is none), -ENOMEM
 */
MUST_USE int tt_baseline_find_last_run(const struct tt_result *now, struct tt_result *out,
                                       char **out_path, struct err *err);

/**
 * The committed baseline, PLATFORM.json in @folder or, when that is NULL, in the nearest
 * folder "baselines" from the current folder upward; a folder that holds .git is the last.
 * @return 0, -ENOENT (there is none, @err is not filled), or as tt_result_read()
 */
MUST_USE int tt_baseline_find_committed(const struct tt_result *now, const char *folder,
                                        struct tt_result *out, char **out_path, struct err *err);

#endif
