/* SPDX-License-Identifier: MIT */
/* The overheads that main has had: extended by results, read for spread and trend. */
#include "harness/history.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/stats.h"

static void free_row(struct tt_history_row *row)
{
    tt_environment_fini(&row->environment);
    free(row->created_at);
    free(row->commit);
    for (size_t i = 0; row->cells && i < row->cells_count; i++) {
        free(row->cells[i].name);
        free(row->cells[i].operation);
    }
    free(row->cells);
    *row = (struct tt_history_row){0};
}

void tt_history_fini(struct tt_history *history)
{
    for (size_t i = 0; history->rows && i < history->rows_count; i++)
        free_row(&history->rows[i]);
    free(history->rows);
    *history = (struct tt_history){0};
}

/** The overhead of a target; 0 in the ratio when there is none to keep. */
static int overhead_of(const struct tt_target *target, struct tt_history_cell *out)
{
    const struct tt_samples *tracked = &target->arm[TT_ARM_TRACKED];
    const struct tt_samples *untracked = &target->arm[TT_ARM_UNTRACKED];
    struct tt_estimate estimate = target->overhead;

    out->overhead_ratio = 0;
    if (target->void_reason)
        return 0;
    if (tracked->count && tracked->count == untracked->count) {
        int ret = tt_stats_ratio(tracked, untracked, &estimate);
        if (ret)
            return ret;
        if (!estimate.known) {
            double tracked_ns;
            double untracked_ns;
            ret = tt_stats_median_ns(tracked->ns, tracked->count, &tracked_ns);
            if (!ret)
                ret = tt_stats_median_ns(untracked->ns, untracked->count, &untracked_ns);
            if (!ret && tracked_ns > 0 && untracked_ns > 0)
                out->overhead_ratio = tracked_ns / untracked_ns;
            return ret;
        }
    }
    if (estimate.known && estimate.low > 0 && isfinite(estimate.high)) {
        out->overhead_ratio = estimate.ratio;
        out->low = estimate.low;
        out->high = estimate.high;
    }
    return 0;
}

static int make_row(const struct tt_result *result, struct tt_history_row *out)
{
    *out = (struct tt_history_row){.run_id = result->ci.provider ? result->ci.run_id : 0};
    int ret = tt_environment_init(result, &out->environment);
    if (ret)
        return ret;

    ret = -ENOMEM;
    out->created_at = strdup(result->created_at);
    out->commit = result->commit ? strdup(result->commit) : NULL;
    out->cells = calloc(result->targets_count + 1, sizeof(*out->cells));
    if (!out->created_at || !out->cells || (result->commit && !out->commit))
        goto fail;
    for (size_t i = 0; i < result->targets_count; i++) {
        struct tt_history_cell *cell = &out->cells[out->cells_count];
        ret = overhead_of(&result->targets[i], cell);
        if (ret)
            goto fail;
        if (cell->overhead_ratio <= 0)
            continue;
        out->cells_count++;
        cell->name = strdup(result->targets[i].name);
        cell->operation = strdup(result->targets[i].operation);
        ret = -ENOMEM;
        if (!cell->name || !cell->operation)
            goto fail;
    }
    return 0;
fail:
    free_row(out);
    return ret;
}

/** Parts of one run may have been measured on machines of two kinds: each keeps its row. */
static bool same_run(const struct tt_history_row *a, const struct tt_history_row *b)
{
    if (!tt_environment_same(&a->environment, &b->environment))
        return false;
    return a->run_id || b->run_id ? a->run_id == b->run_id : !strcmp(a->created_at, b->created_at);
}

/** Rows of a platform stand together, by time; "2026-11-30T15:30:00Z" sorts as text. */
static int order(const struct tt_history_row *a, const struct tt_history_row *b)
{
    int by_platform = strcmp(a->environment.platform, b->environment.platform);
    return by_platform ? by_platform : strcmp(a->created_at, b->created_at);
}

static void remove_row(struct tt_history *history, size_t index)
{
    free_row(&history->rows[index]);
    history->rows_count--;
    memmove(&history->rows[index], &history->rows[index + 1],
            (history->rows_count - index) * sizeof(*history->rows));
}

/** Take the row into its place. There is room for it. */
static void insert_row(struct tt_history *history, struct tt_history_row *row)
{
    size_t index = history->rows_count;
    while (index && order(row, &history->rows[index - 1]) < 0)
        index--;
    memmove(&history->rows[index + 1], &history->rows[index],
            (history->rows_count - index) * sizeof(*history->rows));
    history->rows[index] = *row;
    history->rows_count++;
}

static size_t count_platforms(const struct tt_history *history, const char *with)
{
    size_t count = 1;
    const char *last = NULL;
    for (size_t i = 0; i < history->rows_count; i++) {
        const char *platform = history->rows[i].environment.platform;
        if (strcmp(platform, with) && (!last || strcmp(platform, last)))
            count++;
        last = platform;
    }
    return count;
}

/** Drop the oldest rows of a platform beyond the limit. */
static void trim(struct tt_history *history, const char *platform)
{
    size_t count = 0;
    for (size_t i = history->rows_count; i-- > 0;) {
        if (strcmp(history->rows[i].environment.platform, platform))
            continue;
        if (++count > TT_HISTORY_MAX_ROWS)
            remove_row(history, i);
    }
}

int tt_history_extend(struct tt_history *history, const struct tt_result *result, struct err *err)
{
    struct tt_history_row row;

    if (count_platforms(history, result->platform.id) > TT_HISTORY_MAX_PLATFORMS)
        return err_set(err, -EFBIG, "cannot extend the history: it holds %d platforms already",
                       TT_HISTORY_MAX_PLATFORMS);
    int ret = make_row(result, &row);
    if (ret)
        return err_set(err, ret, "cannot extend the history: %s", err_text(ret));
    if (!row.cells_count) {
        free_row(&row);
        return 0;
    }

    struct tt_history_row *rows =
        realloc(history->rows, (history->rows_count + 1) * sizeof(*history->rows));
    if (!rows) {
        free_row(&row);
        return err_set(err, -ENOMEM, "cannot extend the history: %s", err_text(-ENOMEM));
    }
    history->rows = rows;
    for (size_t i = history->rows_count; i-- > 0;) {
        if (same_run(&history->rows[i], &row))
            remove_row(history, i);
    }
    insert_row(history, &row);
    trim(history, result->platform.id);
    return 0;
}

static const struct tt_history_cell *find_cell(const struct tt_history_row *row,
                                               const struct tt_environment *environment,
                                               const char *name, const char *operation)
{
    if (!tt_environment_same(&row->environment, environment))
        return NULL;
    for (size_t i = 0; i < row->cells_count; i++) {
        const struct tt_history_cell *cell = &row->cells[i];
        if (!strcmp(cell->name, name) && !strcmp(cell->operation, operation))
            return cell;
    }
    return NULL;
}

int tt_history_spread(const struct tt_history *history, const struct tt_environment *environment,
                      const char *name, const char *operation, struct tt_spread *out)
{
    double logs[TT_HISTORY_MAX_ROWS];
    size_t count = 0;

    *out = (struct tt_spread){.tau = TT_HISTORY_DEFAULT_SPREAD};
    for (size_t i = 0; history && i < history->rows_count && count < ARRAY_LEN(logs); i++) {
        const struct tt_history_cell *cell =
            find_cell(&history->rows[i], environment, name, operation);
        if (cell)
            logs[count++] = log(cell->overhead_ratio);
    }
    if (count < TT_HISTORY_MIN_CALIBRATED)
        return 0;

    double tau;
    int ret = tt_stats_spread(logs, count, &tau);
    if (!ret && tau > 0) /* runs that are all the same are copies, not runs */
        *out = (struct tt_spread){.tau = tau, .results = count, .calibrated = true};
    return ret;
}

size_t tt_history_trend(const struct tt_history *history, const struct tt_environment *environment,
                        const char *name, const char *operation, size_t limit,
                        struct tt_trend_point *out)
{
    size_t count = 0;
    for (size_t i = history->rows_count; i-- > 0 && count < limit;) {
        const struct tt_history_cell *cell =
            find_cell(&history->rows[i], environment, name, operation);
        if (cell)
            out[count++] = (struct tt_trend_point){.row = &history->rows[i],
                                                   .overhead_ratio = cell->overhead_ratio};
    }
    for (size_t i = 0; i < count / 2; i++) {
        struct tt_trend_point last = out[count - 1 - i];
        out[count - 1 - i] = out[i];
        out[i] = last;
    }
    return count;
}
