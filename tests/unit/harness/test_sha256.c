/* SPDX-License-Identifier: MIT */
/* SHA-256 against the examples that NIST publishes for FIPS 180-4. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "harness/sha256.h"

static void matches_the_examples(void **state)
{
    static const struct {
        const char *text;
        const char *hash;
    } rows[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tt_sha256 hash;
        char out[TT_SHA256_HEX_SIZE];
        tt_sha256_init(&hash);
        tt_sha256_update(&hash, rows[i].text, strlen(rows[i].text));
        tt_sha256_finish(&hash, out);
        assert_string_equal(out, rows[i].hash);
    }
}

/* A million times "a", in steps that straddle blocks. */
static void takes_any_steps(void **state)
{
    struct tt_sha256 hash;
    char out[TT_SHA256_HEX_SIZE], step[977];
    size_t left = 1000000;

    (void)state;
    memset(step, 'a', sizeof(step));
    tt_sha256_init(&hash);
    while (left) {
        size_t n = left < sizeof(step) ? left : sizeof(step);
        tt_sha256_update(&hash, step, n);
        left -= n;
    }
    tt_sha256_finish(&hash, out);
    assert_string_equal(out, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void names_a_missing_file(void **state)
{
    char out[TT_SHA256_HEX_SIZE] = "x";
    struct err err;

    (void)state;
    assert_int_equal(tt_sha256_file("/nonexistent/file", out, &err), -ENOENT);
    assert_string_equal(out, "");
    assert_non_null(strstr(err.text, "/nonexistent/file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_the_examples),
        cmocka_unit_test(takes_any_steps),
        cmocka_unit_test(names_a_missing_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
