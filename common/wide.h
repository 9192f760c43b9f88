/* SPDX-License-Identifier: MIT */
/*
 * Text at the edge of Windows. Inside our programs it is UTF-8; Windows' own is UTF-16 that may
 * hold surrogates without their other half. Such a one becomes the three bytes that UTF-8 would
 * give its number (WTF-8, https://simonsapin.github.io/wtf-8/), so that every name survives the way
 * in and out. Windows only.
 */
#ifndef COMMON_WIDE_H
#define COMMON_WIDE_H

#include <stddef.h>
#include <wchar.h>

#include "common/compiler.h"

/** Most bytes that @units UTF-16 units can become, without a NUL. */
#define WIDE_UTF8_MAX(units) ((units)*3)

/**
 * From UTF-16 to WTF-8.
 * @out room for WIDE_UTF8_MAX(units) bytes; no NUL is written
 * @return bytes written. Cannot fail. Pure.
 */
size_t wide_encode(const wchar_t *text, size_t units, char *out);

/**
 * From WTF-8 to UTF-16.
 * @out room for as many units as @text has bytes; no NUL is written
 * @return units written, or (size_t)-1: @text is not WTF-8. Pure.
 */
size_t wide_decode(const char *text, size_t size_bytes, wchar_t *out);

/** A NUL-terminated copy; the caller's to free(), NULL when memory is short. */
MUST_USE char *wide_to_utf8(const wchar_t *text);

/**
 * A NUL-terminated copy in UTF-16.
 * @out the caller's to free(); NULL on failure
 * @return 0, -EILSEQ (not WTF-8) or -ENOMEM
 */
MUST_USE int wide_from_utf8(const char *text, wchar_t **out);

/** A negative errno value for an error of Windows (GetLastError()); -EIO for one not known. */
int wide_error(unsigned long code);

#endif
