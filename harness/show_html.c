/* SPDX-License-Identifier: MIT */
/* A comparison as one HTML file that needs nothing else: no script, no network. */
#include "harness/show_html.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/show.h"
#include "harness/svg.h"

#define RAW_MAX_BYTES 65536
#define TREND_POINTS 50

/** Append what @raw holds, escaped, between two texts of ours; nothing when it is empty. */
static int put_text(struct buf *out, const char *before, struct buf *raw, const char *after)
{
    int ret = buf_status(raw);
    if (!ret && raw->size_bytes) {
        buf_puts(out, before);
        tt_svg_escape(out, raw->data);
        buf_puts(out, after);
    }
    buf_clear(raw);
    return ret;
}

int tt_show_html_begin(struct buf *out)
{
    buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'unsafe-inline'; img-src data:\">\n"
                  "<link rel=\"icon\" href=\"data:,\">\n"
                  "<title>What being watched costs</title>\n<style>\n");
    buf_puts(out, tt_html_style);
    return buf_puts(
        out, "</style>\n</head>\n<body>\n<main>\n<h1>What being watched costs</h1>\n"
             "<p>Each <em>target</em> below is a program that was run alone (<em>untracked</em>) "
             "and under a tracer that records every path it tries to access (<em>tracked</em>), "
             "in turn, round by round. <em>Overhead</em> says how much longer the tracked run "
             "took; <em>normalized change</em>, how much that differs from a baseline. The range "
             "below a number is its 95% interval: the true value may lie anywhere in it.</p>\n");
}

int tt_show_html_end(struct buf *out)
{
    return buf_puts(out, "</main>\n</body>\n</html>\n");
}

static int put_cell(struct buf *out, const struct tt_cell *cell, const char *nothing)
{
    switch (cell->state) {
    case TT_CELL_EMPTY:
        return buf_puts(out, nothing);
    case TT_CELL_NUMBER:
        tt_text_percent(out, cell->ratio, 2);
        buf_puts(out, " <small>");
        tt_text_interval(out, cell->low, cell->high, 2);
        return buf_puts(out, "</small>");
    case TT_CELL_POINT:
        return tt_text_percent(out, cell->ratio, 2);
    case TT_CELL_GREY:
        buf_puts(out, "not comparable");
        break;
    case TT_CELL_WORDS:
        break;
    }
    if (cell->reason) {
        buf_puts(out, cell->state == TT_CELL_GREY ? " <small>" : "<span class=\"soft\">");
        tt_svg_escape(out, cell->reason);
        buf_puts(out, cell->state == TT_CELL_GREY ? "</small>" : "</span>");
    }
    return buf_status(out);
}

static const char *verdict_class(enum tt_verdict verdict)
{
    switch (verdict) {
    case TT_VERDICT_REGRESSED:
        return "regressed";
    case TT_VERDICT_IMPROVED:
        return "improved";
    default:
        return "soft";
    }
}

static int put_verdict(struct buf *out, const struct tt_row *row)
{
    if (row->verdict == TT_VERDICT_NONE)
        return buf_puts(out, "-");
    buf_printf(out, "<span class=\"%s\">%s</span>", verdict_class(row->verdict),
               tt_verdict_word(row->verdict));
    if (row->detectable > 0)
        buf_printf(out, " <small>would have seen %.2f%%</small>", row->detectable * 100);
    return buf_status(out);
}

/** Which columns a table of this comparison has. */
struct columns {
    bool head_base, change;
};

static struct columns columns_of(const struct tt_comparison *comparison)
{
    struct columns out = {.change = comparison->baselines_count > 0};
    for (size_t i = 0; i < comparison->rows_count; i++)
        out.head_base |= comparison->rows[i].head_base.state != TT_CELL_EMPTY;
    return out;
}

static int put_row(struct buf *out, const struct tt_comparison *comparison,
                   const struct tt_row *row, const struct columns *columns, struct buf *raw)
{
    tt_text_label(raw, comparison, row);
    int ret = put_text(out, "<tr><th scope=\"row\">", raw, "</th>");
    buf_puts(out, "<td data-label=\"Untracked\">");
    tt_text_arm(out, row, TT_ARM_UNTRACKED);
    buf_puts(out, "</td><td data-label=\"Tracked\">");
    tt_text_arm(out, row, TT_ARM_TRACKED);
    buf_puts(out, "</td><td data-label=\"Overhead\">");
    put_cell(out, &row->overhead, "-");
    if (columns->change) {
        buf_puts(out, "</td><td data-label=\"Normalized change\">");
        put_cell(out, &row->against[0], "no baseline");
    }
    if (columns->head_base) {
        buf_puts(out, "</td><td data-label=\"Head / base\">");
        put_cell(out, &row->head_base, "-");
    }
    if (columns->change || columns->head_base) {
        buf_puts(out, "</td><td data-label=\"Verdict\">");
        put_verdict(out, row);
    }
    buf_puts(out, "</td></tr>\n");
    return ret;
}

static int put_table(struct buf *out, const struct tt_comparison *comparison, struct buf *raw)
{
    const struct columns columns = columns_of(comparison);
    int ret = 0;

    if (!comparison->rows_count)
        return buf_puts(out, "<p>This result holds no target.</p>\n");
    buf_printf(out,
               "<table>\n<thead><tr><th scope=\"col\">Target</th><th scope=\"col\">Untracked</th>"
               "<th scope=\"col\">Tracked</th><th scope=\"col\">Overhead</th>%s%s%s</tr></thead>\n"
               "<tbody>\n",
               columns.change ? "<th scope=\"col\">Normalized change</th>" : "",
               columns.head_base ? "<th scope=\"col\">Head / base</th>" : "",
               columns.change || columns.head_base ? "<th scope=\"col\">Verdict</th>" : "");
    for (size_t i = 0; !ret && i < comparison->rows_count; i++)
        ret = put_row(out, comparison, &comparison->rows[i], &columns, raw);
    buf_puts(out, "</tbody>\n</table>\n");
    return ret;
}

static bool has_ratio(const struct tt_cell *cell)
{
    return cell->state == TT_CELL_NUMBER || cell->state == TT_CELL_POINT;
}

static struct tt_html_mark mark_of(const char *label, const struct tt_cell *cell)
{
    bool has_interval = cell->state == TT_CELL_NUMBER;
    return (struct tt_html_mark){.label = label,
                                 .ratio = cell->ratio,
                                 .low = has_interval ? cell->low : 0,
                                 .high = has_interval ? cell->high : 0};
}

/** The overhead beside the baselines', and the changes. */
static int put_ratios(struct buf *out, const struct tt_comparison *comparison,
                      const struct tt_row *row)
{
    struct tt_html_mark marks[TT_COMPARE_MAX_BASELINES + 1];
    size_t count = 0;
    int ret = 0;

    if (has_ratio(&row->overhead)) {
        marks[count++] = mark_of("this result", &row->overhead);
        for (size_t i = 0; i < comparison->baselines_count; i++) {
            if (row->against[i].baseline_overhead_ratio > 0)
                marks[count++] = (struct tt_html_mark){
                    .label = tt_baseline_word(comparison->baselines[i].baseline.kind),
                    .ratio = row->against[i].baseline_overhead_ratio};
        }
        ret = tt_html_ratios(out, "Overhead: how much longer the tracked run takes", marks, count,
                             NULL);
    }
    count = 0;
    if (has_ratio(&row->head_base))
        marks[count++] = mark_of("against the base build", &row->head_base);
    for (size_t i = 0; i < comparison->baselines_count; i++) {
        if (has_ratio(&row->against[i]))
            marks[count++] =
                mark_of(tt_baseline_word(comparison->baselines[i].baseline.kind), &row->against[i]);
    }
    if (!ret && count)
        ret =
            tt_html_ratios(out, "Change of the overhead; within the band it is too small to matter",
                           marks, count, &comparison->limits);
    return ret;
}

static int put_trend(struct buf *out, const struct tt_comparison *comparison,
                     const struct tt_row *row, const struct tt_history *history)
{
    struct tt_environment environment;
    struct tt_trend_point points[TREND_POINTS];

    if (!history)
        return 0;
    int ret = tt_environment_init(comparison->now, &environment);
    if (ret)
        return ret;
    size_t count =
        tt_history_trend(history, &environment, row->name, row->operation, TREND_POINTS, points);
    ret = tt_html_trend(out, points, count);
    tt_environment_fini(&environment);
    return ret;
}

static int put_trace(struct buf *out, const struct tt_target *target)
{
    const struct tt_trace_check *trace = &target->trace[TT_ARM_TRACKED];

    if (!trace->checked)
        return buf_status(out);
    buf_printf(out,
               "<p class=\"soft\">The tracer recorded %" PRIu64 " of %" PRIu64
               " expected paths in every run, %" PRIu64 " to %" PRIu64 " accesses in all",
               trace->recorded_min, trace->expected, trace->accesses_min, trace->accesses_max);
    if (trace->lost)
        buf_printf(out, ", and lost %" PRIu64, trace->lost);
    return buf_puts(out, trace->complete ? ".</p>\n" : "; it called a trace incomplete.</p>\n");
}

static int put_target(struct buf *out, const struct tt_comparison *comparison, size_t index,
                      const struct tt_history *history, struct buf *raw)
{
    static const char *const arms[] = {"Untracked", "Tracked", "Tracked by the base build"};
    const struct tt_row *row = &comparison->rows[index];

    if (!row->now)
        return 0;
    buf_printf(raw, "%s, operation %s", row->name, row->operation);
    int ret = put_text(out, "<section class=\"target\">\n<h3>", raw, "</h3>\n");
    if (!ret && row->now->void_reason) {
        buf_puts(raw, row->now->void_reason);
        ret = put_text(out, "<p class=\"regressed\">Void: ", raw, "</p>\n");
    }
    put_trace(out, row->now);
    buf_puts(out, "<div class=\"charts\">\n");
    for (int arm = 0; !ret && arm < TT_ARM_COUNT; arm++)
        ret = tt_html_samples(out, &row->now->arm[arm], arms[arm]);
    if (!ret)
        ret = put_ratios(out, comparison, row);
    if (!ret)
        ret = put_trend(out, comparison, row, history);
    buf_puts(out, "</div>\n</section>\n");
    return ret;
}

static int put_notes(struct buf *out, const struct tt_comparison *comparison, struct buf *raw)
{
    int ret = 0;

    if (!comparison->notes_count)
        return 0;
    buf_puts(out, "<h2>Notes</h2>\n<ul>\n");
    for (size_t i = 0; !ret && i < comparison->notes_count; i++) {
        const struct tt_note *note = &comparison->notes[i];
        if (note->row != TT_NOTE_WHOLE) {
            tt_text_label(raw, comparison, &comparison->rows[note->row]);
            buf_puts(raw, ": ");
        }
        buf_puts(raw, note->text);
        ret = put_text(out, "<li>", raw, "</li>\n");
    }
    buf_puts(out, "</ul>\n");
    return ret;
}

/** A line of the machine's list. */
static int put_fact(struct buf *out, const char *name, struct buf *raw)
{
    buf_printf(out, "<dt>%s</dt>", name);
    return put_text(out, "<dd>", raw, "</dd>\n");
}

static int put_facts(struct buf *out, const struct tt_result *now, struct buf *raw)
{
    int ret;

    buf_puts(out, "<h2>Machine and versions</h2>\n<dl>\n");
    buf_printf(raw, "%s, %s, %" PRIu32 " %s", now->platform.cpu, now->platform.arch,
               now->platform.cores, now->platform.cores == 1 ? "core" : "cores");
    ret = put_fact(out, "Processor", raw);
    buf_printf(raw, "%s, kernel %s, %s", now->platform.image, now->platform.kernel,
               now->platform.libc);
    if (!ret)
        ret = put_fact(out, "System", raw);
    buf_printf(raw, "tracetax %s, times by %s %s", now->tool_version, now->engine.name,
               now->engine.version);
    if (!ret)
        ret = put_fact(out, "Measured with", raw);
    buf_printf(raw, "%s, version %s", now->suite.name, now->suite.version);
    if (!ret)
        ret = put_fact(out, "Suite", raw);
    buf_printf(raw, "%s, seed %" PRIu64 ", %" PRIu32 " rounds of warm-up", now->created_at,
               now->seed, now->warmup_rounds);
    if (!ret)
        ret = put_fact(out, "Run", raw);
    if (!ret && now->commit) {
        buf_puts(raw, now->commit);
        ret = put_fact(out, "Commit", raw);
    }
    if (!ret && now->base_commit) {
        buf_puts(raw, now->base_commit);
        ret = put_fact(out, "Base build", raw);
    }
    buf_puts(out, "</dl>\n");
    if (ret || !now->head_files_count)
        return ret;
    buf_puts(out, "<details>\n<summary>Files that were measured (SHA-256)</summary>\n<dl>\n");
    for (size_t i = 0; !ret && i < now->head_files_count; i++) {
        buf_puts(raw, now->head_files[i].name);
        ret = put_text(out, "<dt>", raw, "</dt>");
        buf_puts(raw, now->head_files[i].sha256);
        if (!ret)
            ret = put_text(out, "<dd><code>", raw, "</code></dd>\n");
    }
    buf_puts(out, "</dl>\n</details>\n");
    return ret;
}

int tt_show_html(const struct tt_comparison *comparison, const struct tt_history *history,
                 struct buf *out)
{
    struct buf raw;
    int ret = 0;

    buf_init(&raw, RAW_MAX_BYTES);
    for (size_t i = 0; !ret && i < comparison->baselines_count; i++) {
        ret = tt_text_baseline(&raw, &comparison->baselines[i]);
        if (!ret)
            ret = put_text(out, "<p>Compared with ", &raw, ".</p>\n");
    }
    if (!ret)
        ret = tt_text_workload(&raw, comparison);
    if (!ret)
        ret = put_text(out, "<p>Workload: ", &raw, ".</p>\n");
    if (!ret)
        ret = put_table(out, comparison, &raw);
    if (!ret)
        ret = put_notes(out, comparison, &raw);
    if (!ret && comparison->rows_count)
        ret = buf_puts(out, "<h2>Targets</h2>\n<p>A dot is one run. The line is their median; the "
                            "band, where the middle of all such runs lies with 95% "
                            "confidence.</p>\n");
    for (size_t i = 0; !ret && i < comparison->rows_count; i++)
        ret = put_target(out, comparison, i, history, &raw);
    if (!ret)
        ret = put_facts(out, comparison->now, &raw);
    buf_fini(&raw);
    return ret ? ret : buf_status(out);
}
