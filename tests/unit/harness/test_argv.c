/* SPDX-License-Identifier: MIT */
/* Placeholders and quoting. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "harness/argv.h"

static const char *const command[] = {"/a b/it's", "", "{trace}", NULL};
static const struct tt_argv_values values = {
    .bin = "/bin", .dir = "/w/d", .trace = "/w/t", .command = command};

static void expands(void **state)
{
    const char *const template[] = {"{bin}/x", "-o{trace}:{dir}", "{command}", "{tracker}", "{}",
                                    NULL};
    static const char *const expected[] = {"/bin/x",  "-o/w/t:/w/d", "/a b/it's", "",
                                           "{trace}", "{tracker}",   "{}",        NULL};
    char **argv;

    (void)state;
    assert_int_equal(tt_argv_expand(template, &values, &argv), 0);
    assert_int_equal(tt_argv_count(tt_argv_view(argv)), 7);
    for (size_t i = 0; expected[i]; i++)
        assert_string_equal(argv[i], expected[i]);
    tt_argv_free(argv);
}

static void has_limits(void **state)
{
    char *longest = malloc(TT_ARGV_MAX_ARGUMENT_BYTES + 2);
    char **argv;

    (void)state;
    assert_non_null(longest);
    memset(longest, 'x', TT_ARGV_MAX_ARGUMENT_BYTES + 1);
    longest[TT_ARGV_MAX_ARGUMENT_BYTES + 1] = '\0';
    const char *const one[] = {longest, NULL};
    assert_int_equal(tt_argv_expand(one, &values, &argv), -E2BIG);
    assert_null(argv);
    longest[TT_ARGV_MAX_ARGUMENT_BYTES] = '\0';
    assert_int_equal(tt_argv_expand(one, &values, &argv), 0);
    tt_argv_free(argv);
    free(longest);

    const char **many = calloc(TT_ARGV_MAX_COUNT + 2, sizeof(*many));
    assert_non_null(many);
    for (size_t i = 0; i <= TT_ARGV_MAX_COUNT; i++)
        many[i] = "x";
    assert_int_equal(tt_argv_expand(many, &values, &argv), -E2BIG);
    free(many);

    const char *const none[] = {NULL};
    assert_int_equal(tt_argv_expand(none, &values, &argv), -EINVAL);
}

static void quotes(void **state)
{
    const char *const argv[] = {"plain-1.0", "", "it's", "a b", "$x\n", NULL};
    struct buf out;

    (void)state;
    buf_init(&out, 1000);
    assert_int_equal(tt_argv_quote(argv, &out), 0);
    assert_string_equal(out.data, "plain-1.0 '' 'it'\\''s' 'a b' '$x\n'");
    buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expands),
        cmocka_unit_test(has_limits),
        cmocka_unit_test(quotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
