/* SPDX-License-Identifier: MIT */
/* What a program's own instructions tell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/compiler.h"
#include "tracer/image_scan.h"

#if defined(__x86_64__)

/** A piece of code between no-operations, in memory of just its size. */
static unsigned scan(const char *piece, size_t size_bytes, size_t before, size_t after)
{
    size_t total = before + size_bytes + after;
    unsigned char *code = malloc(total ? total : 1);
    assert_non_null(code);
    memset(code, 0x90, total);
    memcpy(code + before, piece, size_bytes);
    unsigned found = ft_image_scan(code, total);
    free(code);
    return found;
}

#define SCAN(piece) scan(piece, sizeof(piece) - 1, 64, 64)

#define SYSCALL "\x0f\x05"
#define OPENAT "\xb8\x01\x01\x00\x00"           /* mov $257, %eax */
#define FUTEX "\xb8\xca\x00\x00\x00"            /* mov $202, %eax */
#define STAT_RAX "\x48\xc7\xc0\x04\x00\x00\x00" /* mov $4, %rax */
#define FROM_RDI "\x48\x89\xf8"                 /* mov %rdi, %rax */
#define RETURN "\xc3"
#define COMPARE "\x48\x3d\x01\xf0\xff\xff" /* cmp $-4095, %rax */

static void finds_calls_on_paths(void **state)
{
    (void)state;
    assert_int_equal(SCAN(OPENAT SYSCALL), FT_CODE_CALLS);
    assert_int_equal(SCAN(OPENAT "\x48\x89\xd7\x4c\x89\xe6" SYSCALL), FT_CODE_CALLS);
    assert_int_equal(SCAN(STAT_RAX SYSCALL), FT_CODE_CALLS);
    /* A function for any number. */
    assert_int_equal(SCAN(FROM_RDI "\x48\x89\xf7" SYSCALL RETURN), FT_CODE_CALLS);
    assert_int_equal(SCAN(FROM_RDI SYSCALL COMPARE), FT_CODE_CALLS);
}

static void leaves_others_alone(void **state)
{
    (void)state;
    assert_int_equal(SCAN(""), 0);
    assert_int_equal(SCAN(SYSCALL), 0);
    assert_int_equal(SCAN(FUTEX SYSCALL RETURN), 0); /* takes no path */
    assert_int_equal(SCAN(OPENAT), 0);
    assert_int_equal(SCAN(SYSCALL OPENAT), 0);
    /* A number that looks like the instruction: a zero byte follows. */
    assert_int_equal(SCAN(OPENAT SYSCALL "\x00\x00"), 0);
    /* A copied argument, and a call whose result nobody looks at. */
    assert_int_equal(SCAN(FROM_RDI SYSCALL "\xeb\x10"), 0);
}

static void looks_no_further_than_the_code(void **state)
{
    (void)state;
    static const char piece[] = OPENAT SYSCALL RETURN;
    /* At every distance from either end; the sanitizer sees a byte too far. */
    for (size_t before = 0; before < 40; before++)
        for (size_t after = 0; after < 10; after++)
            assert_int_equal(scan(piece, sizeof(piece) - 1, before, after), FT_CODE_CALLS);
    for (size_t size = 0; size < sizeof(piece) - 1; size++)
        (void)scan(piece, size, 0, 0);
    /* The number stands further away than arguments take. */
    char far[64];
    memset(far, 0x90, sizeof(far));
    memcpy(far, OPENAT, 5);
    memcpy(far + 60, SYSCALL, 2);
    assert_int_equal(scan(far, sizeof(far), 0, 8), 0);
}

static void finds_who_names_seccomp(void **state)
{
    (void)state;
    assert_int_equal(SCAN("\xbf\x3d\x01\x00\x00"), FT_CODE_SECCOMP); /* mov $317, %edi */
    assert_int_equal(SCAN("\xb8\x3d\x01\x00\x00"), FT_CODE_SECCOMP); /* mov $317, %eax */
    assert_int_equal(SCAN("\xbf\x3d\x02\x00\x00"), 0);
    assert_int_equal(SCAN("\x3d\x3d\x01\x00\x00"), 0); /* cmp $317, %eax */
    assert_int_equal(scan("\xbf\x3d\x01\x00", 4, 0, 0), 0);
    assert_int_equal(SCAN("\xbf\x3d\x01\x00\x00" OPENAT SYSCALL), FT_CODE_SECCOMP | FT_CODE_CALLS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_calls_on_paths),
        cmocka_unit_test(leaves_others_alone),
        cmocka_unit_test(looks_no_further_than_the_code),
        cmocka_unit_test(finds_who_names_seccomp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

/* The codes of other processors have no test yet. */
int main(void)
{
    puts("SKIPPED: written for x86-64");
    return 77;
}

#endif
