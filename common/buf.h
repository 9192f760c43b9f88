/* SPDX-License-Identifier: MIT */
/* A growable byte buffer with a hard limit. */
#ifndef COMMON_BUF_H
#define COMMON_BUF_H

#include <stdarg.h>
#include <stddef.h>

#include "common/compiler.h"

/**
 * Bytes that grow up to a limit. `data` is always NUL-terminated once anything
 * was appended, so text can be used as a C string; the NUL is not counted.
 * The first failure sticks: later appends do nothing and buf_status() tells, so
 * that a writer of many pieces checks once, at the end.
 */
struct buf {
    char *data;        /**< owned; NULL while empty */
    size_t size_bytes; /**< used, without the NUL */
    size_t capacity_bytes;
    size_t limit_bytes; /**< size_bytes never exceeds this */
    int status;         /**< 0, or the first failure */
};

/** Start an empty buffer that may hold up to @limit_bytes bytes. Allocates nothing. */
void buf_init(struct buf *buf, size_t limit_bytes);

/** Free the memory and leave an empty buffer with the same limit. Fine on a zeroed buffer. */
void buf_fini(struct buf *buf);

/** Forget the contents and the failure; keep the memory. */
void buf_clear(struct buf *buf);

/** @return 0, -EFBIG (limit reached) or -ENOMEM: the first failure since init or clear. */
MUST_USE int buf_status(const struct buf *buf);

/** Append @size_bytes bytes; all or nothing. @return as buf_status(). */
int buf_append(struct buf *buf, const void *data, size_t size_bytes);

/** Append a C string. @return as buf_status(). */
int buf_puts(struct buf *buf, const char *text);

/** Append formatted text. @return as buf_status(), or -EINVAL for a bad format. */
int buf_printf(struct buf *buf, const char *format, ...) PRINTF_LIKE(2, 3);

/** As buf_printf(). */
int buf_vprintf(struct buf *buf, const char *format, va_list args) PRINTF_LIKE(2, 0);

/** Cut the contents to @size_bytes; more than there is changes nothing. */
void buf_truncate(struct buf *buf, size_t size_bytes);

/**
 * Move the memory out; the buffer is empty afterwards.
 * @return NUL-terminated, the caller's to free(); NULL when the buffer has failed
 *         or memory is short
 */
MUST_USE char *buf_take(struct buf *buf);

/**
 * A NUL-terminated copy of the first @length bytes of a text that is at least as long.
 * @return the caller's to free(); NULL when memory is short
 */
MUST_USE char *buf_copy_text(const char *text, size_t length);

#endif
