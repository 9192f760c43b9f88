/* SPDX-License-Identifier: MIT */
/* Checked parsing and size arithmetic. */
#include "common/num.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int num_parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
    uint64_t value = 0;
    int ret = 0;

    *out = 0;
    if (!*text)
        return -EINVAL;
    for (const char *c = text; *c; c++) {
        if (*c < '0' || *c > '9')
            return -EINVAL;
        uint64_t digit = (uint64_t)(*c - '0');
        if (value > (UINT64_MAX - digit) / 10)
            ret = -ERANGE; /* go on: a letter further right makes it no number at all */
        else
            value = value * 10 + digit;
    }
    if (ret || value < min || value > max)
        return -ERANGE;
    *out = value;
    return 0;
}

int num_parse_double(const char *text, double min, double max, double *out)
{
    char *end = NULL;

    *out = 0;
    if (!*text || text[strspn(text, "+-.0123456789eE")])
        return -EINVAL;
    double value = strtod(text, &end);
    if (end == text || *end)
        return -EINVAL;
    if (!isfinite(value) || value < min || value > max)
        return -ERANGE;
    *out = value;
    return 0;
}

int num_add(size_t a, size_t b, size_t *out)
{
    *out = 0;
    if (a > SIZE_MAX - b)
        return -EOVERFLOW;
    *out = a + b;
    return 0;
}

int num_mul(size_t a, size_t b, size_t *out)
{
    *out = 0;
    if (b && a > SIZE_MAX / b)
        return -EOVERFLOW;
    *out = a * b;
    return 0;
}
