/* SPDX-License-Identifier: MIT */
/* What hyperfine's versions write, and what they must not make us believe. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "common/compiler.h"
#include "harness/engine.h"

static void reads_every_version(void **state)
{
    static const struct {
        const char *text;
        uint64_t ns;
        int exit_code;
    } rows[] = {
        /* 1.15 to 1.19: stddev is null for one run */
        {"{\"results\":[{\"command\":\"x\",\"mean\":0.006682157,\"stddev\":null,"
         "\"times\":[0.006682157],\"exit_codes\":[7]}]}",
         6682157, 7},
        /* 1.20 */
        {"{\"results\":[{\"times\":[1.5],\"exit_codes\":[137],\"memory_usage_byte\":[123]}]}",
         1500000000, 137},
        /* a whole number of seconds, and a clock that was too coarse */
        {"{\"results\":[{\"times\":[2],\"exit_codes\":[0]}]}", 2000000000, 0},
        {"{\"results\":[{\"times\":[0.0],\"exit_codes\":[0]}]}", 0, 0},
        {"{\"results\":[{\"times\":[1.9999999999e-3],\"exit_codes\":[0]}]}", 2000000, 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct tt_timing timing;
        assert_int_equal(
            tt_engine_parse_hyperfine(rows[i].text, strlen(rows[i].text), &timing, NULL), 0);
        assert_int_equal(timing.wall_ns, rows[i].ns);
        assert_int_equal(timing.exit_code, rows[i].exit_code);
    }
}

static void refuses_the_rest(void **state)
{
    static const char *const rows[] = {
        "", /* what a failing hyperfine leaves */
        "{",
        "[]",
        "{\"results\":[]}",
        "{\"results\":{}}",
        "{\"results\":[{\"times\":[1],\"exit_codes\":[0]},{\"times\":[1],\"exit_codes\":[0]}]}",
        "{\"results\":[{\"times\":[],\"exit_codes\":[]}]}",
        "{\"results\":[{\"times\":[1,2],\"exit_codes\":[0,0]}]}",
        "{\"results\":[{\"times\":[1]}]}",
        "{\"results\":[{\"times\":[\"1\"],\"exit_codes\":[0]}]}",
        "{\"results\":[{\"times\":[-1],\"exit_codes\":[0]}]}",
        "{\"results\":[{\"times\":[86401],\"exit_codes\":[0]}]}",
        "{\"results\":[{\"times\":[1e400],\"exit_codes\":[0]}]}",
        "{\"results\":[{\"times\":[1],\"exit_codes\":[null]}]}",
        "{\"results\":[{\"times\":[1],\"exit_codes\":[256]}]}",
        "{\"results\":[{\"times\":[1],\"exit_codes\":[-1]}]}",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct tt_timing timing = {.wall_ns = 1, .exit_code = 1};
        struct err err = {0};
        int ret = tt_engine_parse_hyperfine(rows[i], strlen(rows[i]), &timing, &err);
        if (ret != -EPROTO || timing.wall_ns || timing.exit_code || !strstr(err.text, "hyperfine"))
            fail_msg("%s gave %d: %s", rows[i], ret, err.text);
    }
}

/* The engine of our own really starts, waits and tells. */
static void builtin_tells_exit_codes(void **state)
{
    static const struct {
        const char *script;
        int exit_code;
    } rows[] = {{"exit 0", 0}, {"exit 7", 7}, {"kill -9 $$", 137}};
    struct tt_engine engine;
    struct tt_timing timing;
    struct err err;

    (void)state;
    assert_int_equal(tt_engine_open_builtin(&engine, &err), 0);
    assert_string_equal(engine.name, "builtin");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const char *const argv[] = {"/bin/sh", "-c", rows[i].script, NULL};
        assert_int_equal(engine.time(&engine, argv, &timing, &err), 0);
        assert_int_equal(timing.exit_code, rows[i].exit_code);
        assert_true(timing.wall_ns > 0);
    }
    const char *const missing[] = {"/nonexistent/program", NULL};
    assert_int_equal(engine.time(&engine, missing, &timing, &err), -ENOENT);
    assert_non_null(strstr(err.text, "/nonexistent/program"));
    tt_engine_close(&engine);
}

/* What hyperfine would end on without a word is said before. */
static void hyperfine_is_not_given_what_it_cannot_take(void **state)
{
    struct tt_engine engine;
    struct tt_timing timing;
    struct err err;

    (void)state;
    int ret = tt_engine_open_hyperfine("/nonexistent", &engine, &err);
    if (ret == -ENOENT)
        skip();
    assert_int_equal(ret, 0);
    const char *const bytes[] = {"/bin/echo", "b\xe4r", NULL};
    assert_int_equal(engine.time(&engine, bytes, &timing, &err), -EILSEQ);
    assert_non_null(strstr(err.text, "--engine builtin"));
    static char longest[140000];
    memset(longest, 'x', sizeof(longest) - 1);
    const char *const large[] = {"/bin/echo", longest, NULL};
    assert_int_equal(engine.time(&engine, large, &timing, &err), -E2BIG);
    /* The export cannot be written: nothing is taken from it. */
    const char *const plain[] = {"/bin/echo", NULL};
    assert_true(engine.time(&engine, plain, &timing, &err) < 0);
    assert_int_equal(timing.wall_ns, 0);
    tt_engine_close(&engine);
    assert_int_equal(tt_engine_open_hyperfine("/b\xe4r", &engine, &err), -EILSEQ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_version),
        cmocka_unit_test(refuses_the_rest),
        cmocka_unit_test(builtin_tells_exit_codes),
        cmocka_unit_test(hyperfine_is_not_given_what_it_cannot_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
