/* SPDX-License-Identifier: MIT */
/* A growable byte buffer with a hard limit. */
#include "common/buf.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY_BYTES 256

void buf_init(struct buf *buf, size_t limit_bytes)
{
    /* One byte is kept back for the NUL. */
    *buf = (struct buf){.limit_bytes = limit_bytes < SIZE_MAX ? limit_bytes : SIZE_MAX - 1};
}

void buf_fini(struct buf *buf)
{
    free(buf->data);
    *buf = (struct buf){.limit_bytes = buf->limit_bytes};
}

void buf_clear(struct buf *buf)
{
    buf->status = 0;
    buf_truncate(buf, 0);
}

int buf_status(const struct buf *buf)
{
    return buf->status;
}

/** Make room for @extra_bytes more and the NUL. */
static int reserve(struct buf *buf, size_t extra_bytes)
{
    if (buf->status)
        return buf->status;
    if (extra_bytes > buf->limit_bytes - buf->size_bytes)
        return buf->status = -EFBIG;

    size_t need = buf->size_bytes + extra_bytes + 1;
    if (need <= buf->capacity_bytes)
        return 0;
    size_t capacity = buf->capacity_bytes ? buf->capacity_bytes : FIRST_CAPACITY_BYTES;
    while (capacity < need)
        capacity = capacity > SIZE_MAX / 2 ? need : capacity * 2;
    char *data = realloc(buf->data, capacity);
    if (!data)
        return buf->status = -ENOMEM;
    buf->data = data;
    buf->capacity_bytes = capacity;
    return 0;
}

int buf_append(struct buf *buf, const void *data, size_t size_bytes)
{
    int ret = reserve(buf, size_bytes);
    if (ret)
        return ret;
    if (size_bytes)
        memcpy(buf->data + buf->size_bytes, data, size_bytes);
    buf->size_bytes += size_bytes;
    buf->data[buf->size_bytes] = '\0';
    return 0;
}

int buf_puts(struct buf *buf, const char *text)
{
    return buf_append(buf, text, strlen(text));
}

int buf_vprintf(struct buf *buf, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (n < 0)
        return buf->status ? buf->status : (buf->status = -EINVAL);

    int ret = reserve(buf, (size_t)n);
    if (ret)
        return ret;
    (void)vsnprintf(buf->data + buf->size_bytes, (size_t)n + 1, format, args);
    buf->size_bytes += (size_t)n;
    return 0;
}

int buf_printf(struct buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int ret = buf_vprintf(buf, format, args);
    va_end(args);
    return ret;
}

void buf_truncate(struct buf *buf, size_t size_bytes)
{
    if (size_bytes >= buf->size_bytes)
        return;
    buf->size_bytes = size_bytes;
    buf->data[size_bytes] = '\0';
}

char *buf_take(struct buf *buf)
{
    if (reserve(buf, 0))
        return NULL;
    buf->data[buf->size_bytes] = '\0';
    char *data = buf->data;
    buf->data = NULL;
    buf_fini(buf);
    return data;
}

char *buf_copy_text(const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? malloc(length + 1) : NULL;
    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}
