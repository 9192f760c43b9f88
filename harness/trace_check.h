/* SPDX-License-Identifier: MIT */
/* Does a trace of filetrace hold every path that the run had to touch? */
#ifndef HARNESS_TRACE_CHECK_H
#define HARNESS_TRACE_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "common/compiler.h"
#include "common/err.h"
#include "harness/result.h"

/** A set of paths, and which of them were seen. */
struct tt_paths;

/**
 * Make a set out of lines, one path each.
 * @return 0; -EFBIG (more than 2^24 lines), -ENOMEM. @out NULL on failure, else for
 *         tt_paths_free()
 */
MUST_USE int tt_paths_new(const char *lines, size_t size_bytes, struct tt_paths **out);

/** Free. Fine on NULL. */
void tt_paths_free(struct tt_paths *paths);

/** Different paths in the set. */
size_t tt_paths_count(const struct tt_paths *paths);

/** Forget which were seen. */
void tt_paths_restart(struct tt_paths *paths);

/** Note a path; one that is not in the set changes nothing. */
void tt_paths_see(struct tt_paths *paths, const char *path, size_t length);

/** Different paths of the set that were seen since the restart. */
size_t tt_paths_seen(const struct tt_paths *paths);

/** A path that was not seen, or NULL. Borrowed; not NUL-terminated. */
const char *tt_paths_unseen(const struct tt_paths *paths, size_t *length);

/**
 * Note the paths of what `filetrace print -f nul` printed: access, path and error, each
 * ended by a NUL.
 * @accesses number of them
 * @return 0, or -EPROTO (does not end with a whole access)
 */
MUST_USE int tt_trace_take(const void *data, size_t size_bytes, struct tt_paths *paths,
                           uint64_t *accesses);

/**
 * Check one run's trace.
 * @filetrace the program that wrote it; it also prints it
 * @check     recorded_min, accesses_min and _max, lost and complete take this run in; the
 *            caller zeroes it before the first
 * @first     true for the first run
 * @return 0 also when paths are missing; -EIO (it could not be printed), -EPROTO, -EFBIG,
 *         -ENOMEM
 */
MUST_USE int tt_trace_check(const char *filetrace, const char *trace_path, struct tt_paths *paths,
                            bool first, struct tt_trace_check *check, struct err *err);

#endif
