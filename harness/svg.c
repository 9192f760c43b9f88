/* SPDX-License-Identifier: MIT */
/* Drawings as inline SVG. */
#include "harness/svg.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/utf8.h"

#define REPLACEMENT "\xEF\xBF\xBD"

static double finite_or_zero(double value)
{
    return isfinite(value) ? value : 0;
}

struct tt_axis tt_axis_make(double low, double high, double from, double to)
{
    low = finite_or_zero(low);
    high = finite_or_zero(high);
    if (low > high) {
        double swapped = low;
        low = high;
        high = swapped;
    }
    double apart = fmax(fabs(low), fabs(high)) * 1e-6;
    if (high - low <= apart) {
        double room = apart > 0 ? fabs(low) * 0.05 : 1;
        low -= room;
        high += room;
    }
    return (struct tt_axis){.low = low, .high = high, .from = from, .to = to};
}

double tt_axis_at(const struct tt_axis *axis, double value)
{
    double part = (finite_or_zero(value) - axis->low) / (axis->high - axis->low);
    part = fmin(fmax(part, 0), 1);
    return axis->from + part * (axis->to - axis->from);
}

size_t tt_axis_ticks(const struct tt_axis *axis, size_t wanted, double *out, int *out_decimals)
{
    static const double steps[] = {1, 2, 5, 10};
    double rough = (axis->high - axis->low) / (double)(wanted ? wanted : 1);
    double power = floor(log10(rough));
    double unit = pow(10, power);
    double step = 10 * unit;
    size_t count = 0;

    for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
        if (steps[i] * unit >= rough * 0.999) {
            step = steps[i] * unit;
            if (i == ARRAY_LEN(steps) - 1)
                power++;
            break;
        }
    }
    *out_decimals = power >= 0 ? 0 : (int)fmin(-power, 9);
    /* Counted in steps, so that errors do not add up. */
    double first = ceil(axis->low / step - 1e-9);
    for (; count < TT_AXIS_MAX_TICKS; count++) {
        double value = (first + (double)count) * step;
        if (value > axis->high + step * 1e-9)
            break;
        out[count] = value == 0 ? 0 : value; /* never -0 */
    }
    return count;
}

/** Control characters, and those that turn the direction of writing. */
static bool is_unseen(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

int tt_svg_escape(struct buf *out, const char *text)
{
    while (*text) {
        uint32_t c;
        size_t size_bytes = utf8_decode(text, strnlen(text, 4), &c);
        if (!size_bytes || is_unseen(c))
            buf_puts(out, REPLACEMENT);
        else if (c == '&')
            buf_puts(out, "&amp;");
        else if (c == '<')
            buf_puts(out, "&lt;");
        else if (c == '>')
            buf_puts(out, "&gt;");
        else if (c == '"')
            buf_puts(out, "&quot;");
        else if (c == '\'')
            buf_puts(out, "&#39;");
        else
            buf_append(out, text, size_bytes);
        text += size_bytes ? size_bytes : 1;
    }
    return buf_status(out);
}

/** A place: two decimals are finer than any screen. */
static int put_place(struct buf *out, const char *before, double value)
{
    value = finite_or_zero(value);
    return buf_printf(out, "%s%.2f", before, fabs(value) < 0.005 ? 0 : value);
}

static int put_attribute(struct buf *out, const char *name, double value)
{
    buf_printf(out, " %s=\"", name);
    put_place(out, "", value);
    return buf_puts(out, "\"");
}

int tt_svg_begin(struct buf *out, double width, double height, const char *label)
{
    put_place(out, "<svg viewBox=\"0 0 ", width);
    put_place(out, " ", height);
    buf_puts(out, "\" role=\"img\" aria-label=\"");
    tt_svg_escape(out, label);
    return buf_puts(out, "\">\n");
}

int tt_svg_end(struct buf *out)
{
    return buf_puts(out, "</svg>\n");
}

int tt_svg_line(struct buf *out, const char *class, double x1, double y1, double x2, double y2)
{
    buf_printf(out, "<line class=\"%s\"", class);
    put_attribute(out, "x1", x1);
    put_attribute(out, "y1", y1);
    put_attribute(out, "x2", x2);
    put_attribute(out, "y2", y2);
    return buf_puts(out, "/>\n");
}

int tt_svg_rect(struct buf *out, const char *class, double x1, double y1, double x2, double y2)
{
    buf_printf(out, "<rect class=\"%s\"", class);
    put_attribute(out, "x", fmin(x1, x2));
    put_attribute(out, "y", fmin(y1, y2));
    put_attribute(out, "width", fabs(x2 - x1));
    put_attribute(out, "height", fabs(y2 - y1));
    return buf_puts(out, "/>\n");
}

int tt_svg_circle(struct buf *out, const char *class, double x, double y, double radius)
{
    buf_printf(out, "<circle class=\"%s\"", class);
    put_attribute(out, "cx", x);
    put_attribute(out, "cy", y);
    put_attribute(out, "r", radius);
    return buf_puts(out, "/>\n");
}

int tt_svg_text(struct buf *out, const char *anchor, double x, double y, const char *text)
{
    buf_printf(out, "<text text-anchor=\"%s\"", anchor);
    put_attribute(out, "x", x);
    put_attribute(out, "y", y);
    buf_puts(out, ">");
    tt_svg_escape(out, text);
    return buf_puts(out, "</text>\n");
}

int tt_svg_dots_begin(struct buf *out, const char *class)
{
    return buf_printf(out, "<path class=\"%s\" d=\"", class);
}

int tt_svg_dot(struct buf *out, double x, double y)
{
    /* A line of no length with round ends is a dot, at a third of a circle's bytes. */
    put_place(out, "M", x);
    put_place(out, " ", y);
    return buf_puts(out, "h0");
}

int tt_svg_dots_end(struct buf *out)
{
    return buf_puts(out, "\"/>\n");
}

int tt_svg_path(struct buf *out, const char *class, const double *x, const double *y, size_t count)
{
    buf_printf(out, "<path class=\"%s\" d=\"", class);
    for (size_t i = 0; i < count; i++) {
        put_place(out, i ? "L" : "M", x[i]);
        put_place(out, " ", y[i]);
    }
    return buf_puts(out, "\"/>\n");
}
