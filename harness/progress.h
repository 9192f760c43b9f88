/* SPDX-License-Identifier: MIT */
/* How far a run is: a bar on a terminal, a line now and then in a log. */
#ifndef HARNESS_PROGRESS_H
#define HARNESS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/buf.h"
#include "common/compiler.h"
#include "harness/run.h"

/** Where progress is shown. */
struct tt_progress {
    FILE *stream; /**< borrowed */
    bool is_terminal;
    bool is_quiet;   /**< show nothing */
    bool is_shown;   /**< a bar stands on the terminal's last line */
    bool is_started; /**< last_ns counts */
    uint64_t last_ns;
};

/** Start. @stream is asked whether it is a terminal. */
void tt_progress_init(struct tt_progress *progress, FILE *stream, bool is_quiet);

/** Show a state: on a terminal ten times a second at most, else once in 10 s at most. */
void tt_progress_show(struct tt_progress *progress, const struct tt_run_state *state);

/** Take the bar away, before something else is printed. */
void tt_progress_clear(struct tt_progress *progress);

/**
 * The line for a state.
 * @columns of the bar's line; 0 for a line without a bar
 * @return as buf_status(@out)
 */
int tt_progress_line(const struct tt_run_state *state, size_t columns, struct buf *out);

#endif
