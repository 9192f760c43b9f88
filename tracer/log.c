/* SPDX-License-Identifier: MIT */
/* The tracer's side of the shared log. */
#include "tracer/log.h"

#include <stddef.h>
#include <string.h>

#include "tracer/log_memory.h"
#include "tracer/log_write.h"

static void ft_log_wait(void)
{
    ft_log_memory_pause();
}

static void set_closed(struct ft_log *log)
{
    memset(log, 0, offsetof(struct ft_log, copy));
    log->fd = -1;
}

int ft_log_open(struct ft_log *out, struct err *err)
{
    set_closed(out);
    int ret = ft_log_memory_open(out);
    if (ret)
        return err_set(err, ret, "cannot make the shared log of %zu bytes: %s",
                       (size_t)FT_LOG_BYTES, err_text(ret));
    out->head->version = FT_LOG_VERSION;
    out->head->beat = 1;
    ATOMIC_STORE(&out->head->magic, FT_LOG_MAGIC);
    return 0;
}

void ft_log_close(struct ft_log *log)
{
    ft_log_memory_close(log);
    set_closed(log);
}

/** A committed record's size when it is sound and fits; 0 otherwise. */
static uint32_t sound_size(const struct ft_record *record, uint32_t state, size_t room_bytes)
{
    uint32_t size_bytes = state & ~FT_STATE_MARK;
    if (size_bytes % 8 || size_bytes < FT_RECORD_HEAD_BYTES || size_bytes > room_bytes)
        return 0;
    if ((state & FT_STATE_MARK) == FT_STATE_BEGUN)
        return size_bytes;
    if (record->base_bytes > FT_BASE_MAX || record->path_bytes > FT_PATH_MAX)
        return 0;
    size_t need = FT_RECORD_HEAD_BYTES + (size_t)record->base_bytes + record->path_bytes;
    return need <= size_bytes ? size_bytes : 0;
}

const struct ft_record *ft_record_next(const char *data, size_t size_bytes, size_t *offset,
                                       uint64_t *torn)
{
    bool in_hole = false;

    while (*offset + FT_RECORD_HEAD_BYTES <= size_bytes) {
        const struct ft_record *record = (const struct ft_record *)(data + *offset);
        uint32_t state = ATOMIC_LOAD(&record->state);
        uint32_t mark = state & FT_STATE_MARK;
        uint32_t size = 0;
        if (mark == FT_STATE_COMMITTED || mark == FT_STATE_BEGUN)
            size = sound_size(record, state, size_bytes - *offset);
        if (size && mark == FT_STATE_COMMITTED) {
            *offset += size;
            return record;
        }
        /* A hole of zeros (counted once, however long) or a record without its end. */
        if (size || (state && !in_hole))
            (*torn)++;
        in_hole = !size;
        *offset += size ? size : 8;
    }
    *offset = size_bytes;
    return NULL;
}

/** Is every byte of a closed chunk part of a committed record? Writers may still be at it: no
 * look behind the first one that is not committed. */
static bool chunk_is_whole(const char *data, size_t used_bytes)
{
    size_t offset = 0;

    while (offset + FT_RECORD_HEAD_BYTES <= used_bytes) {
        const struct ft_record *record = (const struct ft_record *)(data + offset);
        uint32_t state = ATOMIC_LOAD(&record->state);
        uint32_t size_bytes = (state & FT_STATE_MARK) == FT_STATE_COMMITTED
                                  ? sound_size(record, state, used_bytes - offset)
                                  : 0;
        if (!size_bytes)
            return false;
        offset += size_bytes;
    }
    return offset == used_bytes;
}

/**
 * Pass on committed records as a copy, checked again: attached programs can write into the log
 * between our look and the use of what was seen.
 */
static int pass_on(struct ft_log *log, const char *data, size_t size_bytes, ft_log_sink *sink,
                   void *context)
{
    memcpy(log->copy, data, size_bytes);
    if (!chunk_is_whole(log->copy, size_bytes)) {
        log->torn++; /* forged meanwhile */
        return 0;
    }
    return sink(context, (const struct ft_record *)(const void *)log->copy, size_bytes);
}

/** Writers that wait for room see that somebody is there. */
static void beat(struct ft_log_head *head)
{
    ATOMIC_STORE(&head->beat, head->beat + 1);
}

int ft_log_drain(struct ft_log *log, ft_log_sink *sink, void *context)
{
    struct ft_log_head *head = log->head;

    beat(head);
    for (uint32_t i = 0; i < FT_CHUNK_COUNT; i++) {
        if (ATOMIC_LOAD(&head->chunks[i].state) != FT_CHUNK_CLOSED)
            continue;
        char *data = ft_log_chunk(head, i);
        /* Attached programs can write anything here: check before use. */
        uint32_t used_bytes = ATOMIC_LOAD_RELAXED(&head->chunks[i].used_bytes);
        if (used_bytes > FT_CHUNK_BYTES || !chunk_is_whole(data, used_bytes))
            continue; /* a writer is still at it, or was killed: the end will tell */
        int ret = pass_on(log, data, used_bytes, sink, context);
        memset(data, 0, used_bytes);
        ATOMIC_STORE(&head->chunks[i].state, FT_CHUNK_FREE);
        if (i && i - 1 < ATOMIC_LOAD_RELAXED(&head->claim_hint))
            ATOMIC_STORE_RELAXED(&head->claim_hint, i - 1);
        beat(head);
        log->drained++;
        if (ret)
            return ret;
    }
    return 0;
}

/**
 * Pass on the committed records of one chunk, in runs without a hole.
 * @exact all of used_bytes has been reserved: zeros at the end are a hole too
 */
static int drain_chunk(struct ft_log *log, const char *data, size_t used_bytes, bool exact,
                       ft_log_sink *sink, void *context)
{
    uint64_t *torn = &log->torn;
    size_t offset = 0, run_start = 0, run_end = 0;
    uint64_t torn_seen = *torn;
    int ret = 0;

    for (const struct ft_record *record;
         (record = ft_record_next(data, used_bytes, &offset, torn));) {
        size_t start = (size_t)((const char *)record - data);
        if (start != run_end) {
            if (run_end > run_start)
                ret = pass_on(log, data + run_start, run_end - run_start, sink, context);
            if (ret)
                return ret;
            /* A gap of zeros: its writer was killed before it wrote the first byte. */
            if (*torn == torn_seen)
                (*torn)++;
            run_start = start;
        }
        torn_seen = *torn;
        run_end = offset;
    }
    if (exact && run_end < used_bytes && *torn == torn_seen)
        (*torn)++;
    if (run_end > run_start)
        ret = pass_on(log, data + run_start, run_end - run_start, sink, context);
    return ret;
}

/** How far a chunk has been reserved; @exact: as far as anybody knows, no further. */
static uint32_t chunk_extent(const struct ft_log_head *head, uint32_t chunk, uint32_t state,
                             bool *exact)
{
    *exact = true;
    uint32_t used_bytes = ATOMIC_LOAD_RELAXED(&head->chunks[chunk].used_bytes);
    if (state == FT_CHUNK_CLOSED && used_bytes <= FT_CHUNK_BYTES)
        return used_bytes;
    for (uint32_t i = 0; i < FT_CURSOR_COUNT; i++) {
        uint64_t place = ATOMIC_LOAD(&head->cursors[i].place);
        if ((uint32_t)(place >> 32) == chunk && ft_log_in_chunk(place, 0))
            return (uint32_t)place;
    }
    *exact = false;
    return FT_CHUNK_BYTES; /* its closer was killed: look everywhere */
}

int ft_log_drain_all(struct ft_log *log, ft_log_sink *sink, void *context)
{
    struct ft_log_head *head = log->head;

    for (uint32_t i = 0; i < FT_CHUNK_COUNT; i++) {
        uint32_t state = ATOMIC_LOAD(&head->chunks[i].state);
        if (state == FT_CHUNK_FREE)
            continue;
        bool exact;
        uint32_t used_bytes = chunk_extent(head, i, state, &exact);
        int ret = drain_chunk(log, ft_log_chunk(head, i), used_bytes, exact, sink, context);
        if (ret)
            return ret;
    }
    return 0;
}

uint64_t ft_log_lost(const struct ft_log *log)
{
    return ATOMIC_LOAD_RELAXED(&log->head->lost);
}

void ft_log_put(struct ft_log *log, const struct ft_record *head, const char *base,
                size_t base_bytes, const char *path, size_t path_bytes)
{
    if (base_bytes > FT_BASE_MAX)
        base_bytes = FT_BASE_MAX;
    if (path_bytes > FT_PATH_MAX)
        path_bytes = FT_PATH_MAX;
    ft_log_append(log->head, ft_log_memory_writer(), head, base, (uint32_t)base_bytes, path,
                  (uint32_t)path_bytes);
}
