/* SPDX-License-Identifier: MIT */
/* How far a run is. */
#include "harness/progress.h"

#include <math.h>
#include <string.h>

#include "common/clock.h"
#include "harness/terminal.h"

#define TERMINAL_STEP_NS UINT64_C(100000000)
#define LOG_STEP_NS UINT64_C(10000000000)
#define MAX_COLUMNS 200u
#define BAR_COLUMNS 20u
#define NAME_COLUMNS 24

void tt_progress_init(struct tt_progress *progress, FILE *stream, bool is_quiet)
{
    *progress = (struct tt_progress){
        .stream = stream, .is_terminal = tt_terminal_columns(stream) > 0, .is_quiet = is_quiet};
}

int tt_progress_line(const struct tt_run_state *state, size_t columns, struct buf *out)
{
    struct buf line;

    buf_init(&line, 1024);
    buf_printf(&line, "%zu/%zu %.*s %.*s: ", state->target_number, state->targets_count,
               NAME_COLUMNS, state->target, NAME_COLUMNS, state->operation);
    if (!state->total) {
        buf_puts(&line, state->phase);
    } else {
        size_t full = state->done * BAR_COLUMNS / state->total;
        if (columns) {
            buf_puts(&line, "[");
            for (size_t i = 0; i < BAR_COLUMNS; i++)
                buf_puts(&line, i < full ? "#" : "-");
            buf_puts(&line, "] ");
        }
        buf_printf(&line, "%s %zu of %zu", state->phase, state->done, state->total);
        if (state->seconds_left >= 0)
            buf_printf(&line, ", %.0f s left", ceil(state->seconds_left));
    }
    if (columns)
        buf_truncate(&line, columns);
    if (!buf_status(&line))
        buf_append(out, line.data, line.size_bytes);
    int ret = buf_status(&line) ? buf_status(&line) : buf_status(out);
    buf_fini(&line);
    return ret;
}

/** Columns of the bar's line; 0 when the stream is no terminal. */
static size_t bar_columns(FILE *stream)
{
    size_t columns = tt_terminal_columns(stream);
    if (!columns)
        return 0;
    return columns < MAX_COLUMNS ? columns - 1 : MAX_COLUMNS; /* the last column may wrap */
}

void tt_progress_show(struct tt_progress *progress, const struct tt_run_state *state)
{
    struct buf line;

    if (progress->is_quiet)
        return;
    uint64_t now_ns = clock_monotonic_ns();
    uint64_t step_ns = progress->is_terminal ? TERMINAL_STEP_NS : LOG_STEP_NS;
    if (progress->is_started && now_ns - progress->last_ns < step_ns)
        return;
    progress->is_started = true;
    progress->last_ns = now_ns;

    buf_init(&line, 2048);
    if (!tt_progress_line(state, progress->is_terminal ? bar_columns(progress->stream) : 0,
                          &line)) {
        /* CSI K clears what a longer line before has left. */
        fprintf(progress->stream, progress->is_terminal ? "\r%s\033[K" : "%s\n", line.data);
        (void)fflush(progress->stream);
        progress->is_shown = progress->is_terminal;
    }
    buf_fini(&line);
}

void tt_progress_clear(struct tt_progress *progress)
{
    if (!progress->is_shown)
        return;
    fputs("\r\033[K", progress->stream);
    (void)fflush(progress->stream);
    progress->is_shown = false;
}
