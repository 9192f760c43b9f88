/* SPDX-License-Identifier: MIT */
/* Texts about the machine, and the line of progress. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/compiler.h"
#include "harness/platform.h"
#include "harness/progress.h"

static void cleans_texts(void **state)
{
    static const struct {
        const char *in, *out;
    } rows[] = {
        {"AMD EPYC", "AMD EPYC"},
        {"  a \t\n b  ", "a b"},
        {"", "unknown"},
        {" \n ", "unknown"},
        {"\033[31mred", "[31mred"},
        {"caf\xc3\xa9", "caf\xc3\xa9"},
        {"bad \xff\xfe", "bad ?"
                         "?"},
        {"\x7f\x01x", "x"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char *out = tt_platform_clean(rows[i].in);
        assert_string_equal(out, rows[i].out);
        free(out);
    }
    char longest[1000];
    memset(longest, 'x', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    char *out = tt_platform_clean(longest);
    assert_int_equal(strlen(out), TT_RESULT_MAX_STRING_BYTES);
    free(out);
}

/* One machine must have one name, whatever its frequency reads now. */
static void cuts_frequencies(void **state)
{
    static const struct {
        const char *in, *out;
    } rows[] = {
        {"AMD EPYC 9V74 80-Core Processor", "AMD EPYC 9V74 80-Core Processor"},
        {"Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz", "Intel(R) Xeon(R) Platinum 8370C CPU"},
        {"Some CPU 2593.9 MHz", "Some CPU"},
        {"Some CPU 2594.1 MHz rev 2", "Some CPU rev 2"},
        {"GHz", "GHz"},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char text[100];
        (void)snprintf(text, sizeof(text), "%s", rows[i].in);
        tt_platform_cut_frequency(text);
        assert_string_equal(text, rows[i].out);
    }
}

static void knows_this_machine(void **state)
{
    struct tt_result result = {0};

    (void)state;
    assert_int_equal(tt_platform_fill(&result, NULL), 0);
    assert_int_equal(strncmp(result.platform.id, "linux-", 6), 0);
    assert_string_equal(result.platform.os, "Linux");
    assert_true(result.platform.cores >= 1);
    assert_null(strstr(result.platform.cpu, "Hz"));
    tt_result_fini(&result);
}

static void shows_progress(void **state)
{
    struct tt_run_state run = {.target = "dynamic",
                               .operation = "open-close",
                               .target_number = 1,
                               .targets_count = 4,
                               .phase = "round",
                               .done = 30,
                               .total = 120,
                               .seconds_left = 2.2};
    struct buf line;

    (void)state;
    buf_init(&line, 1000);
    assert_int_equal(tt_progress_line(&run, 0, &line), 0);
    assert_string_equal(line.data, "1/4 dynamic open-close: round 30 of 120, 3 s left");
    buf_clear(&line);
    assert_int_equal(tt_progress_line(&run, 79, &line), 0);
    assert_string_equal(line.data,
                        "1/4 dynamic open-close: [#####---------------] round 30 of 120, "
                        "3 s left");
    buf_clear(&line);
    assert_int_equal(tt_progress_line(&run, 20, &line), 0);
    assert_int_equal(line.size_bytes, 20);
    buf_clear(&line);
    run.total = 0;
    run.phase = "prepare";
    assert_int_equal(tt_progress_line(&run, 79, &line), 0);
    assert_string_equal(line.data, "1/4 dynamic open-close: prepare");
    buf_fini(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cleans_texts),
        cmocka_unit_test(cuts_frequencies),
        cmocka_unit_test(knows_this_machine),
        cmocka_unit_test(shows_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
