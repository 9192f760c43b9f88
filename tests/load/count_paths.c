/* SPDX-License-Identifier: MIT */
/*
 * Checks the trace of `many_paths THREADS EACH` (nul format, on standard input):
 *   count_paths THREADS EACH
 * Each of its paths must be there; a repeat may be. Exit status: 0 all there, 1 some are missing,
 * 2 wrong usage, 3 no memory or not a trace. Holds a bit a path, whatever the trace's size.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/num.h"

#define FIELD_MAX 8192

/** The next field, without its NUL. @return 1, 0 at the end, -1 when it is cut or too long */
static int next_field(char *out, size_t size)
{
    size_t n = 0;
    for (int c; (c = getchar_unlocked()) != EOF;) {
        if (n == size)
            return -1;
        out[n++] = (char)c;
        if (!c)
            return 1;
    }
    return n ? -1 : 0;
}

/** The digits at *text; it is moved behind the '-' that must follow. */
static bool take_number(const char **text, uint64_t *out)
{
    char digits[16];
    size_t length = strspn(*text, "0123456789");
    if (length >= sizeof(digits) || (*text)[length] != '-')
        return false;
    memcpy(digits, *text, length);
    digits[length] = '\0';
    *text += length + 1;
    return num_parse_u64(digits, 0, UINT64_MAX, out) == 0;
}

/** "/absent/tTHREAD-NUMBER-zz..." -> its bit. @return false for any other path */
static bool bit_of(const char *path, uint64_t threads, uint64_t each, uint64_t *out)
{
    static const char prefix[] = "/absent/t";
    uint64_t thread, number;
    if (strncmp(path, prefix, strlen(prefix)) != 0)
        return false;
    const char *at = path + strlen(prefix);
    if (!take_number(&at, &thread) || !take_number(&at, &number) || thread >= threads ||
        number >= each)
        return false;
    *out = thread * each + number;
    return true;
}

int main(int argc, char **argv)
{
    uint64_t threads, each, missing = 0, records = 0, bit;
    char field[FIELD_MAX];
    int got;

    if (argc != 3 || num_parse_u64(argv[1], 1, 64, &threads) ||
        num_parse_u64(argv[2], 1, 9999999, &each)) {
        fputs("usage: count_paths THREADS EACH <TRACE\n", stderr);
        return 2;
    }
    unsigned char *seen = calloc(threads * each / 8 + 1, 1);
    if (!seen)
        return 3;
    for (unsigned column = 0; (got = next_field(field, sizeof(field))) > 0; column++) {
        if (column % 3 == 1 && bit_of(field, threads, each, &bit)) {
            seen[bit / 8] = (unsigned char)(seen[bit / 8] | 1u << bit % 8);
            records++;
        }
    }
    for (bit = 0; bit < threads * each; bit++)
        missing += !(seen[bit / 8] >> bit % 8 & 1);
    free(seen);
    if (got < 0) {
        fputs("count_paths: not a trace: a field is cut or too long\n", stderr);
        return 3;
    }
    printf("%llu records of %llu paths, %llu missing\n", (unsigned long long)records,
           (unsigned long long)(threads * each), (unsigned long long)missing);
    return missing ? 1 : 0;
}
