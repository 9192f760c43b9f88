/* SPDX-License-Identifier: MIT */
/* The table fits its terminal, and numbers print as promised. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "harness/show.h"

static uint64_t one[] = {10000000};
static struct tt_parameter parameters[] = {{(char *)"threads", (char *)"1"},
                                           {(char *)"files", (char *)"2048"}};
static struct tt_target target = {
    .name = (char *)"d\u00e9j\u00e0 \u6f22\u5b57",
    .operation = (char *)"open-close",
    .operations_count = 1234567,
    .arm = {[TT_ARM_UNTRACKED] = {one, 1}, [TT_ARM_TRACKED] = {one, 1}},
};
static struct tt_result result = {
    .created_at = (char *)"2026-11-30T15:30:00Z",
    .platform = {.id = (char *)"linux-x86_64",
                 .arch = (char *)"x86_64",
                 .image = (char *)"Debian",
                 .kernel = (char *)"6.18.44",
                 .cpu = (char *)"AMD EPYC",
                 .cores = 1},
    .suite = {.name = (char *)"default",
              .version = (char *)"1",
              .parameters = parameters,
              .parameters_count = 2,
              .shards = 1},
    .engine = {(char *)"builtin", (char *)"0.1.0"},
};
static struct tt_row rows[2] = {
    {.name = (char *)"d\u00e9j\u00e0 \u6f22\u5b57",
     .operation = (char *)"open-close",
     .now = &target,
     .untracked_ns = 15832200,
     .tracked_ns = 22847900,
     .overhead = {.state = TT_CELL_NUMBER, .ratio = 1.4431, .low = 1.432, .high = 1.451},
     .head_base = {.state = TT_CELL_NUMBER, .ratio = 1.031, .low = 1.022, .high = 1.04},
     .verdict = TT_VERDICT_REGRESSED,
     .detectable = 0.0231},
    {.name = (char *)"static",
     .operation = (char *)"open-close",
     .now = &target,
     .untracked_ns = 19230000,
     .tracked_ns = 63804000,
     .overhead = {.state = TT_CELL_POINT, .ratio = 3.3179},
     .against = {{.state = TT_CELL_GREY, .ratio = 0.9}},
     .verdict = TT_VERDICT_NOT_COMPARABLE},
};
static const struct tt_comparison comparison = {
    .now = &result, .rows = rows, .rows_count = ARRAY_LEN(rows)};

static char *table(size_t width, bool color)
{
    static char text[16384];
    const struct tt_show_options options = {.width = width, .color = color};
    struct buf out;
    buf_init(&out, sizeof(text) - 1);
    assert_int_equal(tt_show_table(&comparison, &options, &out), 0);
    memcpy(text, out.data, out.size_bytes + 1);
    buf_fini(&out);
    return text;
}

/** Columns of the longest line. */
static size_t widest(const char *text)
{
    size_t most = 0;
    char line[1024];
    while (*text) {
        size_t length = strcspn(text, "\n");
        assert_true(length < sizeof(line));
        assert_true(!length || text[length - 1] != ' ');
        memcpy(line, text, length);
        line[length] = '\0';
        most = tt_text_width(line) > most ? tt_text_width(line) : most;
        text += length + (text[length] == '\n');
    }
    return most;
}

static void fits_every_terminal(void **state)
{
    (void)state;
    for (size_t width = 44; width <= 200; width++)
        assert_true(widest(table(width, false)) <= width);
    assert_non_null(strstr(table(200, false), "+44.31% (+43.20 … +45.10)"));
    assert_null(strstr(table(110, false), "("));
    assert_non_null(strstr(table(110, false), "+43.20 … +45.10"));
    assert_non_null(strstr(table(60, false), "\n  Head / base        +3.10%\n"));
    assert_true(widest(table(0, false)) > 120);
}

static void columns_are_aligned(void **state)
{
    (void)state;
    /* The second column ends at the same place in each line, whatever the first holds. */
    const char *text = table(200, false);
    const char *first = strstr(text, "15.832 ms");
    const char *line = strchr(text, '\n') + 1;
    const char *second = strstr(text, "19.230 ms");
    assert_true(first && second);
    char before[256];
    memcpy(before, line, (size_t)(first - line));
    before[first - line] = '\0';
    size_t column = tt_text_width(before);
    line = strchr(first, '\n') + 1;
    assert_int_equal((size_t)(second - line), column);
}

static void color_only_when_asked(void **state)
{
    (void)state;
    assert_null(strchr(table(200, false), '\033'));
    assert_non_null(strstr(table(200, true), "\033[1;31mregressed\033[0m"));
    assert_non_null(strstr(table(60, true), "\033[1;31mregressed\033[0m"));
}

static void prints(int ret, struct buf *out, const char *wanted)
{
    assert_int_equal(ret, 0);
    assert_string_equal(out->data, wanted);
    buf_clear(out);
}

static void numbers_print_as_in_the_seed(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, 1024);
    prints(tt_text_percent(&out, 22.8479 / 15.8322, 2), &out, "+44.31%");
    prints(tt_text_percent(&out, 66.611 / 75.048, 2), &out, "-11.24%");
    prints(tt_text_percent(&out, 1, 2), &out, "+0.00%");
    prints(tt_text_percent(&out, 0.99996, 2), &out, "+0.00%");
    prints(tt_text_percent(&out, 0.9994, 1), &out, "-0.1%");
    prints(tt_text_percent(&out, 0.004, 2), &out, "-99.60%");
    prints(tt_text_interval(&out, 0.876, 0.985, 1), &out, "-12.4 … -1.5");
    prints(tt_text_time(&out, 75048000), &out, "75.048 ms");
    prints(tt_text_time(&out, 0), &out, "0.000 ms");
    prints(tt_text_workload(&out, &comparison), &out,
           "1 thread, 2,048 files per thread, 1,234,567 total open-and-close operations");
    prints(tt_text_machine(&out, &result), &out,
           "x86_64 · AMD EPYC · 1 core · Debian · kernel 6.18.44 · builtin engine");
    prints(tt_text_verdict(&out, TT_VERDICT_UNCHANGED, 0.014), &out,
           "unchanged (would have seen 1.40%)");
    buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_every_terminal),
        cmocka_unit_test(columns_are_aligned),
        cmocka_unit_test(color_only_when_asked),
        cmocka_unit_test(numbers_print_as_in_the_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
