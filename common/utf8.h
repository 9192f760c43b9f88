/* SPDX-License-Identifier: MIT */
/* UTF-8 as RFC 3629 has it. */
#ifndef COMMON_UTF8_H
#define COMMON_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The character at @text.
 * @out its code point
 * @return its length in bytes, 1 to 4; 0 when the bytes are no character (cut, overlong,
 *         a surrogate, beyond U+10FFFF) or @size_bytes is 0. Pure.
 */
size_t utf8_decode(const char *text, size_t size_bytes, uint32_t *out);

/** Is all of it UTF-8? True for no bytes. Pure. */
bool utf8_is_valid(const char *text, size_t size_bytes);

#endif
