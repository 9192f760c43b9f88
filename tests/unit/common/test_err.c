/* SPDX-License-Identifier: MIT */
/* Errors that a hostile name cannot misuse. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "common/err.h"

static void fills_and_passes_on(void **state)
{
    (void)state;
    struct err err = {0};
    assert_int_equal(err_set(&err, -ENOENT, "cannot read %s: %s", "a", err_text(-ENOENT)), -ENOENT);
    assert_int_equal(err.code, -ENOENT);
    assert_string_equal(err.text, "cannot read a: No such file or directory");
    assert_int_equal(err_set(NULL, -EIO, "not kept"), -EIO);
    assert_string_equal(err_text(ENOENT), err_text(-ENOENT));
}

static void makes_control_characters_harmless(void **state)
{
    (void)state;
    struct err err = {0};
    (void)err_set(&err, -EIO, "a\nb\rc\033[2Jd\177e\tf");
    assert_string_equal(err.text, "a?b?c?[2Jd?e?f");
    /* U+009B, which a terminal takes for ESC [; letters beyond ASCII stay. */
    (void)err_set(&err, -EIO,
                  "a\xc2\x9b"
                  "2Jb\xc3\xa9\xc2\xa0");
    assert_string_equal(err.text, "a??2Jb\xc3\xa9\xc2\xa0");
    (void)err_set(&err, -EIO, "ends in half a letter \xc2");
    assert_string_equal(err.text, "ends in half a letter \xc2");
}

static void cuts_what_is_too_long(void **state)
{
    (void)state;
    struct err err = {0};
    char long_name[2 * ERR_TEXT_SIZE];
    memset(long_name, 'x', sizeof(long_name) - 1);
    long_name[sizeof(long_name) - 1] = '\0';
    (void)err_set(&err, -EIO, "%s", long_name);
    assert_int_equal(strlen(err.text), ERR_TEXT_SIZE - 1);
}

/* What GitHub's runner would take for a command, anywhere in a line. */
static void begins_no_command(void **state)
{
    (void)state;
    struct err err = {0};
    (void)err_set(&err, -EIO, "a ##[set-env name=X]y###[ #[");
    assert_string_equal(err.text, "a # #[set-env name=X]y## #[ #[");
    char long_name[ERR_TEXT_SIZE];
    for (size_t length = ERR_TEXT_SIZE - 8; length < ERR_TEXT_SIZE; length++) {
        memset(long_name, 'x', length);
        memcpy(long_name + length - 6, "##[##[", 6);
        long_name[length] = '\0';
        (void)err_set(&err, -EIO, "%s", long_name);
        assert_null(strstr(err.text, "##["));
        size_t parted = length + 2;
        assert_int_equal(strlen(err.text), parted < ERR_TEXT_SIZE ? parted : ERR_TEXT_SIZE - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_and_passes_on),
        cmocka_unit_test(makes_control_characters_harmless),
        cmocka_unit_test(begins_no_command),
        cmocka_unit_test(cuts_what_is_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
