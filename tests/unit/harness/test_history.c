/* SPDX-License-Identifier: MIT */
/* The history: extended, read back, refused when it is not ours, and what is learned from it. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/buf.h"
#include "harness/history.h"

#define assert_near(got, wanted, within) assert_true(fabs((got) - (wanted)) <= (within))

/** A result of one target, in one round of 10 ms and @ratio times 10 ms. */
struct fixture {
    char created_at[32], platform[65];
    uint64_t untracked, tracked;
    struct tt_target target;
    struct tt_result result;
};

static void make(struct fixture *f, unsigned run, double ratio)
{
    *f = (struct fixture){.untracked = 10000000, .tracked = (uint64_t)(1e7 * ratio)};
    (void)snprintf(f->created_at, sizeof(f->created_at), "2026-%02u-%02uT%02u:00:00Z",
                   1 + run / 600 % 12, 1 + run / 24 % 25, run % 24);
    (void)snprintf(f->platform, sizeof(f->platform), "linux-x86_64");
    f->target = (struct tt_target){.name = (char *)"dynamic", .operation = (char *)"open-close"};
    f->target.arm[TT_ARM_UNTRACKED] = (struct tt_samples){&f->untracked, 1};
    f->target.arm[TT_ARM_TRACKED] = (struct tt_samples){&f->tracked, 1};
    f->result = (struct tt_result){.created_at = f->created_at,
                                   .platform = {.id = f->platform,
                                                .image = (char *)"Debian",
                                                .kernel = (char *)"6.18.44",
                                                .cpu = (char *)"AMD EPYC",
                                                .cores = 4},
                                   .ci = {(char *)"github", 1000 + run, 1},
                                   .suite = {.name = (char *)"default", .version = (char *)"1"},
                                   .engine = {(char *)"hyperfine", (char *)"1.15.0"},
                                   .targets = &f->target,
                                   .targets_count = 1};
}

static void extend(struct tt_history *history, unsigned run, double ratio)
{
    struct fixture f;
    make(&f, run, ratio);
    assert_int_equal(tt_history_extend(history, &f.result, NULL), 0);
}

static struct tt_spread spread_of(const struct tt_history *history, const char *name)
{
    struct fixture f;
    struct tt_environment environment;
    struct tt_spread out;
    make(&f, 0, 1);
    assert_int_equal(tt_environment_init(&f.result, &environment), 0);
    assert_int_equal(tt_history_spread(history, &environment, name, "open-close", &out), 0);
    tt_environment_fini(&environment);
    return out;
}

static void spread_needs_eight_results(void **state)
{
    (void)state;
    struct tt_history history = {0};
    for (unsigned run = 0; run < 7; run++)
        extend(&history, run, run % 2 ? 1.44 : 1.40);
    assert_false(spread_of(&history, "dynamic").calibrated);
    assert_near(spread_of(&history, "dynamic").tau, 0.03, 0);
    extend(&history, 7, 1.44);
    struct tt_spread spread = spread_of(&history, "dynamic");
    assert_true(spread.calibrated);
    assert_int_equal(spread.results, 8);
    assert_near(spread.tau, log(1.44 / 1.40) / 0.67449 / sqrt(2.0), 1e-4);
    assert_false(spread_of(&history, "static").calibrated);
    assert_false(spread_of(NULL, "dynamic").calibrated);

    /* Copies of one run teach nothing. */
    struct tt_history copies = {0};
    for (unsigned run = 0; run < 12; run++)
        extend(&copies, run, 1.4);
    assert_false(spread_of(&copies, "dynamic").calibrated);
    tt_history_fini(&copies);

    /* Results of another CPU teach nothing about this one. */
    for (size_t i = 0; i < history.rows_count; i++)
        history.rows[i].environment.cpu[0] = 'X';
    assert_false(spread_of(&history, "dynamic").calibrated);
    tt_history_fini(&history);
}

static void a_run_counts_once(void **state)
{
    (void)state;
    struct tt_history history = {0};
    extend(&history, 5, 1.4);
    extend(&history, 3, 1.5); /* late */
    extend(&history, 5, 1.6); /* run again */
    assert_int_equal(history.rows_count, 2);
    assert_near(history.rows[0].cells[0].overhead_ratio, 1.5, 1e-6);
    assert_near(history.rows[1].cells[0].overhead_ratio, 1.6, 1e-6);

    /* A part of that run, measured on another machine, stands beside it. */
    struct fixture f;
    make(&f, 5, 1.7);
    f.result.platform.cpu = (char *)"AMD EPYC 7763";
    assert_int_equal(tt_history_extend(&history, &f.result, NULL), 0);
    assert_int_equal(history.rows_count, 3);

    make(&f, 9, 1.4);
    f.target.void_reason = (char *)"x";
    assert_int_equal(tt_history_extend(&history, &f.result, NULL), 0);
    assert_int_equal(history.rows_count, 3);
    tt_history_fini(&history);
}

static void two_hundred_rows_a_platform(void **state)
{
    (void)state;
    struct tt_history history = {0};
    for (unsigned run = 0; run < 210; run++)
        extend(&history, run, 1.4 + run * 0.001);
    assert_int_equal(history.rows_count, TT_HISTORY_MAX_ROWS);
    assert_int_equal(history.rows[0].run_id, 1010);

    struct fixture f;
    make(&f, 0, 1.4);
    (void)snprintf(f.platform, sizeof(f.platform), "macos-arm64");
    assert_int_equal(tt_history_extend(&history, &f.result, NULL), 0);
    assert_int_equal(history.rows_count, TT_HISTORY_MAX_ROWS + 1);
    for (int i = 2; i < TT_HISTORY_MAX_PLATFORMS; i++) {
        (void)snprintf(f.platform, sizeof(f.platform), "p%d", i);
        assert_int_equal(tt_history_extend(&history, &f.result, NULL), 0);
    }
    (void)snprintf(f.platform, sizeof(f.platform), "one-more");
    struct err err = {0};
    assert_int_equal(tt_history_extend(&history, &f.result, &err), -EFBIG);
    assert_non_null(strstr(err.text, "64 platforms"));

    /* The newest twelve, the oldest of them first. */
    struct tt_trend_point points[12];
    size_t count = tt_history_trend(&history, &history.rows[TT_HISTORY_MAX_ROWS - 1].environment,
                                    "dynamic", "open-close", 12, points);
    assert_int_equal(count, 12);
    for (size_t i = 1; i < count; i++)
        assert_true(points[i].overhead_ratio > points[i - 1].overhead_ratio);
    tt_history_fini(&history);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    struct tt_history history = {0};
    struct tt_history again;
    char *text;
    char *text_again;
    struct err err = {0};

    assert_int_equal(tt_history_format(&history, &text, &err), 0);
    assert_int_equal(tt_history_parse("x", text, strlen(text), &again, &err), 0);
    assert_int_equal(again.rows_count, 0);
    free(text);

    for (unsigned run = 0; run < 30; run++)
        extend(&history, run, 1.4 + run / 7.0);
    history.rows[0].cells[0].low = 1.39;
    history.rows[0].cells[0].high = 1.41;
    assert_int_equal(tt_history_format(&history, &text, &err), 0);
    assert_int_equal(tt_history_parse("x", text, strlen(text), &again, &err), 0);
    assert_int_equal(again.rows_count, 30);
    assert_near(again.rows[0].cells[0].low, 1.39, 1e-9);
    assert_string_equal(again.rows[29].environment.kernel, "6.18");
    assert_int_equal(tt_history_format(&again, &text_again, &err), 0);
    assert_string_equal(text, text_again);

    /* Any cut of it is refused, and frees what it took. */
    for (size_t size = 0; size + 2 < strlen(text); size += 37) {
        struct tt_history cut;
        assert_int_equal(tt_history_parse("x", text, size, &cut, &err), -EPROTO);
        assert_null(cut.rows);
    }
    free(text);
    free(text_again);
    tt_history_fini(&again);
    tt_history_fini(&history);
}

#define ROW                                                                                        \
    "{\"created_at\":\"2026-11-30T15:30:00Z\",\"run_id\":1,\"cpu\":\"c\",\"cores\":4,"             \
    "\"image\":\"i\",\"kernel\":\"6.18\",\"engine\":\"e\",\"workload\":\"w\",\"targets\":["        \
    "{\"name\":\"n\",\"operation\":\"o\",\"overhead_ratio\":1.4,\"low\":1.3,\"high\":1.5}]}"
#define HEAD "{\"schema\":\"tracetax.history/1\",\"platforms\":{\"linux-x86_64\":["
#define TAIL "]}}"

static void hostile_input_is_refused(void **state)
{
    (void)state;
    static const char good[] = HEAD ROW TAIL;
    static const struct {
        const char *from, *to;
        int ret;
    } rows[] = {
        {"", "", 0},
        {"history/1", "history/2", -ENOTSUP},
        {"history/1", "history/0", -EPROTO},
        {"history/1", "history/x", -EPROTO},
        {"tracetax.history", "tracetax.result", -EPROTO},
        {"linux-x86_64", "../linux", -EPROTO},
        {"linux-x86_64", "", -EPROTO},
        {"2026-11-30T15", "2026-11-30 15", -EPROTO},
        {"\"cores\":4", "\"cores\":0", -EPROTO},
        {"\"cores\":4", "\"cores\":4.5", -EPROTO},
        {"\"run_id\":1", "\"run_id\":-1", -EPROTO},
        {"\"run_id\":1", "\"run_id\":1,\"run_id\":2", -EPROTO},
        {"\"cpu\":\"c\"", "\"cpu\":\"\\u001b[31m\"", -EPROTO},
        {"\"cpu\":\"c\"", "\"cpu\":null", -EPROTO},
        {"1.4,", "0,", -EPROTO},
        {"1.4,", "1e999,", -EPROTO},
        {"1.4,", "NaN,", -EPROTO},
        {"1.4,", "2.4,", -EPROTO},
        {"1.4,", "\"1.4\",", -EPROTO},
        {"\"low\":1.3,", "\"low\":null,", -EPROTO},
        {"\"run_id\"", "\"commit\":\"../x\",\"run_id\"", -EPROTO},
        {"\"run_id\"", "\"later\":[],\"run_id\"", 0},
        {ROW, ROW ",3", -EPROTO},
        {"]}}", "]}}x", -EPROTO},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const char *at = strstr(good, rows[i].from);
        struct buf text;
        struct tt_history out;
        struct err err = {0};
        assert_non_null(at);
        buf_init(&text, 65536);
        buf_append(&text, good, (size_t)(at - good));
        buf_puts(&text, rows[i].to);
        buf_puts(&text, at + strlen(rows[i].from));
        assert_int_equal(tt_history_parse("h.json", text.data, text.size_bytes, &out, &err),
                         rows[i].ret);
        assert_true(!rows[i].ret == !err.text[0]);
        tt_history_fini(&out);
        buf_fini(&text);
    }

    struct buf many;
    struct tt_history out;
    buf_init(&many, 1u << 20);
    buf_puts(&many, HEAD ROW);
    for (int i = 0; i < TT_HISTORY_MAX_ROWS; i++)
        buf_puts(&many, "," ROW);
    buf_puts(&many, TAIL);
    assert_int_equal(tt_history_parse("x", many.data, many.size_bytes, &out, NULL), -EPROTO);
    buf_fini(&many);
}

static void cpu_names_lose_readings_only(void **state)
{
    (void)state;
    static const struct {
        const char *cpu, *key;
    } rows[] = {
        {"AMD EPYC 9V74", "AMD EPYC 9V74"},
        {"AMD EPYC 9V74 2593.9 MHz", "AMD EPYC 9V74"},
        {"AMD EPYC 9V74, 2594.1MHz", "AMD EPYC 9V74"},
        {"  AMD   EPYC  ", "AMD EPYC"},
        {"Intel(R) Xeon(R) CPU @ 2.60GHz", "Intel(R) Xeon(R) CPU @ 2.60GHz"},
        {"X5 2600 MHz Turbo", "X5 Turbo"},
        {"2593.9 MHz", "unknown"},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct fixture f;
        struct tt_environment environment;
        make(&f, 0, 1);
        f.result.platform.cpu = (char *)rows[i].cpu;
        assert_int_equal(tt_environment_init(&f.result, &environment), 0);
        assert_string_equal(environment.cpu, rows[i].key);
        tt_environment_fini(&environment);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spread_needs_eight_results),
        cmocka_unit_test(a_run_counts_once),
        cmocka_unit_test(two_hundred_rows_a_platform),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(hostile_input_is_refused),
        cmocka_unit_test(cpu_names_lose_readings_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
