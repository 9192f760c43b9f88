/* SPDX-License-Identifier: MIT */
/* Parts of the HTML report. All append to a buffer and return as buf_status(). */
#ifndef HARNESS_SHOW_HTML_H
#define HARNESS_SHOW_HTML_H

#include "common/buf.h"
#include "common/compiler.h"
#include "harness/compare.h"
#include "harness/history.h"

/** The style sheet: light and dark, narrow and wide, paper. */
extern const char tt_html_style[];

/** Dots that one chart draws at most; of more samples every n-th is drawn. */
#define TT_HTML_MAX_DOTS 2000

/**
 * The samples of one arm in round order, with median and interval, as a figure. Nothing when
 * there are none. Also -ENOMEM.
 */
MUST_USE int tt_html_samples(struct buf *out, const struct tt_samples *samples, const char *arm);

/** A ratio that is drawn as a point with its interval. */
struct tt_html_mark {
    const char *label; /**< of ours */
    double ratio;
    double low, high; /**< both 0: no interval */
};

/**
 * Ratios one below the other, as changes in percent, as a figure.
 * @title of ours
 * @limits a band of +-margin and lines at +-unchanged_within around no change; or NULL
 */
MUST_USE int tt_html_ratios(struct buf *out, const char *title, const struct tt_html_mark *marks,
                            size_t count, const struct tt_thresholds *limits);

/** The overheads of earlier runs, oldest first, as a figure. Nothing for fewer than 2. */
MUST_USE int tt_html_trend(struct buf *out, const struct tt_trend_point *points, size_t count);

#endif
