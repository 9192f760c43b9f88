/* SPDX-License-Identifier: MIT */
/* Runs groups of plain commands, interleaved. */
#ifndef HARNESS_SPEED_RUN_H
#define HARNESS_SPEED_RUN_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "common/err.h"
#include "harness/engine.h"
#include "harness/run.h"
#include "harness/speed.h"

#define TT_SPEED_SCHEMA "tracetax.table/1"
#define TT_SPEED_MAX_BUILDS 16

/** Another build of the suite's program. Borrowed. */
struct tt_speed_build {
    const char *name;    /**< how it is shown */
    const char *program; /**< what is run instead */
};

/** What to run. Borrowed. */
struct tt_speed_options {
    const char *suite; /**< file, "-": standard input */
    struct tt_speed_build builds[TT_SPEED_MAX_BUILDS];
    size_t builds_count;
    uint64_t rounds; /**< at least 1 */
    enum tt_engine_kind engine;
    const volatile sig_atomic_t *stop; /**< not 0: end soon, with -EINTR; or NULL */
    /** After every round; may be NULL. */
    void (*progress)(void *context, const struct tt_run_state *state);
    void *context;
};

/**
 * Prepare and run a suite of commands (docs/format.md). In each round every command of a group
 * runs once, in an order that is mirrored in the next round; one round before the first is not
 * recorded. A command that ends with another status than 0 ends the whole: its time says nothing.
 * @out for tt_speed_table_fini(); zeroed on failure
 * @return 0, -EPROTO and -ENOTSUP (suite), -ENOENT and such (a program is missing), -EIO (a
 *         command failed), -EINTR (stopped), or what the system says
 */
MUST_USE int tt_speed_run(const struct tt_speed_options *options, struct tt_speed_table *out,
                          struct err *err);

#endif
