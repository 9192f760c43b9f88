/* SPDX-License-Identifier: MIT */
/* The remarks of a comparison: each oddity in words of its own. */
#include "harness/compare_notes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/show.h"
#include "harness/stats.h"

static int add(struct tt_comparison *comparison, size_t row, const char *format, ...)
    PRINTF_LIKE(3, 4);

static int add(struct tt_comparison *comparison, size_t row, const char *format, ...)
{
    struct tt_note *notes =
        realloc(comparison->notes, (comparison->notes_count + 1) * sizeof(*notes));
    if (!notes)
        return -ENOMEM;
    comparison->notes = notes;

    struct buf text;
    va_list args;
    buf_init(&text, TT_NOTE_MAX_BYTES);
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    notes[comparison->notes_count] = (struct tt_note){.row = row, .text = buf_take(&text)};
    buf_fini(&text);
    return notes[comparison->notes_count].text ? (comparison->notes_count++, 0) : -ENOMEM;
}

/** What is odd about the times of one arm. */
static int note_arm(struct tt_comparison *comparison, size_t row, enum tt_arm arm)
{
    const struct tt_samples *samples = &comparison->rows[row].now->arm[arm];
    const char *name = tt_arm_name(arm);
    struct tt_oddities odd;

    int ret = tt_stats_oddities(samples, &odd);
    if (!ret && odd.zero)
        ret = add(comparison, row,
                  "a time of arm %s is 0: the clock did not move, so there is no ratio", name);
    if (!ret && odd.all_equal && !odd.zero)
        ret = add(comparison, row,
                  "all %zu %s times are equal: a clock too coarse, or no measurement",
                  samples->count, name);
    if (!ret && odd.coarse_clock)
        ret = add(comparison, row,
                  "the clock is too coarse: %s times are multiples of %.6g ms; make the run longer",
                  name, (double)odd.step_ns / 1e6);
    if (!ret && odd.two_modes)
        ret =
            add(comparison, row, "two speed modes: %s times lie around %.3f ms and around %.3f ms",
                name, odd.fast_ns / 1e6, odd.slow_ns / 1e6);
    if (!ret && odd.outliers)
        ret = add(comparison, row,
                  "%zu of %zu %s times %s far out (beyond the median by 10 MAD); none was removed",
                  odd.outliers, samples->count, name, odd.outliers == 1 ? "is" : "are");
    return ret;
}

static int note_trace(struct tt_comparison *comparison, size_t row, enum tt_arm arm)
{
    const struct tt_trace_check *trace = &comparison->rows[row].now->trace[arm];
    int ret = 0;

    if (trace->checked && trace->lost)
        ret = add(comparison, row, "the tracer lost %" PRIu64 " records in the %s runs",
                  trace->lost, tt_arm_name(arm));
    if (!ret && trace->checked && !trace->complete)
        ret = add(comparison, row, "the trace of a %s run was not complete", tt_arm_name(arm));
    return ret;
}

/** A cost below zero is shown as it is, with its likely cause. */
static int note_faster(struct tt_comparison *comparison, size_t row)
{
    const struct tt_cell *cell = &comparison->rows[row].overhead;
    if (cell->ratio <= 0 || cell->ratio >= 1)
        return 0;
    if (cell->state == TT_CELL_NUMBER && cell->high >= 1)
        return add(comparison, row,
                   "tracked and untracked cannot be told apart: the interval holds 0%%");
    return add(comparison, row,
               "tracked ran faster than untracked: an order or cache effect, not a gain");
}

/** The Overhead cell is the paired estimate, which may differ from what the eye divides. */
static int note_quotient(struct tt_comparison *comparison, size_t row)
{
    const struct tt_row *r = &comparison->rows[row];
    if (r->overhead.state != TT_CELL_NUMBER || r->untracked_ns <= 0)
        return 0;
    double quotient = r->tracked_ns / r->untracked_ns;
    if (quotient >= r->overhead.low && quotient <= r->overhead.high)
        return 0;
    return add(comparison, row,
               "the medians shown give %+.2f%%, outside the interval of the paired rounds, which "
               "is what counts",
               (quotient - 1) * 100);
}

static int note_cells(struct tt_comparison *comparison, size_t row)
{
    const struct tt_row *r = &comparison->rows[row];
    int ret = 0;

    if (!r->now)
        return add(comparison, row, "missing: a baseline has this target, this result has not");
    if (r->overhead.reason)
        ret = add(comparison, row, "%s", r->overhead.reason);
    if (!ret && r->head_base.reason && !r->now->void_reason)
        ret = add(comparison, row, "head against base: %s", r->head_base.reason);
    for (size_t i = 0; !ret && i < comparison->baselines_count; i++) {
        const struct tt_cell *cell = &r->against[i];
        /* Said already: its own overhead's reason, that nothing is comparable, and in the
           table itself that the target is new. */
        if (!cell->reason || cell->state == TT_CELL_GREY || !strcmp(cell->reason, TT_NEW_TARGET) ||
            (r->overhead.reason && !strcmp(cell->reason, r->overhead.reason)))
            continue;
        ret = add(comparison, row, "against %s: %s",
                  tt_baseline_word(comparison->baselines[i].baseline.kind), cell->reason);
    }
    return ret;
}

static int note_row(struct tt_comparison *comparison, size_t row)
{
    int ret = note_cells(comparison, row);
    if (ret || !comparison->rows[row].now)
        return ret;
    ret = note_faster(comparison, row);
    if (!ret)
        ret = note_quotient(comparison, row);
    for (int arm = 0; !ret && arm < TT_ARM_COUNT; arm++)
        ret = note_arm(comparison, row, (enum tt_arm)arm);
    for (int arm = 0; !ret && arm < TT_ARM_COUNT; arm++)
        ret = note_trace(comparison, row, (enum tt_arm)arm);
    return ret;
}

static int note_baseline(struct tt_comparison *comparison, size_t index)
{
    const struct tt_compared *compared = &comparison->baselines[index];
    const char *word = tt_baseline_word(compared->baseline.kind);
    const struct tt_spread *assumed = NULL;
    const struct tt_spread *widest = NULL;

    if (!compared->comparable)
        return add(comparison, TT_NOTE_WHOLE, "not comparable with %s: %s", word, compared->reason);
    for (size_t i = 0; i < comparison->rows_count; i++) {
        const struct tt_cell *cell = &comparison->rows[i].against[index];
        if (cell->state != TT_CELL_NUMBER)
            continue;
        if (!cell->spread.calibrated)
            assumed = &cell->spread;
        else if (!widest || cell->spread.tau > widest->tau)
            widest = &cell->spread;
    }

    int ret = 0;
    if (widest)
        ret = add(comparison, TT_NOTE_WHOLE,
                  "a spread of up to %.2f%% from run to run, learned from %zu results, is in the "
                  "intervals against %s",
                  widest->tau * 100, widest->results, word);
    if (!ret && assumed)
        ret = add(comparison, TT_NOTE_WHOLE,
                  "uncalibrated: a spread of %.2f%% from run to run is assumed against %s until %d "
                  "results of this machine's kind are known%s",
                  assumed->tau * 100, word, TT_HISTORY_MIN_CALIBRATED,
                  widest ? ", for some targets" : "");
    return ret;
}

int tt_compare_notes(struct tt_comparison *comparison)
{
    int ret = 0;
    for (size_t i = 0; !ret && i < comparison->baselines_count; i++)
        ret = note_baseline(comparison, i);
    for (size_t row = 0; !ret && row < comparison->rows_count; row++)
        ret = note_row(comparison, row);
    return ret;
}
