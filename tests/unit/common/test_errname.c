/* SPDX-License-Identifier: MIT */
/* Names of errno values. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "common/compiler.h"
#include "common/errname.h"

#define LARGEST 4095 /* the kernel's MAX_ERRNO */

static void names_what_calls_on_paths_give(void **state)
{
    (void)state;
    static const struct {
        int error;
        const char *name;
    } known[] = {
        {ENOENT, "ENOENT"},   {EACCES, "EACCES"}, {ENOTDIR, "ENOTDIR"},
        {EISDIR, "EISDIR"},   {ELOOP, "ELOOP"},   {ENAMETOOLONG, "ENAMETOOLONG"},
        {EEXIST, "EEXIST"},   {EROFS, "EROFS"},   {ENOTEMPTY, "ENOTEMPTY"},
        {ENOEXEC, "ENOEXEC"}, {EFAULT, "EFAULT"}, {ETXTBSY, "ETXTBSY"},
        {EXDEV, "EXDEV"},     {EPERM, "EPERM"},   {EMFILE, "EMFILE"},
        {EAGAIN, "EAGAIN"},   {EINVAL, "EINVAL"}, {EOPNOTSUPP, "EOPNOTSUPP"},
        {ESTALE, "ESTALE"},   {ENOSYS, "ENOSYS"}, {ENODATA, "ENODATA"},
    };
    char number[16];
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        assert_string_equal(errname(known[i].error, number, sizeof(number)), known[i].name);
}

static void gives_every_value_one_name(void **state)
{
    (void)state;
    static char names[LARGEST + 1][24];
    size_t named = 0;
    for (int error = 0; error <= LARGEST; error++) {
        char number[16], decimal[16];
        const char *name = errname(error, number, sizeof(number));
        (void)snprintf(decimal, sizeof(decimal), "%d", error);
        if (name[0] != 'E') {
            assert_string_equal(name, decimal);
            continue;
        }
        assert_true(strlen(name) < sizeof(names[0]));
        (void)snprintf(names[named++], sizeof(names[0]), "%s", name);
    }
    assert_true(named > 50);
    for (size_t i = 0; i < named; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(names[i], names[k]);
}

static void fits_the_number_into_its_room(void **state)
{
    (void)state;
    char number[4];
    assert_string_equal(errname(65535, number, sizeof(number)), "655");
    assert_string_equal(errname(-7, number, sizeof(number)), "-7");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_what_calls_on_paths_give),
        cmocka_unit_test(gives_every_value_one_name),
        cmocka_unit_test(fits_the_number_into_its_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
