/* SPDX-License-Identifier: MIT */
/*
 * Text at the edge of Windows. Inside our programs it is UTF-8; Windows' own is UTF-16 that may
 * hold surrogates without their other half, which common/wtf8.h keeps. Windows only.
 */
#ifndef COMMON_WIDE_H
#define COMMON_WIDE_H

#include <wchar.h>

#include "common/compiler.h"

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
