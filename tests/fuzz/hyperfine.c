/* SPDX-License-Identifier: MIT */
/* What hyperfine wrote, or somebody in its name: one run's time, and tables that are imported. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "gfm.h"
#include "harness/engine.h"
#include "harness/result.h"
#include "harness/speed.h"

#define MAX_TEXT_BYTES (64u << 20)

static void check_timing(const uint8_t *data, size_t size_bytes)
{
    struct tt_timing timing;
    struct err err;
    if (tt_engine_parse_hyperfine(data, size_bytes, &timing, &err))
        return;
    FUZZ_CHECK(timing.wall_ns <= TT_RESULT_MAX_SAMPLE_NS, "longer than a day");
    FUZZ_CHECK(timing.exit_code >= 0 && timing.exit_code <= 255, "no exit code");
}

static void check_numbers(const struct tt_speed_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct tt_speed_group *group = &table->groups[i];
        for (size_t k = 0; k < group->count; k++) {
            const struct tt_speed *speed = &group->speeds[k];
            FUZZ_CHECK(isfinite(speed->mean) && isfinite(speed->min) && isfinite(speed->max),
                       "a time that is no number");
        }
    }
}

/* @return what is written of it; the caller's; NULL when it is refused */
static char *rewrite(const void *data, size_t size_bytes, struct tt_speed_table *table)
{
    struct err err = {0};
    char *text = NULL;
    int ret = tt_speed_parse("the table", data, size_bytes, table, &err);
    FUZZ_CHECK(!ret == !err.code, "a failure without words");
    if (!ret) {
        check_numbers(table);
        FUZZ_CHECK(!tt_speed_format(table, &text, &err), "what was read cannot be written");
    }
    return text;
}

static void show(const struct tt_speed_table *table)
{
    struct buf text;
    buf_init(&text, MAX_TEXT_BYTES);
    FUZZ_CHECK(!tt_show_speed(table, false, &text), "no table");
    buf_clear(&text);
    FUZZ_CHECK(!tt_show_speed(table, true, &text), "no Markdown");
    if (text.data)
        gfm_check_document(text.data, text.size_bytes, NULL);
    buf_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    struct tt_speed_table table = {0}, again = {0};
    check_timing(data, size_bytes);
    char *first = rewrite(data, size_bytes, &table);
    if (first) {
        char *second = rewrite(first, strlen(first), &again);
        FUZZ_CHECK(second, "what was written is refused");
        FUZZ_CHECK(!strcmp(first, second), "not the same when written again");
        show(&table);
        free(second);
    }
    free(first);
    tt_speed_table_fini(&table);
    tt_speed_table_fini(&again);
    return 0;
}
