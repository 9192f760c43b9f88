/* SPDX-License-Identifier: MIT */
/* The overheads of main over time, as charts in a fold. */
#include "report/markdown.h"

#include <math.h>

#include "harness/environment.h"
#include "harness/md_escape.h"
#include "harness/show.h"

#define POINTS_MAX 12
#define POINTS_MIN 3
#define CHARTS_MAX 4
#define LABEL_DIGITS 3

/* A commit's first digits for the axis. It is quoted: "7e1" is a number to mermaid. The
   history may hold anything, so only hexadecimal digits pass. */
static void put_axis_label(const struct tt_history_row *row, size_t index, struct buf *out)
{
    buf_printf(out, "%s\"", index ? ", " : "");
    const char *commit = row->commit ? row->commit : "";
    int digits = 0;
    for (; digits < LABEL_DIGITS && ((commit[digits] >= '0' && commit[digits] <= '9') ||
                                     (commit[digits] >= 'a' && commit[digits] <= 'f'));
         digits++) {
        buf_append(out, &commit[digits], 1);
    }
    if (!digits)
        buf_printf(out, "%zu", index + 1);
    buf_puts(out, "\"");
}

/* The name stands before the chart, for the text of a chart cannot be escaped. */
static void put_chart(const struct tt_comparison *comparison, const struct tt_row *row,
                      const struct tt_trend_point *points, size_t count, struct buf *out)
{
    struct buf label;
    buf_init(&label, 4096);
    tt_text_label(&label, comparison, row);
    tt_md_escape(out, label.data, TT_TEXT_MAX_CHARS);
    buf_fini(&label);

    double low = INFINITY;
    double high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, (points[i].overhead_ratio - 1) * 100);
        high = fmax(high, (points[i].overhead_ratio - 1) * 100);
    }
    double margin = fmax((high - low) / 4, fmax(fabs(high) * 0.02, 0.1));
    buf_printf(out,
               ": overhead on `main`, last %zu runs on this kind of machine (%%)\n\n"
               "```mermaid\n"
               "%%%%{init: {\"themeVariables\": {\"xyChart\": {\"plotColorPalette\": "
               "\"#0969da, #cf222e\"}}}}%%%%\n"
               "xychart-beta\n    x-axis [",
               count);
    for (size_t i = 0; i < count; i++)
        put_axis_label(points[i].row, i, out);
    buf_printf(out, "]\n    y-axis \"overhead %%\" %.2f --> %.2f\n    line [", low - margin,
               high + margin);
    for (size_t i = 0; i < count; i++)
        buf_printf(out, "%s%.2f", i ? ", " : "", (points[i].overhead_ratio - 1) * 100);
    buf_puts(out, "]\n```\n\n");
}

static void put_charts(const struct rep_view *view, const struct rep_part *part, struct buf *out)
{
    struct tt_environment environment = {0};
    if (!view->history || tt_environment_init(&part->now->result, &environment))
        return;
    size_t charts = 0;
    for (size_t i = 0; i < part->comparison.rows_count && charts < CHARTS_MAX; i++) {
        const struct tt_row *row = &part->comparison.rows[i];
        struct tt_trend_point points[POINTS_MAX];
        size_t count = tt_history_trend(view->history, &environment, row->name, row->operation,
                                        POINTS_MAX, points);
        if (!row->now || count < POINTS_MIN)
            continue;
        put_chart(&part->comparison, row, points, count, out);
        charts++;
    }
    tt_environment_fini(&environment);
}

int rep_markdown_trend(const struct rep_view *view, const struct rep_part *part, struct buf *out)
{
    struct buf fold;
    buf_init(&fold, out->limit_bytes);
    put_charts(view, part, &fold);
    if (buf_status(&fold)) {
        int ret = buf_status(&fold);
        buf_fini(&fold);
        out->status = out->status ? out->status : ret; /* the whole comment is too long */
        return ret;
    }
    if (fold.size_bytes) {
        buf_puts(out, "<details><summary>Over time</summary>\n\n");
        buf_append(out, fold.data, fold.size_bytes);
        buf_puts(out, "</details>\n\n");
    }
    buf_fini(&fold);
    return buf_status(out);
}
