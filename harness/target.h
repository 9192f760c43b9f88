/* SPDX-License-Identifier: MIT */
/* One target of a run. */
#ifndef HARNESS_TARGET_H
#define HARNESS_TARGET_H

#include "common/compiler.h"
#include "common/err.h"
#include "harness/run.h"
#include "harness/suite.h"

/** What the targets of a run share. Everything borrowed. */
struct tt_bench {
    const struct tt_run_options *options;
    const struct tt_run_hooks *hooks;
    const struct tt_engine *engine;
    const char *bin_dir;               /**< {bin} */
    const char *work_dir;              /**< an own folder */
    const char *tracker[TT_ARM_COUNT]; /**< {tracker}: filetrace of an arm; NULL for none */
};

/**
 * Check that every program of a target can be found, before anything is measured.
 * @return 0; -ENOENT and such, the program named; -EINVAL (--base with a foreign tracker)
 */
MUST_USE int tt_target_check(const struct tt_bench *bench, const struct tt_suite_target *target,
                             struct err *err);

/**
 * Measure a target.
 * @number, @count which of how many it is, for the progress
 * @out filled; belongs to a result also on failure
 * @return 0, also when it is void (out->void_reason); -EINTR (stopped), -ENOMEM
 */
MUST_USE int tt_target_run(const struct tt_bench *bench, const struct tt_suite_target *target,
                           size_t number, size_t count, struct tt_target *out, struct err *err);

#endif
