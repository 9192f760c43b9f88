/* SPDX-License-Identifier: MIT */
/* Compares a result with baselines. */
#include "harness/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare_cell.h"
#include "harness/compare_notes.h"
#include "harness/stats.h"

const char *tt_baseline_word(enum tt_baseline_kind kind)
{
    switch (kind) {
    case TT_BASELINE_GIVEN:
        return "the file given";
    case TT_BASELINE_LAST_RUN:
        return "this machine's last run";
    case TT_BASELINE_PREVIOUS:
        return "previous run";
    case TT_BASELINE_MAIN:
        return "main";
    case TT_BASELINE_COMMITTED:
        return "baselines/";
    }
    return "?";
}

static const struct tt_target *find_target(const struct tt_result *result, const char *name,
                                           const char *operation)
{
    for (size_t i = 0; i < result->targets_count; i++) {
        const struct tt_target *target = &result->targets[i];
        if (!strcmp(target->name, name) && !strcmp(target->operation, operation))
            return target;
    }
    return NULL;
}

/** What a comparison needs along the way. */
struct work {
    const struct tt_compare_input *input;
    struct tt_comparison *out;
    struct tt_environment now;
};

/** One row against one baseline. */
static int compare_with(const struct work *work, struct tt_row *row, size_t index)
{
    const struct tt_compared *compared = &work->out->baselines[index];
    struct tt_cell *cell = &row->against[index];
    const struct tt_target *target =
        find_target(compared->baseline.result, row->name, row->operation);
    if (!target) /* where it is missing here, another baseline has it */
        return row->now ? tt_cell_say(cell, TT_CELL_WORDS, TT_NEW_TARGET) : 0;

    struct tt_cell before;
    int ret = tt_cell_overhead(target, &before);
    if (ret)
        goto out;
    cell->baseline_overhead_ratio = before.ratio;

    if (before.ratio <= 0) {
        ret = tt_cell_say(cell, TT_CELL_WORDS, "baseline: %s",
                          before.reason ? before.reason : "none");
    } else if (row->overhead.ratio <= 0) {
        ret = tt_cell_say(cell, TT_CELL_WORDS, "%s",
                          row->now && row->overhead.reason ? row->overhead.reason : "missing here");
    } else if (!compared->comparable) {
        cell->ratio = row->overhead.ratio / before.ratio;
        if (!isfinite(cell->ratio))
            cell->ratio = 0;
        ret = tt_cell_say(cell, TT_CELL_GREY, "%s", compared->reason);
    } else {
        ret = tt_history_spread(work->input->history, &work->now, row->name, row->operation,
                                &cell->spread);
        if (!ret)
            ret = tt_cell_change(cell, &row->overhead, &before);
    }
    tt_cell_judge(cell, &work->input->limits, false);
out:
    free(before.reason);
    return ret;
}

static int fill_medians(struct tt_row *row)
{
    const struct tt_samples *arm = row->now->arm;
    row->rounds = arm[TT_ARM_UNTRACKED].count > arm[TT_ARM_TRACKED].count
                      ? arm[TT_ARM_UNTRACKED].count
                      : arm[TT_ARM_TRACKED].count;
    int ret = tt_stats_median_ns(arm[TT_ARM_UNTRACKED].ns, arm[TT_ARM_UNTRACKED].count,
                                 &row->untracked_ns);
    if (!ret)
        ret =
            tt_stats_median_ns(arm[TT_ARM_TRACKED].ns, arm[TT_ARM_TRACKED].count, &row->tracked_ns);
    if (!ret)
        ret = tt_stats_median_ns(arm[TT_ARM_TRACKED_BASE].ns, arm[TT_ARM_TRACKED_BASE].count,
                                 &row->tracked_base_ns);
    return ret;
}

/** How much a cell can say. */
static int weight(const struct tt_cell *cell)
{
    switch (cell->state) {
    case TT_CELL_NUMBER:
        return 3;
    case TT_CELL_POINT:
        return 2;
    case TT_CELL_GREY:
        return 1;
    default:
        return 0;
    }
}

/** The baseline that gives a row its verdict: the one that says most, and of two that say as much
    the default branch. A pull request's own previous run would forgive with the second push what
    the first one did. */
static size_t judge_of(const struct work *work, const struct tt_row *row)
{
    size_t best = 0;
    int best_score = -1;
    for (size_t i = 0; i < work->out->baselines_count; i++) {
        enum tt_baseline_kind kind = work->out->baselines[i].baseline.kind;
        bool is_main = kind == TT_BASELINE_MAIN || kind == TT_BASELINE_COMMITTED;
        int score = 2 * weight(&row->against[i]) + is_main;
        if (score > best_score) {
            best = i;
            best_score = score;
        }
    }
    return best;
}

static int fill_row(const struct work *work, struct tt_row *row)
{
    int ret = row->now ? fill_medians(row) : 0;
    if (!ret && row->now)
        ret = tt_cell_overhead(row->now, &row->overhead);
    if (!ret && !row->now)
        ret = tt_cell_say(&row->overhead, TT_CELL_WORDS, "missing");
    if (!ret && row->now &&
        (row->now->arm[TT_ARM_TRACKED_BASE].count || row->now->head_base.known)) {
        ret = tt_cell_from_arms(&row->head_base, row->now, TT_ARM_TRACKED, TT_ARM_TRACKED_BASE,
                                &row->now->head_base);
        tt_cell_judge(&row->head_base, &work->input->limits, true);
    }
    for (size_t i = 0; !ret && i < work->out->baselines_count; i++)
        ret = compare_with(work, row, i);

    row->judged_by = row->head_base.state != TT_CELL_EMPTY ? TT_ROW_SAME_JOB : judge_of(work, row);
    const struct tt_cell *judged =
        row->judged_by == TT_ROW_SAME_JOB ? &row->head_base : &row->against[row->judged_by];
    row->verdict = judged->verdict;
    row->detectable = judged->detectable;
    return ret;
}

/** Does this result have the target, or a baseline before the @index-th? */
static bool has_row(const struct tt_compare_input *input, size_t index,
                    const struct tt_target *target)
{
    if (find_target(input->now, target->name, target->operation))
        return true;
    for (size_t i = 0; i < index; i++)
        if (find_target(input->baselines[i].result, target->name, target->operation))
            return true;
    return false;
}

/** Rows for this result's targets, then for those that only baselines have. */
static int make_rows(struct work *work)
{
    const struct tt_result *now = work->input->now;
    struct tt_comparison *out = work->out;
    size_t most = now->targets_count;

    for (size_t i = 0; i < work->input->baselines_count; i++)
        most += work->input->baselines[i].result->targets_count;
    out->rows = calloc(most + 1, sizeof(*out->rows));
    if (!out->rows)
        return -ENOMEM;
    for (size_t i = 0; i < now->targets_count; i++) {
        const struct tt_target *target = &now->targets[i];
        out->rows[out->rows_count++] =
            (struct tt_row){.name = target->name, .operation = target->operation, .now = target};
    }
    /* A shard holds a part of the targets: that others are not there says nothing. */
    for (size_t i = 0; now->suite.shards <= 1 && i < work->input->baselines_count; i++) {
        const struct tt_result *baseline = work->input->baselines[i].result;
        for (size_t k = 0; k < baseline->targets_count; k++) {
            const struct tt_target *target = &baseline->targets[k];
            if (!has_row(work->input, i, target))
                out->rows[out->rows_count++] =
                    (struct tt_row){.name = target->name, .operation = target->operation};
        }
    }

    int ret = 0;
    for (size_t i = 0; !ret && i < out->rows_count; i++)
        ret = fill_row(work, &out->rows[i]);
    return ret;
}

static int check_baseline(const struct work *work, const struct tt_baseline *baseline,
                          struct tt_compared *out)
{
    struct tt_environment before;
    struct buf reason;

    *out = (struct tt_compared){.baseline = *baseline};
    int ret = tt_environment_init(baseline->result, &before);
    if (ret)
        return ret;
    out->comparable = tt_environment_same(&work->now, &before);
    if (!out->comparable) {
        buf_init(&reason, TT_NOTE_MAX_BYTES);
        ret = tt_environment_difference(&work->now, &before, &reason);
        if (!ret)
            out->reason = buf_take(&reason);
        if (!ret && !out->reason)
            ret = -ENOMEM;
        buf_fini(&reason);
    }
    tt_environment_fini(&before);
    return ret;
}

int tt_compare(const struct tt_compare_input *input, struct tt_comparison *out, struct err *err)
{
    struct work work = {.input = input, .out = out};
    int ret;

    *out = (struct tt_comparison){.now = input->now, .limits = input->limits};
    if (input->baselines_count > TT_COMPARE_MAX_BASELINES) {
        ret = -EINVAL;
        goto out;
    }
    ret = tt_environment_init(input->now, &work.now);
    for (size_t i = 0; !ret && i < input->baselines_count; i++) {
        out->baselines_count++;
        ret = check_baseline(&work, &input->baselines[i], &out->baselines[i]);
    }
    if (!ret)
        ret = make_rows(&work);
    if (!ret)
        ret = tt_compare_notes(out);
out:
    tt_environment_fini(&work.now);
    if (ret)
        tt_comparison_fini(out);
    return ret ? err_set(err, ret, "cannot compare: %s", err_text(ret)) : 0;
}

void tt_comparison_fini(struct tt_comparison *comparison)
{
    for (size_t i = 0; i < comparison->baselines_count; i++)
        free(comparison->baselines[i].reason);
    for (size_t i = 0; comparison->rows && i < comparison->rows_count; i++) {
        struct tt_row *row = &comparison->rows[i];
        free(row->overhead.reason);
        free(row->head_base.reason);
        for (size_t j = 0; j < TT_COMPARE_MAX_BASELINES; j++)
            free(row->against[j].reason);
    }
    for (size_t i = 0; comparison->notes && i < comparison->notes_count; i++)
        free(comparison->notes[i].text);
    free(comparison->rows);
    free(comparison->notes);
    *comparison = (struct tt_comparison){0};
}

size_t tt_comparison_count(const struct tt_comparison *comparison, enum tt_verdict verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->rows_count; i++)
        count += comparison->rows[i].verdict == verdict;
    return count;
}

double tt_comparison_detectable(const struct tt_comparison *comparison)
{
    double most = 0;
    for (size_t i = 0; i < comparison->rows_count; i++)
        most = fmax(most, comparison->rows[i].detectable);
    return most;
}
