/* SPDX-License-Identifier: MIT */
/* Each allocation fails once: an error, nothing half-made, nothing leaked. */
#include <errno.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/file.h"
#include "harness/calibrate.h"
#include "harness/compare.h"
#include "harness/show.h"
#include "harness/suite.h"
#include "tests/unit/allocations.h"

#define MAX_FILE_BYTES (1u << 20)

/** What the work below works on; read before anything fails. */
static struct input {
    struct buf now_text, history_text;
    struct tt_result now, before, other_cpu, odd, odd_before;
    struct tt_history history;
} input;

static int parse_result(void)
{
    struct tt_result out;
    struct err err = {0};

    int ret = tt_result_parse("text", input.now_text.data, input.now_text.size_bytes, &out, &err);
    allocations_check_failure(ret, &err, &out, sizeof(out));
    tt_result_fini(&out);
    return ret;
}

static int format_result(void)
{
    char *out;
    struct err err = {0};

    int ret = tt_result_format(&input.now, &out, &err);
    allocations_check_failure(ret, &err, &out, sizeof(out));
    free(out);
    return ret;
}

static int parse_history(void)
{
    struct tt_history out;
    struct err err = {0};

    int ret = tt_history_parse("text", input.history_text.data, input.history_text.size_bytes, &out,
                               &err);
    allocations_check_failure(ret, &err, &out, sizeof(out));
    tt_history_fini(&out);
    return ret;
}

static int format_history(void)
{
    char *out;
    struct err err = {0};

    int ret = tt_history_format(&input.history, &out, &err);
    allocations_check_failure(ret, &err, &out, sizeof(out));
    free(out);
    return ret;
}

static int extend_history(void)
{
    struct tt_history history = {0};
    struct err err = {0};

    int ret = tt_history_extend(&history, &input.now, &err);
    assert_int_equal(history.rows_count, ret ? 0 : 1);
    if (!ret) {
        ret = tt_history_extend(&history, &input.other_cpu, &err);
        assert_int_equal(history.rows_count, ret ? 1 : 2);
    }
    assert_int_equal(err.code, ret);
    tt_history_fini(&history);
    return ret;
}

/** Against a baseline that is like it and one that is not comparable, with a learned spread. */
static int compare_with(const struct tt_result *now, const struct tt_result *before,
                        struct tt_comparison *out)
{
    const struct tt_baseline baselines[] = {
        {.kind = TT_BASELINE_PREVIOUS, .result = before, .where = "run 1"},
        {.kind = TT_BASELINE_MAIN, .result = &input.other_cpu},
    };
    const struct tt_compare_input compared = {.now = now,
                                              .baselines = baselines,
                                              .baselines_count = ARRAY_LEN(baselines),
                                              .history = &input.history,
                                              .limits = TT_THRESHOLDS_DEFAULT};
    struct err err = {0};

    int ret = tt_compare(&compared, out, &err);
    allocations_check_failure(ret, &err, out, sizeof(*out));
    return ret;
}

static int compare(void)
{
    struct tt_comparison out;

    int ret = compare_with(&input.now, &input.before, &out);
    tt_comparison_fini(&out);
    return ret;
}

static int compare_oddities(void)
{
    struct tt_comparison out;

    int ret = compare_with(&input.odd, &input.odd_before, &out);
    tt_comparison_fini(&out);
    return ret;
}

/** Made before anything fails. */
static struct tt_comparison comparison;

static int table_of(const struct tt_comparison *shown, struct buf *out)
{
    /* Narrow, so that a row becomes two lines, and in color. */
    const struct tt_show_options options = {.width = 60, .color = true};
    return tt_show_table(shown, &options, out);
}

static int show(int (*format)(const struct tt_comparison *, struct buf *))
{
    struct buf out;

    buf_init(&out, MAX_FILE_BYTES);
    int ret = format(&comparison, &out);
    if (!ret)
        assert_int_equal(buf_status(&out), 0);
    buf_fini(&out);
    return ret;
}

static int show_table(void)
{
    return show(table_of);
}

static int show_markdown(void)
{
    return show(tt_show_markdown);
}

static int show_csv(void)
{
    return show(tt_show_csv);
}

static int show_json(void)
{
    return show(tt_show_json);
}

static int calibrate(void)
{
    const struct tt_thresholds limits = TT_THRESHOLDS_DEFAULT;
    struct tt_result results[TT_HISTORY_MIN_CALIBRATED];
    struct tt_calibration out;
    struct buf text;
    struct err err = {0};

    for (size_t i = 0; i < ARRAY_LEN(results); i++)
        results[i] = input.now;
    int ret = tt_calibrate(results, ARRAY_LEN(results), &limits, &out, &err);
    allocations_check_failure(ret, &err, &out, sizeof(out));
    buf_init(&text, MAX_FILE_BYTES);
    if (!ret)
        ret = tt_calibration_show(&out, &text);
    buf_fini(&text);
    tt_calibration_fini(&out);
    return ret;
}

static int make_suite(void)
{
    struct tt_suite out;
    struct err err = {0};

    int ret = tt_suite_builtin("full", &out, &err);
    allocations_check_failure(ret, &err, &out, sizeof(out));
    tt_suite_fini(&out);
    return ret;
}

static int parse_suite(void)
{
    static const char text[] =
        "{\"schema\": \"tracetax.suite/1\", \"name\": \"s\", \"version\": \"1\","
        " \"parameters\": {\"a\": \"1\"}, \"tracker\": [\"t\", \"{command}\"],"
        " \"targets\": [{\"name\": \"n\", \"operation\": \"o\", \"command\": [\"c\", \"d\"]}]}";
    struct tt_suite out;
    struct err err = {0};

    int ret = tt_suite_parse("text", text, sizeof(text) - 1, &out, &err);
    allocations_check_failure(ret, &err, &out, sizeof(out));
    tt_suite_fini(&out);
    return ret;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const struct allocating rows[] = {
        {"parse a result", parse_result, 100, true},
        {"format a result", format_result, 100, true},
        {"parse a history", parse_history, 100, true},
        {"format a history", format_history, 3, true},
        {"extend a history", extend_history, 20, false},
        {"compare", compare, 30, false},
        {"compare oddities", compare_oddities, 30, false},
        {"show a table", show_table, 20, false},
        {"show Markdown", show_markdown, 10, false},
        {"show CSV", show_csv, 2, false},
        {"show JSON", show_json, 50, false},
        {"calibrate", calibrate, 100, false},
        {"make a suite", make_suite, 100, false},
        {"parse a suite", parse_suite, 20, true},
    };
    allocations_fail_each(rows, ARRAY_LEN(rows));
}

static void read_text(const char *name, struct buf *out)
{
    char path[4096];
    struct err err = {0};

    assert_true((size_t)snprintf(path, sizeof(path), "%s/%s", TEST_DATA, name) < sizeof(path));
    buf_init(out, MAX_FILE_BYTES);
    if (file_read(path, out, &err))
        fail_msg("%s", err.text);
}

static void read_result(const char *name, struct tt_result *out)
{
    struct buf text;
    struct err err = {0};

    read_text(name, &text);
    if (tt_result_parse(name, text.data, text.size_bytes, out, &err))
        fail_msg("%s", err.text);
    buf_fini(&text);
}

static int set_up(void **state)
{
    (void)state;
    struct err err = {0};

    json_set_alloc_funcs(allocations_malloc, allocations_free);
    read_text("compare/head-base.json", &input.now_text);
    read_text("compare/history.json", &input.history_text);
    read_result("compare/head-base.json", &input.now);
    read_result("compare/before.json", &input.before);
    read_result("compare/other-cpu.json", &input.other_cpu);
    read_result("compare/odd.json", &input.odd);
    read_result("compare/odd-before.json", &input.odd_before);
    int ret = tt_history_parse("history", input.history_text.data, input.history_text.size_bytes,
                               &input.history, &err);
    return ret ? ret : compare_with(&input.odd, &input.odd_before, &comparison);
}

static int tear_down(void **state)
{
    (void)state;
    tt_comparison_fini(&comparison);
    tt_history_fini(&input.history);
    tt_result_fini(&input.now);
    tt_result_fini(&input.before);
    tt_result_fini(&input.other_cpu);
    tt_result_fini(&input.odd);
    tt_result_fini(&input.odd_before);
    buf_fini(&input.now_text);
    buf_fini(&input.history_text);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
