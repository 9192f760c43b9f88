/* SPDX-License-Identifier: MIT */
/* A history from a stranger: refused, or the same after it was written, and sound to learn from. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "harness/history.h"

#define TREND_POINTS 20

static char *rewrite(const char *data, size_t size_bytes, struct tt_history *out)
{
    struct err err = {0};
    char *text = NULL;
    int ret = tt_history_parse("the history", data, size_bytes, out, &err);
    FUZZ_CHECK(!ret == !err.code, "a failure without words");
    if (ret)
        return NULL;
    FUZZ_CHECK(!tt_history_format(out, &text, &err), "what was read cannot be written");
    return text;
}

static void learn(const struct tt_history *history)
{
    for (size_t i = 0; i < history->rows_count; i++) {
        const struct tt_history_row *row = &history->rows[i];
        for (size_t k = 0; k < row->cells_count && k < 4; k++) {
            struct tt_trend_point points[TREND_POINTS];
            struct tt_spread spread;
            const struct tt_history_cell *cell = &row->cells[k];
            FUZZ_CHECK(!tt_history_spread(history, &row->environment, cell->name, cell->operation,
                                          &spread),
                       "no spread");
            FUZZ_CHECK(isfinite(spread.tau) && spread.tau >= 0, "a spread that is no number");
            FUZZ_CHECK(tt_history_trend(history, &row->environment, cell->name, cell->operation,
                                        TREND_POINTS, points) <= TREND_POINTS,
                       "more points than there is room");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    struct tt_history history, again;
    char *first = rewrite((const char *)data, size_bytes, &history);
    if (first) {
        learn(&history);
        char *second = rewrite(first, strlen(first), &again);
        FUZZ_CHECK(second, "what was written is refused");
        FUZZ_CHECK(!strcmp(first, second), "not the same when written again");
        tt_history_fini(&again);
        free(second);
    }
    tt_history_fini(&history);
    free(first);
    return 0;
}
