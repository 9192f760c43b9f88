/* SPDX-License-Identifier: MIT */
/* Records made by hand, for the tests of those who read them. */
#ifndef TESTS_RECORDS_H
#define TESTS_RECORDS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "tracer/record.h"

/** Append a committed record. @head all but state and lengths */
static inline void record_put_bytes(struct buf *out, struct ft_record head, const char *base,
                                    size_t base_bytes, const char *path, size_t path_bytes)
{
    size_t size_bytes = (FT_RECORD_HEAD_BYTES + base_bytes + path_bytes + 7) & ~(size_t)7;
    size_t start = out->size_bytes;
    head.state = FT_STATE_COMMITTED | (uint32_t)size_bytes;
    head.base_bytes = (uint16_t)base_bytes;
    head.path_bytes = (uint16_t)path_bytes;
    (void)buf_append(out, &head, FT_RECORD_HEAD_BYTES);
    (void)buf_append(out, base, base_bytes);
    (void)buf_append(out, path, path_bytes);
    (void)buf_append(out, "\0\0\0\0\0\0\0", start + size_bytes - out->size_bytes);
}

/** The same, from C strings. */
static inline void record_put(struct buf *out, struct ft_record head, const char *base,
                              const char *path)
{
    record_put_bytes(out, head, base, strlen(base), path, strlen(path));
}

#endif
