/* SPDX-License-Identifier: MIT */
/* What is executed on macOS in the place of what was asked for, with files that are stood in for;
 * and our variable. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "common/compiler.h"
#include "pages.h"
#include "tracer/macos/attach.h"
#include "tracer/macos/plan.h"

/** A file of the world that the plans are made in. */
struct known {
    const char *path, *head;
    enum ft_reason reason;
    int error;
};

static const struct known world[] = {
    {"/opt/prog", "\xcf\xfa\xed\xfe", FT_REASON_NONE, 0},
    {"/bin/sh", "\xca\xfe\xba\xbe", FT_REASON_PROTECTED, 0},
    {"/bin/bash", "\xca\xfe\xba\xbe", FT_REASON_PROTECTED, 0},
    {"/bin/zsh", "\xca\xfe\xba\xbe", FT_REASON_PROTECTED, 0},
    {"/usr/bin/env", "\xca\xfe\xba\xbe", FT_REASON_PROTECTED, 0},
    {"/usr/bin/perl", "\xca\xfe\xba\xbe", FT_REASON_PROTECTED, 0},
    {"/opt/bin/bash", "\xcf\xfa\xed\xfe", FT_REASON_NONE, 0},
    {"/opt/bin/python3", "\xcf\xfa\xed\xfe", FT_REASON_NONE, 0},
    {"/opt/bin/closed", "", FT_REASON_NONE, EACCES},
    {"/opt/bin/wrapper", "#!/opt/bin/python3\n", FT_REASON_NOT_ENTERED, 0},
    {"/s/own", "#!/opt/bin/python3 -u\n", FT_REASON_NOT_ENTERED, 0},
    {"/s/sh", "#!/bin/sh -e -x\n", FT_REASON_NOT_ENTERED, 0},
    {"/s/zsh", "#!/bin/zsh\n", FT_REASON_NOT_ENTERED, 0},
    {"/s/env", "#!/usr/bin/env python3 -u\n", FT_REASON_NOT_ENTERED, 0},
    {"/s/env-bash", "#!/usr/bin/env bash\n", FT_REASON_NOT_ENTERED, 0},
    {"/s/env-perl", "#!/usr/bin/env perl\n", FT_REASON_NOT_ENTERED, 0},
    {"/s/env-wrapper", "#!/usr/bin/env wrapper\n", FT_REASON_NOT_ENTERED, 0},
    {"/s/env-nothing", "#!/usr/bin/env nothing\n", FT_REASON_NOT_ENTERED, 0},
    {"/s/env-path", "#!/usr/bin/env /opt/bin/python3\n", FT_REASON_NOT_ENTERED, 0},
    {"/s/missing", "#!/opt/missing\n", FT_REASON_NOT_ENTERED, 0},
    {"/s/text", "echo\n", FT_REASON_NOT_ENTERED, 0},
    {"/x/setuid", "\xcf\xfa\xed\xfe", FT_REASON_SETUID, 0},
    {"/x/unreadable", "", FT_REASON_UNREADABLE, 0},
};

static void look(const struct ft_plan_options *options, const char *path, struct ft_looked *out)
{
    (void)options;
    *out = (struct ft_looked){.error = ENOENT};
    for (size_t i = 0; i < ARRAY_LEN(world); i++) {
        if (strcmp(world[i].path, path) != 0)
            continue;
        out->error = world[i].error;
        out->reason = world[i].reason;
        out->head_bytes = strlen(world[i].head);
        memcpy(out->head, world[i].head, out->head_bytes);
    }
}

static char loaded[256];

static void on_loaded(const char *path, int error)
{
    (void)error;
    (void)strncat(loaded, path, sizeof(loaded) - strlen(loaded) - 1);
    (void)strncat(loaded, " ", sizeof(loaded) - strlen(loaded) - 1);
}

/** Plan "PATH one two" and see what is executed with which arguments, told as one text. */
static void expect_plan(const char *shell, const char *path, enum ft_reason reason,
                        const char *executed, const char *interpreters)
{
    const struct ft_plan_options options = {.shell = shell, .look = look, .loaded = on_loaded};
    char name[] = "name", one[] = "one", two[] = "two", text[512];
    char *argv[] = {name, one, two, NULL};
    struct ft_plan plan;

    loaded[0] = '\0';
    ft_plan_make(&options, path, argv, "/nowhere:/opt/bin:/usr/bin:/bin", &plan);
    uint32_t n = ft_put_text(text, 0, sizeof(text), plan.path);
    for (char *const *arg = plan.argv; *arg; arg++) {
        n = ft_put_text(text, n, sizeof(text), " ");
        n = ft_put_text(text, n, sizeof(text), *arg);
    }
    assert_string_equal(text, executed);
    assert_int_equal(plan.reason, reason);
    assert_string_equal(loaded, interpreters);
    ft_plan_fini(&plan);
    assert_int_equal(pages_held, 0);
}

#define BASH "/opt/bin/bash"

static void leaves_what_can_be_watched(void **state)
{
    (void)state;
    expect_plan("", "/opt/prog", FT_REASON_NONE, "/opt/prog name one two", "");
    expect_plan(BASH, "/opt/prog", FT_REASON_NONE, "/opt/prog name one two", "");
    expect_plan("", "/s/own", FT_REASON_NONE, "/s/own name one two", "/opt/bin/python3 ");
    /* What fails by itself. */
    expect_plan("", "/not/there", FT_REASON_NONE, "/not/there name one two", "");
    expect_plan("", "/opt/bin/closed", FT_REASON_NONE, "/opt/bin/closed name one two", "");
    expect_plan("", "/s/missing", FT_REASON_NONE, "/s/missing name one two", "/opt/missing ");
    expect_plan("", "/s/text", FT_REASON_NONE, "/s/text name one two", "");
}

static void says_what_cannot(void **state)
{
    (void)state;
    expect_plan("", "/x/setuid", FT_REASON_SETUID, "/x/setuid name one two", "");
    expect_plan("", "/x/unreadable", FT_REASON_UNREADABLE, "/x/unreadable name one two", "");
    expect_plan("", "/bin/sh", FT_REASON_PROTECTED, "/bin/sh name one two", "");
    expect_plan(BASH, "/bin/zsh", FT_REASON_PROTECTED, "/bin/zsh name one two", "");
    expect_plan("", "/s/sh", FT_REASON_PROTECTED, "/s/sh name one two", "/bin/sh ");
    expect_plan(BASH, "/s/zsh", FT_REASON_PROTECTED, "/s/zsh name one two", "/bin/zsh ");
}

static void puts_the_users_shell_there(void **state)
{
    (void)state;
    expect_plan(BASH, "/bin/sh", FT_REASON_NONE, BASH " name one two", "");
    expect_plan(BASH, "/bin/bash", FT_REASON_NONE, BASH " name one two", "");
    expect_plan(BASH, "/s/sh", FT_REASON_NONE, BASH " /bin/sh -e -x /s/sh one two", "/bin/sh ");
}

static void does_what_env_does(void **state)
{
    (void)state;
    expect_plan("", "/s/env", FT_REASON_NONE, "/opt/bin/python3 python3 -u /s/env one two",
                "/usr/bin/env /opt/bin/python3 ");
    expect_plan("", "/s/env-path", FT_REASON_NONE,
                "/opt/bin/python3 /opt/bin/python3 /s/env-path one two",
                "/usr/bin/env /opt/bin/python3 ");
    expect_plan("", "/s/env-bash", FT_REASON_NONE, BASH " bash /s/env-bash one two",
                "/usr/bin/env " BASH " ");
    /* What env is left to do. */
    expect_plan("", "/s/env-perl", FT_REASON_PROTECTED, "/s/env-perl name one two",
                "/usr/bin/env ");
    expect_plan("", "/s/env-wrapper", FT_REASON_PROTECTED, "/s/env-wrapper name one two",
                "/usr/bin/env ");
    expect_plan("", "/s/env-nothing", FT_REASON_PROTECTED, "/s/env-nothing name one two",
                "/usr/bin/env ");
}

static void bears_odd_arguments(void **state)
{
    const struct ft_plan_options options = {.shell = BASH, .look = look};
    char *none[] = {NULL}, *many[401];
    char word[] = "x";
    struct ft_plan plan;
    (void)state;
    ft_plan_make(&options, "/s/sh", none, "/bin", &plan);
    assert_string_equal(plan.argv[0], "/bin/sh");
    assert_string_equal(plan.argv[3], "/s/sh");
    assert_null(plan.argv[4]);
    ft_plan_fini(&plan);
    ft_plan_make(&options, "/s/sh", NULL, "/bin", &plan);
    assert_string_equal(plan.argv[3], "/s/sh");
    ft_plan_fini(&plan);
    for (size_t i = 0; i < 400; i++)
        many[i] = word;
    many[400] = NULL;
    ft_plan_make(&options, "/s/sh", many, "/bin", &plan);
    assert_ptr_equal(plan.argv[402], word);
    assert_null(plan.argv[403]);
    ft_plan_fini(&plan);
    pages_denied = true; /* without memory: as it was asked for, and it says so */
    ft_plan_make(&options, "/s/sh", many, "/bin", &plan);
    pages_denied = false;
    assert_ptr_equal(plan.argv, many);
    assert_string_equal(plan.path, "/s/sh");
    assert_int_equal(plan.reason, FT_REASON_PROTECTED);
    ft_plan_fini(&plan);
    assert_int_equal(pages_held, 0);
}

/* The variable. */

static void carries_the_attachment(void **state)
{
    const struct ft_attach attach = {.nonce = UINT64_MAX,
                                     .library = 5,
                                     .protection_off = true,
                                     .shell = "/opt/a:b/bash",
                                     .log = "/tmp/:log"};
    char text[FT_ATTACH_MAX], shell[FT_IMAGE_PATH_MAX], log[FT_IMAGE_PATH_MAX];
    struct ft_attach read;
    (void)state;
    assert_true(ft_attach_write(&attach, text));
    assert_string_equal(text, "FILETRACE=18446744073709551615:5:1:13:/opt/a:b/bash/tmp/:log");
    assert_true(ft_attach_read(text + strlen("FILETRACE="), shell, log, &read));
    assert_true(read.nonce == UINT64_MAX && read.library == 5 && read.protection_off);
    assert_string_equal(read.shell, "/opt/a:b/bash");
    assert_string_equal(read.log, "/tmp/:log");
    assert_true(ft_attach_read("0:1:0:0:/l", shell, log, &read));
    assert_string_equal(read.shell, "");
}

static void refuses_other_values(void **state)
{
    static const char *const values[] = {"",           "1",
                                         "1:1:0:0:",   "1:1:0:0:relative",
                                         "1:1:2:0:/l", "1:256:0:0:/l",
                                         "1:1:0:9:/l", "1:1:0:1024:/l",
                                         ":1:0:0:/l",  "18446744073709551616:1:0:0:/l",
                                         "x:1:0:0:/l", "1:1:0:-1:/l"};
    char shell[FT_IMAGE_PATH_MAX], log[FT_IMAGE_PATH_MAX], path[FT_IMAGE_PATH_MAX + 1];
    char value[2 * FT_IMAGE_PATH_MAX], text[FT_ATTACH_MAX];
    struct ft_attach read, attach = {.shell = "", .log = path};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(values); i++)
        assert_false(ft_attach_read(values[i], shell, log, &read));
    memset(path, '/', sizeof(path) - 1);
    path[sizeof(path) - 1] = '\0';
    (void)ft_put_text(value, ft_put_text(value, 0, sizeof(value), "1:1:0:0:"), sizeof(value), path);
    assert_false(ft_attach_read(value, shell, log, &read));
    assert_false(ft_attach_write(&attach, text));
    path[sizeof(path) - 2] = '\0';
    assert_true(ft_attach_write(&attach, text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_what_can_be_watched), cmocka_unit_test(says_what_cannot),
        cmocka_unit_test(puts_the_users_shell_there), cmocka_unit_test(does_what_env_does),
        cmocka_unit_test(bears_odd_arguments),        cmocka_unit_test(carries_the_attachment),
        cmocka_unit_test(refuses_other_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
