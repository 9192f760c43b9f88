/* SPDX-License-Identifier: MIT */
/* The overheads that main has had, run by run: spread and trend are read from here. */
#ifndef HARNESS_HISTORY_H
#define HARNESS_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "common/err.h"
#include "harness/environment.h"
#include "harness/result.h"

#define TT_HISTORY_SCHEMA "tracetax.history/1"

/* Limits; a file beyond one of them is refused (-EPROTO). */
#define TT_HISTORY_MAX_BYTES (16u << 20)
#define TT_HISTORY_MAX_PLATFORMS 64
#define TT_HISTORY_MAX_ROWS 200 /**< a platform; the oldest go first */

/** Fewest results of one environment from which a spread is learned. */
#define TT_HISTORY_MIN_CALIBRATED 8

/** Standard deviation of ln(overhead ratio) from run to run before anything was learned. */
#define TT_HISTORY_DEFAULT_SPREAD 0.03

/** Overhead of one target in one run. Point only when low and high are 0. */
struct tt_history_cell {
    char *name, *operation; /**< owned */
    double overhead_ratio;  /**< > 0 */
    double low, high;       /**< 95% interval, both > 0; or both 0 */
};

/** One run. */
struct tt_history_row {
    struct tt_environment environment; /**< owned */
    char *created_at;                  /**< as in the result; owned */
    char *commit;                      /**< owned; NULL when the result has none */
    uint64_t run_id;                   /**< CI run; 0 outside of CI */
    struct tt_history_cell *cells;     /**< owned; void targets are left out */
    size_t cells_count;
};

/** All runs of all platforms, ordered by platform, then created_at. */
struct tt_history {
    struct tt_history_row *rows; /**< owned */
    size_t rows_count;
};

/** How far apart the overheads of one target lie from run to run. */
struct tt_spread {
    double tau;      /**< standard deviation of ln(overhead ratio) */
    size_t results;  /**< that it was learned from; 0 for the default */
    bool calibrated; /**< false: tau is TT_HISTORY_DEFAULT_SPREAD, say *uncalibrated* */
};

/** A point of a trend. Borrowed from the history. */
struct tt_trend_point {
    const struct tt_history_row *row;
    double overhead_ratio;
};

/** Free everything; leaves a zeroed history. Fine on a zeroed one. */
void tt_history_fini(struct tt_history *history);

/**
 * Read a history from memory; every length, type, range and name is checked.
 * @name what to call the input in errors
 * @out  for tt_history_fini(); zeroed on failure
 * @return 0; -EPROTO (not a history, cut, or beyond a limit), -ENOTSUP (a newer schema of
 *         ours), -ENOMEM
 */
MUST_USE int tt_history_parse(const char *name, const void *data, size_t size_bytes,
                              struct tt_history *out, struct err *err);

/** As tt_history_parse(), from a file; also -ENOENT and such. */
MUST_USE int tt_history_read(const char *path, struct tt_history *out, struct err *err);

/**
 * The JSON text, ending in a newline; equal histories give equal bytes.
 * @out NUL-terminated, the caller's to free(); NULL on failure
 * @return 0, -EINVAL (not UTF-8, or a number that is not finite), -EFBIG, -ENOMEM
 */
MUST_USE int tt_history_format(const struct tt_history *history, char **out, struct err *err);

/** tt_history_format() and file_write(). */
MUST_USE int tt_history_write(const struct tt_history *history, const char *path, struct err *err);

/**
 * Add a result's overheads, worked out anew from its samples. A row of the same environment
 * and CI run (outside of CI: of the same created_at) is replaced, so that adding twice
 * changes nothing and a repeated run counts once. Parts of a run that were measured in one
 * environment must have been put together before. Beyond 200 rows of a platform the oldest
 * are dropped. A result without any overhead adds nothing.
 * @return 0, -EFBIG (a 65th platform), -ENOMEM; the history is unchanged on failure
 */
MUST_USE int tt_history_extend(struct tt_history *history, const struct tt_result *result,
                               struct err *err);

/**
 * Spread of a target's overhead over the runs of the same environment, from the differences
 * of neighbouring runs (tt_stats_spread()): a lasting change of main is one difference among
 * many and does not count as noise. It holds the error within a run too, so that an interval
 * drawn with it is a little wide rather than a little narrow. Fewer results than
 * TT_HISTORY_MIN_CALIBRATED, or results that are all the same, teach nothing.
 * @history NULL: the default
 * @return 0 or -ENOMEM
 */
MUST_USE int tt_history_spread(const struct tt_history *history,
                               const struct tt_environment *environment, const char *name,
                               const char *operation, struct tt_spread *out);

/**
 * The newest overheads of a target in the same environment, oldest first.
 * @limit   at most so many
 * @out     room for @limit points
 * @return  how many were filled in
 */
size_t tt_history_trend(const struct tt_history *history, const struct tt_environment *environment,
                        const char *name, const char *operation, size_t limit,
                        struct tt_trend_point *out);

#endif
