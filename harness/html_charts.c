/* SPDX-License-Identifier: MIT */
/* Charts of the HTML report. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/show.h"
#include "harness/show_html.h"
#include "harness/stats.h"
#include "harness/svg.h"

/* A drawing is as wide as its column, 320 to 600 pixels: its letters stay readable. */
#define WIDTH 400.0
#define LEFT 52.0
#define RIGHT 392.0
#define TOP 8.0
#define PLOT_HEIGHT 130.0
#define TEXT_DROP 4.0     /* from a letter's middle to its line */
#define LEAST_HEIGHT 0.01 /* of the median */
#define LABEL_BYTES 1024

static void put_tick(struct buf *text, double value, int decimals, const char *unit)
{
    buf_clear(text);
    buf_printf(text, "%.*f%s", decimals, value, unit);
}

/** Lines across the plot with their values at the left. */
static void put_rows(struct buf *out, const struct tt_axis *axis, const char *unit)
{
    double ticks[TT_AXIS_MAX_TICKS];
    struct buf text;
    int decimals;

    buf_init(&text, LABEL_BYTES);
    size_t count = tt_axis_ticks(axis, 4, ticks, &decimals);
    for (size_t i = 0; i < count; i++) {
        double y = tt_axis_at(axis, ticks[i]);
        tt_svg_line(out, "grid", LEFT, y, RIGHT, y);
        put_tick(&text, ticks[i], decimals, unit);
        if (!buf_status(&text))
            tt_svg_text(out, "end", LEFT - 6, y + TEXT_DROP, text.data);
    }
    buf_fini(&text);
}

static int begin_figure(struct buf *out, double height, const struct buf *label)
{
    buf_puts(out, "<figure>\n");
    return tt_svg_begin(out, WIDTH, height, label->size_bytes ? label->data : "");
}

static int end_figure(struct buf *out, const struct buf *caption)
{
    tt_svg_end(out);
    buf_puts(out, "<figcaption>");
    tt_svg_escape(out, caption->size_bytes ? caption->data : "");
    return buf_puts(out, "</figcaption>\n</figure>\n");
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/** What of an arm is drawn; milliseconds. */
struct shown {
    struct tt_axis y;
    double median, min, max;
    struct tt_location middle;
    size_t beyond; /**< times that lie beyond the axis */
};

/** @sorted the times in ascending order */
static int look(const double *sorted, size_t count, struct shown *out)
{
    double low = sorted[count / 20], high = sorted[count - 1 - count / 20];
    double room = high - low;

    /* What most rounds took fills the height; a few far outliers must not flatten it. */
    out->min = sorted[0];
    out->max = sorted[count - 1];
    low = fmax(out->min, low - room);
    high = fmin(out->max, high + room);
    double least = sorted[count / 2] * LEAST_HEIGHT; /* finer than this nothing is worth a look */
    if (high - low < least) {
        double middle = (low + high) / 2;
        low = middle - least / 2;
        high = middle + least / 2;
    }
    out->y = tt_axis_make(low, high, TOP + PLOT_HEIGHT, TOP);
    out->median = count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
    out->beyond = 0;
    for (size_t i = 0; i < count; i++)
        out->beyond += sorted[i] < out->y.low || sorted[i] > out->y.high;
    return tt_stats_location(sorted, count, &out->middle);
}

static void put_dots(struct buf *out, const double *ms, size_t count, const struct tt_axis *y)
{
    const struct tt_axis x =
        tt_axis_make(0, count > 1 ? (double)(count - 1) : 1, LEFT + 6, RIGHT - 6);
    size_t step = (count + TT_HTML_MAX_DOTS - 1) / TT_HTML_MAX_DOTS;

    tt_svg_dots_begin(out, "dots");
    for (size_t i = 0; i < count; i += step)
        tt_svg_dot(out, tt_axis_at(&x, (double)i), tt_axis_at(y, ms[i]));
    tt_svg_dots_end(out);
}

static void put_samples_caption(struct buf *text, const char *arm, size_t count,
                                const struct shown *shown)
{
    buf_printf(text, "%s: %zu round%s, median %.3f ms", arm, count, count == 1 ? "" : "s",
               shown->median);
    if (shown->middle.known)
        buf_printf(text, ", middle %.3f to %.3f ms (95%%)", shown->middle.low, shown->middle.high);
    buf_printf(text, ", fastest %.3f ms, slowest %.3f ms", shown->min, shown->max);
    if (shown->beyond)
        buf_printf(text, "; %zu beyond the scale, drawn at its edge", shown->beyond);
    if (count > TT_HTML_MAX_DOTS)
        buf_printf(text, "; every %zu. dot is drawn",
                   (count + TT_HTML_MAX_DOTS - 1) / TT_HTML_MAX_DOTS);
}

int tt_html_samples(struct buf *out, const struct tt_samples *samples, const char *arm)
{
    struct shown shown;
    struct buf text;
    int ret = 0;

    if (!samples->count)
        return buf_status(out);
    double *ms = calloc(samples->count, 2 * sizeof(*ms));
    if (!ms)
        return -ENOMEM;
    buf_init(&text, LABEL_BYTES);
    double *sorted = ms + samples->count;
    for (size_t i = 0; i < samples->count; i++)
        ms[i] = sorted[i] = (double)samples->ns[i] / 1e6;
    qsort(sorted, samples->count, sizeof(*sorted), compare_doubles);
    ret = look(sorted, samples->count, &shown);
    if (ret)
        goto out;

    put_samples_caption(&text, arm, samples->count, &shown);
    begin_figure(out, TOP + PLOT_HEIGHT + 24, &text);
    if (shown.middle.known)
        tt_svg_rect(out, "band", LEFT, tt_axis_at(&shown.y, shown.middle.low), RIGHT,
                    tt_axis_at(&shown.y, shown.middle.high));
    put_rows(out, &shown.y, "");
    put_dots(out, ms, samples->count, &shown.y);
    double y = tt_axis_at(&shown.y, shown.median);
    tt_svg_line(out, "median", LEFT, y, RIGHT, y);
    tt_svg_text(out, "start", 0, TOP + PLOT_HEIGHT + 18, "ms");
    tt_svg_text(out, "middle", (LEFT + RIGHT) / 2, TOP + PLOT_HEIGHT + 18, "rounds, first to last");
    ret = end_figure(out, &text);
out:
    buf_fini(&text);
    free(ms);
    return ret ? ret : buf_status(out);
}

/** The axis of changes: every interval, and no change where @around_none. */
static struct tt_axis ratios_axis(const struct tt_html_mark *marks, size_t count,
                                  const struct tt_thresholds *limits)
{
    double low = limits ? -100 * limits->unchanged_within : 0;
    double high = limits ? 100 * limits->unchanged_within : 0;

    for (size_t i = 0; i < count; i++) {
        bool has_interval = marks[i].high > 0;
        low = fmin(low, 100 * ((has_interval ? marks[i].low : marks[i].ratio) - 1));
        high = fmax(high, 100 * ((has_interval ? marks[i].high : marks[i].ratio) - 1));
    }
    double room = (high - low) * 0.06;
    return tt_axis_make(low - room, high + room, 12, WIDTH - 12);
}

static void put_mark(struct buf *out, const struct tt_html_mark *mark, const struct tt_axis *x,
                     double y, struct buf *text)
{
    double at = tt_axis_at(x, 100 * (mark->ratio - 1));

    buf_clear(text);
    buf_printf(text, "%s: ", mark->label);
    tt_text_percent(text, mark->ratio, 2);
    if (mark->high > 0) {
        double low = tt_axis_at(x, 100 * (mark->low - 1));
        double high = tt_axis_at(x, 100 * (mark->high - 1));
        buf_puts(text, " (");
        tt_text_interval(text, mark->low, mark->high, 2);
        buf_puts(text, ")");
        tt_svg_line(out, "interval", low, y, high, y);
        tt_svg_line(out, "interval", low, y - 5, low, y + 5);
        tt_svg_line(out, "interval", high, y - 5, high, y + 5);
    }
    tt_svg_circle(out, mark->high > 0 ? "point" : "point open", at, y, 4.5);
    if (!buf_status(text))
        tt_svg_text(out, "start", 12, y - 12, text->data);
}

int tt_html_ratios(struct buf *out, const char *title, const struct tt_html_mark *marks,
                   size_t count, const struct tt_thresholds *limits)
{
    const struct tt_axis x = ratios_axis(marks, count, limits);
    double ticks[TT_AXIS_MAX_TICKS];
    double bottom = TOP + 44.0 * (double)count;
    struct buf text, label;
    int decimals;

    buf_init(&text, LABEL_BYTES);
    buf_init(&label, LABEL_BYTES);
    buf_printf(&label, "%s", title);
    for (size_t i = 0; i < count; i++) {
        buf_printf(&label, "; %s ", marks[i].label);
        tt_text_percent(&label, marks[i].ratio, 2);
    }
    begin_figure(out, bottom + 24, &label);
    if (limits)
        tt_svg_rect(out, "band", tt_axis_at(&x, -100 * limits->margin), TOP,
                    tt_axis_at(&x, 100 * limits->margin), bottom);
    size_t ticks_count = tt_axis_ticks(&x, 4, ticks, &decimals);
    for (size_t i = 0; i < ticks_count; i++) {
        double at = tt_axis_at(&x, ticks[i]);
        tt_svg_line(out, ticks[i] == 0 ? "none" : "grid", at, TOP, at, bottom);
        put_tick(&text, ticks[i], decimals, "%");
        if (!buf_status(&text))
            tt_svg_text(out,
                        at < 30           ? "start"
                        : at > WIDTH - 30 ? "end"
                                          : "middle",
                        at, bottom + 18, text.data);
    }
    for (size_t i = 0; i < count; i++)
        put_mark(out, &marks[i], &x, TOP + 44.0 * (double)i + 32, &text);
    buf_clear(&text);
    buf_puts(&text, title);
    int ret = end_figure(out, &text);
    buf_fini(&text);
    buf_fini(&label);
    return ret;
}

static double percent_of(const struct tt_trend_point *point)
{
    return 100 * (point->overhead_ratio - 1);
}

int tt_html_trend(struct buf *out, const struct tt_trend_point *points, size_t count)
{
    struct buf text;
    int ret;

    if (count < 2)
        return buf_status(out);
    double *x = calloc(count, 2 * sizeof(*x));
    if (!x)
        return -ENOMEM;
    double *y = x + count;
    double low = percent_of(&points[0]), high = low;
    for (size_t i = 1; i < count; i++) {
        low = fmin(low, percent_of(&points[i]));
        high = fmax(high, percent_of(&points[i]));
    }
    const struct tt_axis down = tt_axis_make(low, high, TOP + PLOT_HEIGHT, TOP);
    const struct tt_axis across = tt_axis_make(0, (double)(count - 1), LEFT + 6, RIGHT - 6);
    for (size_t i = 0; i < count; i++) {
        x[i] = tt_axis_at(&across, (double)i);
        y[i] = tt_axis_at(&down, percent_of(&points[i]));
    }

    buf_init(&text, LABEL_BYTES);
    buf_printf(&text, "Overhead in the last %zu runs, from ", count);
    tt_text_percent(&text, points[0].overhead_ratio, 2);
    buf_printf(&text, " on %.10s to ", points[0].row->created_at);
    tt_text_percent(&text, points[count - 1].overhead_ratio, 2);
    buf_printf(&text, " on %.10s", points[count - 1].row->created_at);
    begin_figure(out, TOP + PLOT_HEIGHT + 24, &text);
    put_rows(out, &down, "%");
    tt_svg_path(out, "trend", x, y, count);
    tt_svg_dots_begin(out, "dots");
    for (size_t i = 0; i < count; i++)
        tt_svg_dot(out, x[i], y[i]);
    tt_svg_dots_end(out);
    tt_svg_text(out, "middle", (LEFT + RIGHT) / 2, TOP + PLOT_HEIGHT + 18,
                "runs, oldest to newest");
    ret = end_figure(out, &text);
    buf_fini(&text);
    free(x);
    return ret;
}
