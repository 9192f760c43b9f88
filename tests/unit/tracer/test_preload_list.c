/* SPDX-License-Identifier: MIT */
/* Environments for exec and the search along PATH, as the injected libraries make them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "pages.h"

static const struct ft_preload_variables linux_variables = {
    .libraries = "LD_PRELOAD=",
    .separators = ": ",
    .library = "/opt/our.so",
    .attach = "FILETRACE=1:2:3:4",
};

static const struct ft_preload_variables macos_variables = {
    .libraries = "DYLD_INSERT_LIBRARIES=",
    .separators = ":",
    .library = "/opt/our own.dylib",
    .attach = "FILETRACE=1:5:0:0:/tmp/log",
};

/** Edit @before and see that it is @after, both NULL-terminated. */
static void expect_edited(const struct ft_preload_variables *variables, bool watched,
                          const char *const *before, const char *const *after)
{
    struct ft_preload_env env;
    size_t i = 0;
    ft_preload_env_edit(&env, (char *const *)(uintptr_t)before, watched, variables);
    for (; after[i]; i++) {
        assert_non_null(env.entries[i]);
        assert_string_equal(env.entries[i], after[i]);
    }
    assert_null(env.entries[i]);
    ft_preload_env_fini(&env);
    assert_int_equal(pages_held, 0);
}

#define LIST(...)                                                                                  \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define EMPTY                                                                                      \
    (const char *const[])                                                                          \
    {                                                                                              \
        NULL                                                                                       \
    }

static void adds_both_variables(void **state)
{
    (void)state;
    expect_edited(&macos_variables, true, EMPTY,
                  LIST("DYLD_INSERT_LIBRARIES=/opt/our own.dylib", macos_variables.attach));
    expect_edited(&linux_variables, true, LIST("A=b", "LD_PRELOAD="),
                  LIST("A=b", "LD_PRELOAD=/opt/our.so", linux_variables.attach));
}

static void keeps_libraries_of_others(void **state)
{
    (void)state;
    expect_edited(&macos_variables, true, LIST("DYLD_INSERT_LIBRARIES=/a b.dylib:/c.dylib", "A=b"),
                  LIST("A=b", "DYLD_INSERT_LIBRARIES=/opt/our own.dylib:/a b.dylib:/c.dylib",
                       macos_variables.attach));
    expect_edited(&macos_variables, false,
                  LIST("DYLD_INSERT_LIBRARIES=/a b.dylib:/opt/our own.dylib:/c.dylib", "A=b"),
                  LIST("A=b", "DYLD_INSERT_LIBRARIES=/a b.dylib:/c.dylib"));
    expect_edited(&linux_variables, true, LIST("LD_PRELOAD=/a.so /c.so"),
                  LIST("LD_PRELOAD=/opt/our.so:/a.so:/c.so", linux_variables.attach));
    /* Where it stands already it is not put there twice, and its place is kept. */
    expect_edited(&linux_variables, true, LIST("LD_PRELOAD=/a.so:/opt/our.so", "FILETRACE=old"),
                  LIST("LD_PRELOAD=/a.so:/opt/our.so", linux_variables.attach));
}

static void takes_both_away(void **state)
{
    (void)state;
    expect_edited(&macos_variables, false,
                  LIST("DYLD_INSERT_LIBRARIES=/opt/our own.dylib", "A=b", "FILETRACE=x"),
                  LIST("A=b"));
    expect_edited(&macos_variables, false, LIST("A=b", "FILETRACE=x"), LIST("A=b"));
}

/** One that is right is passed on itself. */
static void leaves_what_is_right(void **state)
{
    const char *const right[] = {"DYLD_INSERT_LIBRARIES=/x:/opt/our own.dylib",
                                 macos_variables.attach, "A=b", NULL};
    const char *const without[] = {"DYLD_INSERT_LIBRARIES=/x", "FILETRACED=no", NULL};
    struct ft_preload_env env;
    (void)state;
    ft_preload_env_edit(&env, (char *const *)(uintptr_t)right, true, &macos_variables);
    assert_ptr_equal(env.entries, right);
    ft_preload_env_fini(&env);
    ft_preload_env_edit(&env, (char *const *)(uintptr_t)without, false, &macos_variables);
    assert_ptr_equal(env.entries, without);
    ft_preload_env_fini(&env);
}

static void takes_long_environments(void **state)
{
    char texts[300][16];
    const char *before[301], *after[303];
    (void)state;
    for (size_t i = 0; i < 300; i++) {
        (void)snprintf(texts[i], sizeof(texts[i]), "V%zu=x", i);
        before[i] = after[i] = texts[i];
    }
    before[300] = NULL;
    after[300] = "DYLD_INSERT_LIBRARIES=/opt/our own.dylib";
    after[301] = macos_variables.attach;
    after[302] = NULL;
    expect_edited(&macos_variables, true, before, after);
    pages_denied = true; /* without memory: as it was */
    expect_edited(&macos_variables, true, before, before);
    pages_denied = false;
}

static void searches_along_a_path(void **state)
{
    const char *folders = "/bin::/usr/local/b:", *too_long = "/12345678:/a";
    char out[16];
    (void)state;
    assert_true(ft_search_next_in(&folders, "sh", out, sizeof(out)));
    assert_string_equal(out, "/bin/sh");
    assert_true(ft_search_next_in(&folders, "sh", out, sizeof(out)));
    assert_string_equal(out, "sh"); /* an empty name is the working folder */
    assert_true(ft_search_next_in(&folders, "x", out, sizeof(out)));
    assert_string_equal(out, "/usr/local/b/x");
    assert_true(ft_search_next_in(&folders, "x", out, sizeof(out)));
    assert_string_equal(out, "x");
    assert_false(ft_search_next_in(&folders, "x", out, sizeof(out)));
    assert_true(ft_search_next_in(&too_long, "1234567", out, sizeof(out)));
    assert_string_equal(out, "/a/1234567");
}

static void puts_texts_and_numbers(void **state)
{
    char out[8];
    (void)state;
    assert_int_equal(ft_put_number(out, 0, sizeof(out), 0), 1);
    assert_string_equal(out, "0");
    assert_int_equal(ft_put_text(out, 1, sizeof(out), "abc"), 4);
    assert_int_equal(ft_put_number(out, 4, sizeof(out), UINT64_MAX), 7); /* cut where it must be */
    assert_string_equal(out, "0abc184");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_both_variables),     cmocka_unit_test(keeps_libraries_of_others),
        cmocka_unit_test(takes_both_away),         cmocka_unit_test(leaves_what_is_right),
        cmocka_unit_test(takes_long_environments), cmocka_unit_test(searches_along_a_path),
        cmocka_unit_test(puts_texts_and_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
