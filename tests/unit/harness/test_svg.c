/* SPDX-License-Identifier: MIT */
/* Axes reach from end to end, ticks are round, and no text becomes markup. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "harness/svg.h"

static void axis_places(void **state)
{
    (void)state;
    struct tt_axis axis = tt_axis_make(10, 20, 100, 0);
    assert_float_equal(tt_axis_at(&axis, 10), 100, 1e-9);
    assert_float_equal(tt_axis_at(&axis, 15), 50, 1e-9);
    assert_float_equal(tt_axis_at(&axis, 99), 0, 1e-9);
    assert_float_equal(tt_axis_at(&axis, -99), 100, 1e-9);
    assert_float_equal(tt_axis_at(&axis, (double)NAN), 100, 1e-9);

    /* Turned round, equal, zero, not finite: still an axis. */
    const double ends[][2] = {{20, 10}, {5, 5}, {0, 0}, {-3, -3}, {(double)INFINITY, (double)NAN}};
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        axis = tt_axis_make(ends[i][0], ends[i][1], 0, 1);
        assert_true(axis.low < axis.high);
        assert_true(isfinite(axis.low) && isfinite(axis.high));
    }
}

static void check_ticks(double low, double high, size_t expected, double first, double last,
                        int decimals)
{
    double ticks[TT_AXIS_MAX_TICKS];
    int found_decimals;
    struct tt_axis axis = tt_axis_make(low, high, 0, 1);
    size_t count = tt_axis_ticks(&axis, 4, ticks, &found_decimals);
    assert_int_equal(count, expected);
    assert_float_equal(ticks[0], first, 1e-9);
    assert_float_equal(ticks[count - 1], last, 1e-9);
    assert_int_equal(found_decimals, decimals);
}

static void axis_ticks(void **state)
{
    (void)state;
    check_ticks(0, 10, 3, 0, 10, 0);
    check_ticks(14.2, 17.9, 3, 15, 17, 0);
    check_ticks(-0.31, 0.42, 4, -0.2, 0.4, 1);
    check_ticks(1.4401, 1.4439, 3, 1.441, 1.443, 3);
    check_ticks(0, 1000000, 3, 0, 1000000, 0);
}

static void escaping(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, 1000);
    /* NOLINTNEXTLINE(misc-misleading-bidirectional): what is tested */
    assert_int_equal(tt_svg_escape(&out, "<b a='\"&\">\x01\xff\xE2\x80\xAE \xC3\xA9 \xC2\x9B"), 0);
    assert_string_equal(out.data,
                        "&lt;b a=&#39;&quot;&amp;&quot;&gt;\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD "
                        "\xC3\xA9 \xEF\xBF\xBD");
    buf_clear(&out);
    assert_int_equal(tt_svg_begin(&out, 10, 5, "a \"b\""), 0);
    tt_svg_text(&out, "end", (double)NAN, -0.001, "</svg>");
    tt_svg_rect(&out, "x", 5, 4, 2, 1);
    assert_int_equal(tt_svg_end(&out), 0);
    assert_string_equal(
        out.data, "<svg viewBox=\"0 0 10.00 5.00\" role=\"img\" aria-label=\"a &quot;b&quot;\">\n"
                  "<text text-anchor=\"end\" x=\"0.00\" y=\"0.00\">&lt;/svg&gt;</text>\n"
                  "<rect class=\"x\" x=\"2.00\" y=\"1.00\" width=\"3.00\" height=\"3.00\"/>\n"
                  "</svg>\n");
    buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axis_places),
        cmocka_unit_test(axis_ticks),
        cmocka_unit_test(escaping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
