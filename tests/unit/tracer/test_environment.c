/* SPDX-License-Identifier: MIT */
/* The watched command's environment: the user's, and two variables of ours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tracer/linux/environment.h"

#define LIBRARY "/opt/lib/" FT_LIBRARY_NAME

static const struct ft_log_head log_head = {.tracer_pid = 42, .nonce = UINT64_MAX};

static void make(const char *const *envp, const char *library, struct ft_environment *out)
{
    assert_int_equal(
        ft_environment_make((char *const *)(uintptr_t)envp, library, &log_head, 5, 6, out), 0);
}

/** Value of the only entry of this name; NULL when there is none. */
static const char *value(const struct ft_environment *environment, const char *name)
{
    const char *found = NULL;
    size_t length = strlen(name);
    for (char **entry = environment->entries; *entry; entry++) {
        if (strncmp(*entry, name, length) || (*entry)[length] != '=')
            continue;
        assert_null(found);
        found = *entry + length + 1;
    }
    return found;
}

static size_t count(const struct ft_environment *environment)
{
    size_t n = 0;
    while (environment->entries[n])
        n++;
    return n;
}

static void adds_two_variables(void **state)
{
    (void)state;
    const char *const envp[] = {"A=1", "B=", "odd", "=x", NULL};
    struct ft_environment environment;
    make(envp, LIBRARY, &environment);
    for (size_t i = 0; i < 4; i++)
        assert_ptr_equal(environment.entries[i], envp[i]); /* the user's own, in their order */
    assert_int_equal(count(&environment), 6);
    assert_string_equal(value(&environment, "LD_PRELOAD"), LIBRARY);
    assert_string_equal(value(&environment, FT_ENV), "42:5:6:18446744073709551615");
    ft_environment_fini(&environment);
    ft_environment_fini(&environment);
}

static void works_without_any(void **state)
{
    (void)state;
    const char *const envp[] = {NULL};
    struct ft_environment environment;
    make(envp, LIBRARY, &environment);
    assert_int_equal(count(&environment), 2);
    ft_environment_fini(&environment);
    make(envp, NULL, &environment);
    assert_int_equal(count(&environment), 0);
    ft_environment_fini(&environment);
}

static void stands_before_the_users_own(void **state)
{
    (void)state;
    static const struct {
        const char *users, *expected;
    } cases[] = {
        {"LD_PRELOAD=/a.so", LIBRARY ":/a.so"},
        {"LD_PRELOAD=/b.so:/a.so", LIBRARY ":/b.so:/a.so"},
        {"LD_PRELOAD=/b.so /a.so", LIBRARY ":/b.so:/a.so"},
        {"LD_PRELOAD=", LIBRARY},
        {"LD_PRELOAD=::/a.so: ", LIBRARY ":/a.so"},
        /* Of an outer filetrace, or of another installation: not twice. */
        {"LD_PRELOAD=" LIBRARY, LIBRARY},
        {"LD_PRELOAD=/a.so:/else/" FT_LIBRARY_NAME ":/b.so", LIBRARY ":/a.so:/b.so"},
        {"LD_PRELOAD=" FT_LIBRARY_NAME, LIBRARY},
        {"LD_PRELOAD=/my-" FT_LIBRARY_NAME, LIBRARY ":/my-" FT_LIBRARY_NAME},
        {"LD_PRELOAD=/" FT_LIBRARY_NAME ".1", LIBRARY ":/" FT_LIBRARY_NAME ".1"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *const envp[] = {"A=1", cases[i].users, "LD_PRELOADED=no", NULL};
        struct ft_environment environment;
        make(envp, LIBRARY, &environment);
        assert_string_equal(value(&environment, "LD_PRELOAD"), cases[i].expected);
        assert_string_equal(value(&environment, "LD_PRELOADED"), "no");
        ft_environment_fini(&environment);
    }
}

static void is_taken_out_where_it_does_not_help(void **state)
{
    (void)state;
    const char *const envp[] = {FT_ENV "=1:2:3:4", "LD_PRELOAD=/a.so:" LIBRARY ":/b.so", "A=1",
                                NULL};
    const char *const only_ours[] = {"LD_PRELOAD=" LIBRARY, NULL};
    struct ft_environment environment;
    make(envp, NULL, &environment);
    assert_string_equal(value(&environment, "LD_PRELOAD"), "/a.so:/b.so");
    assert_null(value(&environment, FT_ENV));
    assert_string_equal(value(&environment, "A"), "1");
    ft_environment_fini(&environment);
    make(only_ours, NULL, &environment);
    assert_int_equal(count(&environment), 0);
    ft_environment_fini(&environment);
}

static void replaces_the_outer_tracers(void **state)
{
    (void)state;
    const char *const envp[] = {FT_ENV "=1:2:3:4", FT_ENV "=again", FT_ENV "X=kept", NULL};
    struct ft_environment environment;
    make(envp, LIBRARY, &environment);
    assert_string_equal(value(&environment, FT_ENV), "42:5:6:18446744073709551615");
    assert_string_equal(value(&environment, FT_ENV "X"), "kept");
    ft_environment_fini(&environment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_two_variables),
        cmocka_unit_test(works_without_any),
        cmocka_unit_test(stands_before_the_users_own),
        cmocka_unit_test(is_taken_out_where_it_does_not_help),
        cmocka_unit_test(replaces_the_outer_tracers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
