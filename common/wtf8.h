/* SPDX-License-Identifier: MIT */
/* The names of Windows as bytes: UTF-16 with whatever units, and WTF-8. */
#ifndef COMMON_WTF8_H
#define COMMON_WTF8_H

#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"

/*
 * A name on Windows is any sequence of 16-bit units. WTF-8 (https://simonsapin.github.io/wtf-8/)
 * is UTF-8 that also holds surrogates without a partner, so that no name is lost: what is
 * UTF-16 becomes UTF-8, and the way there and back gives the same units.
 */

/** Bytes that this many units can need. */
#define WTF8_BYTES(units) ((size_t)(units)*3)

/**
 * Append units as WTF-8.
 * @units little-endian bytes, two a unit, aligned or not; an odd last byte is ignored
 * @out   at least WTF8_BYTES(size_bytes / 2); not terminated
 * @return bytes written. Pure.
 */
size_t wtf8_from_utf16(const void *units, size_t size_bytes, char *out);

/**
 * The way back.
 * @out       at least @size_bytes units; not terminated
 * @out_units how many were written; 0 on failure
 * @return 0, or -EILSEQ: not WTF-8 (cut, overlong, beyond U+10FFFF). Pure.
 */
MUST_USE int wtf8_to_utf16(const char *text, size_t size_bytes, uint16_t *out, size_t *out_units);

#endif
