/* SPDX-License-Identifier: MIT */
/* A whole run: every target of a suite, every arm in every round. */
#ifndef HARNESS_RUN_H
#define HARNESS_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "common/err.h"
#include "harness/engine.h"
#include "harness/result.h"

#define TT_RUN_DEFAULT_MAX_TIME_S 25.0
#define TT_RUN_DEFAULT_WARMUP_ROUNDS 2u

/** What to run. Everything borrowed. */
struct tt_run_options {
    const char *suite;          /**< "default", "full" or a file */
    const char *const *targets; /**< names; all when targets_count is 0 */
    size_t targets_count;
    uint32_t shard, shards; /**< 1 of 1 for everything */
    enum tt_engine_kind engine;
    const char *filetrace; /**< or NULL: the one beside this program */
    const char *base;      /**< filetrace of the base build, or NULL */
    uint64_t rounds;       /**< 1 to TT_RESULT_MAX_ROUNDS; 0: a pilot decides */
    double max_time_s;     /**< of a target, without @rounds */
    uint32_t warmup_rounds;
    uint64_t seed;           /**< at most 2^53 - 1 */
    const char *commit;      /**< or NULL: not known */
    const char *base_commit; /**< or NULL */
};

/** How far a run is. */
struct tt_run_state {
    const char *target, *operation;
    size_t target_number, targets_count; /**< from 1 */
    const char *phase;                   /**< "prepare", "warm-up", "pilot" or "round" */
    size_t done, total;                  /**< rounds of this phase */
    double seconds_left;                 /**< of this target; below 0 when not known */
};

/** What a run tells while it goes on. */
struct tt_run_hooks {
    void *context;
    /** One line without a line end; may be NULL. Never called while something is timed. */
    void (*warn)(void *context, const char *text);
    /** After every round; may be NULL. */
    void (*progress)(void *context, const struct tt_run_state *state);
    const volatile sig_atomic_t *stop; /**< not 0: end soon, with -EINTR; or NULL */
};

/**
 * Run a suite. A target whose command fails or whose trace lacks a path is void
 * (void_reason) and the others go on. Everything is done in an own folder below $TMPDIR,
 * which is removed.
 * @out for tt_result_fini(); zeroed on failure
 * @return 0, also with void targets; -EINVAL (an option is wrong: usage), -EINTR (stopped),
 *         -ENOENT (a program is missing), -EPROTO and -ENOTSUP (suite), or what the system
 *         says
 */
MUST_USE int tt_run(const struct tt_run_options *options, const struct tt_run_hooks *hooks,
                    struct tt_result *out, struct err *err);

#endif
