/* SPDX-License-Identifier: MIT */
/* What every fuzzer here shares: its entry, how it complains, and how it takes its input apart. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"

/**
 * The entry of a fuzzer, as libFuzzer, AFL++ and driver.c call it. A broken property ends the
 * process by FUZZ_CHECK(), a wrong use of memory by the sanitizers.
 * @data not kept
 * @return 0
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

/** Once, before the first input; weak in driver.c, so that a fuzzer may leave it out. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

/** A property of the code under test. In words that tell what is broken. */
#define FUZZ_CHECK(holds, broken)                                                                  \
    do {                                                                                           \
        if (!(holds))                                                                              \
            fuzz_fail(__FILE__, __LINE__, broken);                                                 \
    } while (0)

/** Say where and what, and abort(). */
_Noreturn void fuzz_fail(const char *file, int line, const char *broken);

/** What is left of an input. */
struct fuzz_input {
    const uint8_t *at;
    size_t left_bytes;
};

/** Take @size_bytes bytes; zeros stand for what is not there. */
void fuzz_take(struct fuzz_input *input, void *out, size_t size_bytes);

/** Take a byte, 0 at the end. */
uint8_t fuzz_take_byte(struct fuzz_input *input);

/**
 * Take up to and without the next @separator, or all that is left, as a string; a NUL within is
 * kept and so ends the string early.
 * @size_bytes length without the NUL; or NULL
 * @return the caller's to free(); never NULL
 */
char *fuzz_take_until(struct fuzz_input *input, char separator, size_t *size_bytes);

/** The same for all that is left. */
char *fuzz_take_rest(struct fuzz_input *input, size_t *size_bytes);

#endif
