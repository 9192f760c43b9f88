/* SPDX-License-Identifier: MIT */
/* What comes back from one try of a request. */
#include "report/transfer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/num.h"

#define HEADER_VALUE_MAX_BYTES 8192

/* MAXFILESIZE of libcurl looks at the announced length only, which a chunked body has
   not: so count what really comes. */
size_t rep_transfer_on_body(char *data, size_t size, size_t count, void *context)
{
    struct rep_transfer *transfer = context;
    if (buf_append(transfer->body, data, size * count) == -EFBIG)
        transfer->too_large = true;
    return buf_status(transfer->body) ? 0 : size * count;
}

/* The value of a header line if it has this name, without the space around; else NULL. */
static char *header_value(const char *line, size_t size_bytes, const char *name)
{
    size_t name_bytes = strlen(name);
    if (size_bytes <= name_bytes || size_bytes > HEADER_VALUE_MAX_BYTES ||
        line[name_bytes] != ':' || strncasecmp(line, name, name_bytes) != 0) {
        return NULL;
    }
    const char *start = line + name_bytes + 1;
    const char *end = line + size_bytes;
    while (start < end && (*start == ' ' || *start == '\t'))
        start++;
    while (end > start && strchr(" \t\r\n", end[-1]))
        end--;
    return strndup(start, (size_t)(end - start));
}

static void take_number(const char *line, size_t size_bytes, const char *name, int64_t *out)
{
    char *value = header_value(line, size_bytes, name);
    uint64_t number = 0;
    if (value && !num_parse_u64(value, 0, INT64_MAX, &number))
        *out = (int64_t)number;
    free(value);
}

static void take_text(const char *line, size_t size_bytes, const char *name, char **out)
{
    char *value = header_value(line, size_bytes, name);
    if (!value)
        return;
    free(*out);
    *out = value;
}

size_t rep_transfer_on_header(char *line, size_t size, size_t count, void *context)
{
    struct rep_transfer *transfer = context;
    size_t size_bytes = size * count;
    take_text(line, size_bytes, "link", &transfer->link);
    take_text(line, size_bytes, "location", &transfer->location);
    take_number(line, size_bytes, "retry-after", &transfer->retry_after_s);
    take_number(line, size_bytes, "x-ratelimit-remaining", &transfer->ratelimit_remaining);
    take_number(line, size_bytes, "x-ratelimit-reset", &transfer->ratelimit_reset_unix);
    return size_bytes;
}

void rep_transfer_init(struct rep_transfer *transfer, struct buf *body)
{
    *transfer = (struct rep_transfer){
        .body = body, .retry_after_s = -1, .ratelimit_remaining = -1, .ratelimit_reset_unix = -1};
}

void rep_transfer_fini(struct rep_transfer *transfer)
{
    free(transfer->link);
    free(transfer->location);
}
