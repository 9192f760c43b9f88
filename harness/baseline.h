/* SPDX-License-Identifier: MIT */
/* Finds a result to compare with on this machine. */
#ifndef HARNESS_BASELINE_H
#define HARNESS_BASELINE_H

#include "common/compiler.h"
#include "common/err.h"
#include "harness/history.h"
#include "harness/result.h"

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

/**
 * Keep what `tracetax calibrate` learned: calibration.json, a tracetax.history/1, in the
 * folder of the platform's kept results; an earlier one is replaced.
 * @out_path the file, the caller's to free(); NULL on failure
 * @return 0, or why it could not be kept
 */
MUST_USE int tt_baseline_keep_calibration(const char *platform, const struct tt_history *history,
                                          char **out_path, struct err *err);

/**
 * Read it back.
 * @out for tt_history_fini(); zeroed on failure
 * @return 0, -ENOENT (there is none, @err is not filled), or as tt_history_read()
 */
MUST_USE int tt_baseline_read_calibration(const char *platform, struct tt_history *out,
                                          struct err *err);

#endif
