/* SPDX-License-Identifier: MIT */
/* Results out of a run's artifacts, each checked on its own. */
#ifndef REPORT_FETCH_H
#define REPORT_FETCH_H

#include <stdbool.h>

#include "common/compiler.h"
#include "common/err.h"
#include "harness/history.h"
#include "report/github.h"
#include "report/log.h"
#include "report/results.h"

/** Ask for one artifact. @return false: not needed */
typedef bool rep_wanted_fn(void *context, const struct rep_artifact *artifact);

/**
 * Download what is wanted of a run's artifacts and add the readable results. One that
 * cannot be read is a line in the log, and the others go on.
 * @artifacts      as listed
 * @attempt_start  results made before it are marked as of an earlier attempt; 0: none is
 * @return 0; what ends the whole report: -ETIMEDOUT, -EDQUOT, -EACCES, -ENOMEM
 */
MUST_USE int rep_fetch_results(const struct rep_github *github, const struct rep_run *run,
                               const struct rep_artifacts *artifacts, int64_t attempt_start,
                               rep_wanted_fn *wanted, void *context, struct rep_results *results,
                               struct rep_log *log, struct err *err);

/** List a run's artifacts. A run that is gone has none. @return as rep_github_artifacts() */
MUST_USE int rep_fetch_list(const struct rep_github *github, uint64_t run_id,
                            struct rep_artifacts *artifacts, struct rep_log *log, struct err *err);

/**
 * Read a result's JSON and add it.
 * @name what to call it in errors
 */
MUST_USE int rep_fetch_parse(const char *name, const void *data, size_t size_bytes,
                             struct rep_result *item, struct rep_results *results, struct err *err);

/** True for a failure after which nothing more can be asked for. */
bool rep_fetch_is_final(int code);

enum rep_history_found {
    REP_HISTORY_NONE, /**< there is none yet */
    REP_HISTORY_FOUND,
    REP_HISTORY_LOST, /**< what there was cannot be read or found any more: the log says why */
};

/**
 * The newest history of the default branch that can be read, of the five newest. Those of forks
 * have the same name and are passed over.
 * @return 0; -ENOTSUP: of a newer format, so it must not be replaced; else as above or -EIO
 */
MUST_USE int rep_fetch_history(const struct rep_github *github, const struct rep_event *event,
                               struct tt_history *out, enum rep_history_found *found,
                               struct rep_log *log, struct err *err);

#endif
