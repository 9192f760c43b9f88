/* SPDX-License-Identifier: MIT */
/* Raw traces: the log as it was recorded, in a file. */
#include "tracer/raw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracer/ops.h"

#define OPS_MAX_BYTES 65536u
#define READ_BYTES (1u << 20)

static int write_bytes(FILE *stream, const void *data, size_t size_bytes)
{
    if (fwrite(data, 1, size_bytes, stream) == size_bytes)
        return 0;
    return errno ? -errno : -EIO;
}

int ft_raw_write_head(FILE *stream)
{
    struct ft_raw_head head = {
        .magic = FT_RAW_MAGIC,
        .version = FT_LOG_VERSION,
        .byte_order = FT_RAW_BYTE_ORDER,
    };
    for (unsigned i = 0; i < FT_OP_COUNT; i++)
        head.ops_bytes += (uint32_t)strlen(ft_op_name(i)) + 1;
    uint32_t padding = (8 - head.ops_bytes % 8) % 8;
    head.ops_bytes += padding;

    int ret = write_bytes(stream, &head, sizeof(head));
    for (unsigned i = 0; i < FT_OP_COUNT && !ret; i++)
        ret = write_bytes(stream, ft_op_name(i), strlen(ft_op_name(i)) + 1);
    return ret ? ret : write_bytes(stream, "\0\0\0\0\0\0\0", padding);
}

int ft_raw_write_records(void *stream, const struct ft_record *records, size_t size_bytes)
{
    return write_bytes(stream, records, size_bytes);
}

int ft_raw_write_summary(FILE *stream, const struct ft_raw_summary *summary)
{
    static const char zeros[8];
    size_t total = (FT_RECORD_HEAD_BYTES + sizeof(*summary) + 7) & ~(size_t)7;
    const struct ft_record head = {
        .state = FT_STATE_COMMITTED | (uint32_t)total,
        .kind = FT_KIND_SUMMARY,
        .path_bytes = sizeof(*summary),
    };
    int ret = write_bytes(stream, &head, FT_RECORD_HEAD_BYTES);
    if (!ret)
        ret = write_bytes(stream, summary, sizeof(*summary));
    return ret ? ret : write_bytes(stream, zeros, total - FT_RECORD_HEAD_BYTES - sizeof(*summary));
}

static int corrupt(struct err *err, const char *name, const char *reason)
{
    return err_set(err, -EPROTO, "cannot read the trace %s: %s; record it again", name, reason);
}

static int read_head(FILE *stream, const char *name, struct ft_raw_head *head, struct err *err)
{
    bool whole = fread(head, 1, sizeof(*head), stream) == sizeof(*head);
    bool turned = whole && head->magic == __builtin_bswap64(FT_RAW_MAGIC);
    if (!whole || (head->magic != FT_RAW_MAGIC && !turned))
        return corrupt(err, name, "not a raw trace of filetrace");
    if (turned || head->byte_order != FT_RAW_BYTE_ORDER)
        return err_set(err, -ENOTSUP,
                       "cannot read the trace %s: recorded with another byte order; print it on "
                       "a machine like the one that recorded it",
                       name);
    if (head->version != FT_LOG_VERSION)
        return err_set(err, -ENOTSUP,
                       "cannot read the trace %s: version %lu, this filetrace reads %u; use the "
                       "filetrace that recorded it or a newer one",
                       name, (unsigned long)head->version, FT_LOG_VERSION);
    if (head->ops_bytes > OPS_MAX_BYTES || head->ops_bytes % 8)
        return corrupt(err, name, "its table of operations is damaged");
    return 0;
}

/** Whole records at the start of @data. Unlike a log, a file holds no holes. */
static size_t whole_records(const char *data, size_t size_bytes, bool *damaged, bool *ended)
{
    size_t offset = 0;
    while (size_bytes - offset >= FT_RECORD_HEAD_BYTES) {
        struct ft_record record;
        memcpy(&record, data + offset, FT_RECORD_HEAD_BYTES);
        size_t size = record.state & ~FT_STATE_MARK;
        if ((record.state & FT_STATE_MARK) != FT_STATE_COMMITTED || size % 8 ||
            record.base_bytes > FT_BASE_MAX || record.path_bytes > FT_PATH_MAX ||
            size < FT_RECORD_HEAD_BYTES + (size_t)record.base_bytes + record.path_bytes || *ended) {
            *damaged = true;
            break;
        }
        if (size > size_bytes - offset)
            break;
        *ended = record.kind == FT_KIND_SUMMARY;
        offset += size;
    }
    return offset;
}

static int read_records(FILE *stream, const char *name, struct ft_decoder *decoder, char *data,
                        struct err *err)
{
    size_t have = 0;
    bool damaged = false, ended = false;

    for (;;) {
        size_t n = fread(data + have, 1, READ_BYTES - have, stream);
        have += n;
        size_t whole = whole_records(data, have, &damaged, &ended);
        int ret = ft_decoder_feed(decoder, (const struct ft_record *)data, whole);
        if (ret)
            return err_set(err, ret, "cannot print the trace %s: %s", name, err_text(ret));
        memmove(data, data + whole, have - whole);
        have -= whole;
        if (damaged)
            return corrupt(err, name, "damaged in the middle");
        if (n == 0)
            break;
    }
    if (ferror(stream))
        return err_set(err, -EIO, "cannot read the trace %s: %s", name, err_text(-EIO));
    if (have || !ended)
        return corrupt(err, name, "cut short");
    return 0;
}

int ft_raw_read(FILE *stream, const char *name, struct ft_decoder *decoder, char **ops,
                struct err *err)
{
    struct ft_raw_head head;
    char *data = NULL;

    *ops = NULL;
    int ret = read_head(stream, name, &head, err);
    if (ret)
        return ret;
    *ops = calloc(1, head.ops_bytes + 1);
    data = malloc(READ_BYTES);
    if (!*ops || !data) {
        ret = err_set(err, -ENOMEM, "cannot read the trace %s: %s", name, err_text(-ENOMEM));
        goto out;
    }
    bool whole = fread(*ops, 1, head.ops_bytes, stream) == head.ops_bytes;
    ret = whole ? ft_decoder_set_ops(decoder, *ops, head.ops_bytes) : -EPROTO;
    if (ret == -ENOMEM) {
        err_set(err, ret, "cannot read the trace %s: %s", name, err_text(ret));
        goto out;
    }
    if (ret) {
        ret = corrupt(err, name, "its table of operations is damaged");
        goto out;
    }
    ret = read_records(stream, name, decoder, data, err);
out:
    free(data);
    return ret;
}
