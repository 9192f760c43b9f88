/* SPDX-License-Identifier: MIT */
/* Formats a comparison; one file a format. */
#ifndef HARNESS_SHOW_H
#define HARNESS_SHOW_H

#include <stdbool.h>
#include <stddef.h>

#include "common/buf.h"
#include "common/compiler.h"
#include "harness/compare.h"

/** How a terminal is written to. */
struct tt_show_options {
    size_t width; /**< columns, kept from 44 on; 0 when not a terminal: lines as long as they are */
    bool color;
};

/** Text table, then the workload's line, the machine's line and the notes. @return as
 * buf_status(@out) */
MUST_USE int tt_show_table(const struct tt_comparison *comparison,
                           const struct tt_show_options *options, struct buf *out);

/** The same as GitHub Markdown; every foreign string goes through tt_md_escape(). */
MUST_USE int tt_show_markdown(const struct tt_comparison *comparison, struct buf *out);

/** Comma-separated values, a heading and a line a target; ratios, not percentages (RFC 4180). */
MUST_USE int tt_show_csv(const struct tt_comparison *comparison, struct buf *out);

/** The model as one JSON object, "tracetax.comparison/1". */
MUST_USE int tt_show_json(const struct tt_comparison *comparison, struct buf *out);

/**
 * A section of an HTML file: table, notes, charts, machine. The file is begun and ended apart, so
 * that it may hold several.
 * @history for the trend; or NULL
 */
MUST_USE int tt_show_html(const struct tt_comparison *comparison, const struct tt_history *history,
                          struct buf *out);
int tt_show_html_begin(struct buf *out);
int tt_show_html_end(struct buf *out);

/* What the formats share; the reporter uses these too. None of them escapes: the texts may
   hold a result's strings. All return as buf_status(@out). */

/** "+44.31%", "-7.09%", "+0.00%": a ratio as the change that it is, @decimals 0 to 6. */
int tt_text_percent(struct buf *out, double ratio, int decimals);

/** "+43.20 … +45.10": an interval of a ratio, without the sign %. */
int tt_text_interval(struct buf *out, double low, double high, int decimals);

/** "15.832 ms": nanoseconds as milliseconds with 3 decimals. */
int tt_text_time(struct buf *out, double ns);

/** The median of a row's arm as tt_text_time(), "-" when the arm was not run. */
int tt_text_arm(struct buf *out, const struct tt_row *row, enum tt_arm arm);

/** "dynamic"; with its operation, "dynamic launch", where the rows have several. */
int tt_text_label(struct buf *out, const struct tt_comparison *comparison,
                  const struct tt_row *row);

/** "unchanged (would have seen 1.40%)": verdict, with the detectable change where it is known. */
int tt_text_verdict(struct buf *out, enum tt_verdict verdict, double detectable);

/**
 * "4 threads, 2,048 files per thread, 8,192 total open-and-close operations": what the suite's
 * parameters and the targets say. Nothing when they say nothing.
 */
int tt_text_workload(struct buf *out, const struct tt_comparison *comparison);

/** "x86_64 · AMD EPYC · 4 cores · Debian ... · hyperfine 1.19 · run 30028036239". */
int tt_text_machine(struct buf *out, const struct tt_result *result);

/**
 * "this machine's last run of 2026-11-30T15:30:00Z at 594f3ce (FILE)": a baseline as it was
 * used, to stand behind "Compared with".
 */
int tt_text_baseline(struct buf *out, const struct tt_compared *compared);

/** Columns of a text on a terminal; a byte that is not UTF-8 counts as one. */
size_t tt_text_width(const char *text);

#endif
