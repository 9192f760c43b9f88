/* SPDX-License-Identifier: MIT */
/* What went wrong, in words that a person can act on. */
#ifndef COMMON_ERR_H
#define COMMON_ERR_H

#include "common/compiler.h"

/** Longest text of an error, with its NUL; a longer one is cut. */
#define ERR_TEXT_SIZE 512

/**
 * An error for a person. Functions that can only fail in ways that a negative
 * errno value tells do without it.
 */
struct err {
    int code;                 /**< negative errno value; 0 when nothing failed */
    char text[ERR_TEXT_SIZE]; /**< "what failed: object: reason; what to do" */
};

/**
 * Fill an error.
 * @err    may be NULL: then only the code is passed on
 * @code   negative errno value
 * @format as printf; control characters of the result are replaced by '?', so
 *         that a hostile name can neither forge a second line nor move the cursor; "##["
 *         becomes "# #[", so that it is no command to the runner that keeps the job's log
 * @return @code, so that a caller can write `return err_set(...)`
 * Thread safety: writes only to @err.
 */
int err_set(struct err *err, int code, const char *format, ...) PRINTF_LIKE(3, 4);

/**
 * The text for an errno value, positive or negative, as in "No such file or directory".
 * @return a string that lives for ever. Thread safe for the values that the C library knows.
 */
const char *err_text(int code);

#endif
