/* SPDX-License-Identifier: MIT */
/* Drawings as inline SVG, and the escaping that they share with HTML. Pure: they append to a
   buffer, whose first failure sticks (buf_status()). */
#ifndef HARNESS_SVG_H
#define HARNESS_SVG_H

#include <stddef.h>

#include "common/buf.h"
#include "common/compiler.h"

/** A stretch of values drawn along a stretch of the drawing. */
struct tt_axis {
    double low, high; /**< values, low < high */
    double from, to;  /**< where these are drawn, in the drawing's units; from > to: upward */
};

/** Most ticks that tt_axis_ticks() gives. */
#define TT_AXIS_MAX_TICKS 12

/**
 * An axis that shows the values from @low to @high. Equal or senseless ends are moved apart.
 * @low, @high in any unit; values that are not finite count as 0
 */
struct tt_axis tt_axis_make(double low, double high, double from, double to);

/** Where a value is drawn; a value beyond the ends is drawn at the end. */
double tt_axis_at(const struct tt_axis *axis, double value);

/**
 * Round values within an axis: 1, 2 or 5 times a power of ten apart.
 * @wanted about how many, 2 to TT_AXIS_MAX_TICKS / 2
 * @out    room for TT_AXIS_MAX_TICKS
 * @out_decimals digits behind the point that tell them apart, 0 to 9
 * @return how many
 */
size_t tt_axis_ticks(const struct tt_axis *axis, size_t wanted, double *out, int *out_decimals);

/**
 * Append a text so that neither HTML nor SVG takes a part of it for markup, within an element or a
 * quoted attribute. What is no UTF-8, a control character, or one that turns the direction of
 * writing becomes U+FFFD.
 * @return as buf_status(@out)
 */
int tt_svg_escape(struct buf *out, const char *text);

/**
 * Begin a drawing that is as wide as its place.
 * @width, @height in its own units
 * @label what a screen reader says instead of it
 */
int tt_svg_begin(struct buf *out, double width, double height, const char *label);
int tt_svg_end(struct buf *out);

/** A straight line. @class names of classes, for the style sheet; of ours, not escaped */
int tt_svg_line(struct buf *out, const char *class, double x1, double y1, double x2, double y2);

/** A rectangle between two corners, whichever way round. */
int tt_svg_rect(struct buf *out, const char *class, double x1, double y1, double x2, double y2);

int tt_svg_circle(struct buf *out, const char *class, double x, double y, double radius);

/** Text; @anchor "start", "middle" or "end". The text is escaped. */
int tt_svg_text(struct buf *out, const char *anchor, double x, double y, const char *text);

/** Many dots as one element: begin, each dot, end. Their size is that of the class's stroke. */
int tt_svg_dots_begin(struct buf *out, const char *class);
int tt_svg_dot(struct buf *out, double x, double y);
int tt_svg_dots_end(struct buf *out);

/** A line through points. */
int tt_svg_path(struct buf *out, const char *class, const double *x, const double *y, size_t count);

#endif
