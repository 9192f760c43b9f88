/* SPDX-License-Identifier: MIT */
/* What every fuzzer here shares. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fuzz_fail(const char *file, int line, const char *broken)
{
    (void)fprintf(stderr, "%s:%d: broken: %s\n", file, line, broken);
    abort();
}

void fuzz_take(struct fuzz_input *input, void *out, size_t size_bytes)
{
    size_t have = size_bytes < input->left_bytes ? size_bytes : input->left_bytes;
    memset(out, 0, size_bytes);
    if (!have)
        return;
    memcpy(out, input->at, have);
    input->at += have;
    input->left_bytes -= have;
}

uint8_t fuzz_take_byte(struct fuzz_input *input)
{
    uint8_t byte;
    fuzz_take(input, &byte, 1);
    return byte;
}

static char *take_text(struct fuzz_input *input, size_t size_bytes)
{
    char *text = malloc(size_bytes + 1);
    if (!text)
        abort();
    fuzz_take(input, text, size_bytes);
    text[size_bytes] = '\0';
    return text;
}

char *fuzz_take_until(struct fuzz_input *input, char separator, size_t *size_bytes)
{
    const uint8_t *end = input->left_bytes ? memchr(input->at, separator, input->left_bytes) : NULL;
    size_t length = end ? (size_t)(end - input->at) : input->left_bytes;
    char *text = take_text(input, length);
    if (end)
        (void)fuzz_take_byte(input);
    if (size_bytes)
        *size_bytes = length;
    return text;
}

char *fuzz_take_rest(struct fuzz_input *input, size_t *size_bytes)
{
    if (size_bytes)
        *size_bytes = input->left_bytes;
    return take_text(input, input->left_bytes);
}
