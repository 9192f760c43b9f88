/* SPDX-License-Identifier: MIT */
/* Checked parsing and size arithmetic. */
#ifndef COMMON_NUM_H
#define COMMON_NUM_H

#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"

/**
 * Parse a whole decimal number: digits only, no sign, space, exponent or rest.
 * @min, @max inclusive range
 * @out       0 on failure
 * @return 0, -EINVAL (not such a number) or -ERANGE (outside the range)
 */
MUST_USE int num_parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *out);

/**
 * Parse a finite decimal number such as "2.5" (no hexadecimal, "inf" or "nan"; the
 * decimal sign is '.' in every locale that the programs use, which is "C").
 * @min, @max inclusive range
 * @out       0 on failure
 * @return 0, -EINVAL or -ERANGE
 */
MUST_USE int num_parse_double(const char *text, double min, double max, double *out);

/** *out = a + b. @return 0, or -EOVERFLOW and *out = 0. */
MUST_USE int num_add(size_t a, size_t b, size_t *out);

/** *out = a * b. @return 0, or -EOVERFLOW and *out = 0. */
MUST_USE int num_mul(size_t a, size_t b, size_t *out);

#endif
