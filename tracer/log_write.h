/* SPDX-License-Identifier: MIT */
/* Appending to the shared log: one inline writer for the injected code and for the tracer. */
#ifndef TRACER_LOG_WRITE_H
#define TRACER_LOG_WRITE_H

#include <stdbool.h>

#include "common/compiler.h"
#include "tracer/record.h"

/*
 * How it works. Each processor has a cursor into a chunk; a writer reserves its bytes
 * with one fetch-and-add on a line that other processors rarely touch (one shared
 * atomic a record costs 19% of processor time on two cores). Processes and threads
 * need no state of their own: fork, vfork, signals and threads are all alike.
 *
 * The writer whose reservation crosses the end of the chunk closes it. Each writer
 * that finds no room claims a free chunk, writes its record there, and offers it as
 * the processor's next one. Chunks are emptied and freed by the tracer.
 *
 * Nothing here allocates, locks or makes a system call, but for the wait for a free
 * chunk, which ft_log_wait() makes: as long as the tracer shows by its pulse that it lives.
 */

/** Give the tracer time to free a chunk. Each way in has its own. */
static void ft_log_wait(void);

/** How often to wait, without a sign of life of the tracer, before a record counts as lost: 2 s and
 * more. Whoever comes later does not wait until there is one. */
#define FT_LOG_WAITS 10000u
/** And with one, as long as nothing is lost. */
#define FT_LOG_WAITS_ALIVE 100000u

static inline size_t ft_log_chunk_offset(uint32_t chunk)
{
    return FT_CHUNKS_OFFSET + (size_t)chunk * FT_CHUNK_BYTES;
}

static inline char *ft_log_chunk(struct ft_log_head *log, uint32_t chunk)
{
    return (char *)log + ft_log_chunk_offset(chunk);
}

/** Where a writer's record goes, @offset bytes into a chunk. Who does not map all chunks from the
 * start has one of its own; NULL: the record is lost, which it has counted. */
static inline char *ft_log_place(struct ft_log_head *log, uint32_t chunk, uint32_t offset);

#ifndef FT_LOG_IS_PARTLY_MAPPED
static inline char *ft_log_place(struct ft_log_head *log, uint32_t chunk, uint32_t offset)
{
    return ft_log_chunk(log, chunk) + offset;
}
#endif

/** How many bytes of a chunk are filled one record after the other. */
static inline uint32_t ft_log_chunk_limit(uint32_t chunk)
{
    return chunk <= FT_SMALL_CHUNK_COUNT ? FT_SMALL_CHUNK_BYTES : FT_CHUNK_BYTES;
}

/**
 * Does a cursor name a place in a chunk with room for @size_bytes? Watched programs can write
 * anything there, and the tracer writes where it points: in its own memory.
 */
static inline bool ft_log_in_chunk(uint64_t place, uint32_t size_bytes)
{
    /* Chunk 0 is none, so that memory that was never written says "no chunk yet". */
    return (place >> 32) - 1 < FT_CHUNK_COUNT - 1 &&
           (uint64_t)(uint32_t)place + size_bytes <= ft_log_chunk_limit((uint32_t)(place >> 32));
}

/** Take a free chunk, a low one when there is one; -1 when there is none. */
static NO_INLINE int32_t ft_log_claim(struct ft_log_head *log)
{
    uint32_t first = ATOMIC_LOAD_RELAXED(&log->claim_hint);
    for (uint32_t i = 0; i < FT_CHUNK_COUNT - 1; i++) {
        uint32_t chunk = 1 + (first + i) % (FT_CHUNK_COUNT - 1);
        uint32_t expected = FT_CHUNK_FREE;
        if (ATOMIC_LOAD_RELAXED(&log->chunks[chunk].state) != FT_CHUNK_FREE ||
            !ATOMIC_EXCHANGE_IF(&log->chunks[chunk].state, &expected, FT_CHUNK_CLAIMED))
            continue;
        ATOMIC_STORE_RELAXED(&log->claim_hint, chunk);
        return (int32_t)chunk;
    }
    return -1;
}

/** How long a writer has waited. */
struct ft_log_patience {
    uint64_t beat; /* the tracer's, when it was looked at last */
    uint32_t waits, silent;
};

/** Wait until the tracer has made room, or somebody has found some for this processor.
 * @return false when there is no point in it: the record is lost */
static NO_INLINE bool ft_log_await_room(struct ft_log_head *log, const struct ft_cursor *cursor,
                                        uint32_t size_bytes, struct ft_log_patience *patience)
{
    for (;;) {
        uint64_t beat = ATOMIC_LOAD(&log->beat);
        bool changed = beat != patience->beat;
        patience->silent = changed ? 0 : patience->silent + 1;
        patience->beat = beat;
        /* The first look only tells what there is. */
        if (patience->waits && changed)
            return true;
        uint32_t most = ATOMIC_LOAD_RELAXED(&log->lost) ? FT_LOG_WAITS : FT_LOG_WAITS_ALIVE;
        if (beat == ATOMIC_LOAD_RELAXED(&log->given_up))
            return false;
        if (patience->silent == FT_LOG_WAITS || patience->waits == most) {
            ATOMIC_STORE_RELAXED(&log->given_up, beat);
            return false;
        }
        patience->waits++;
        ATOMIC_ADD_RELAXED(&log->full_waits, 1);
        ft_log_wait();
        if (ft_log_in_chunk(ATOMIC_LOAD_RELAXED(&cursor->place), size_bytes))
            return true;
    }
}

static inline void ft_log_close_chunk(struct ft_log_head *log, uint32_t chunk, uint32_t used_bytes)
{
    log->chunks[chunk].used_bytes = used_bytes;
    ATOMIC_STORE(&log->chunks[chunk].state, FT_CHUNK_CLOSED);
}

/** Put a record of @size_bytes first into a chunk that is ours, and offer the rest. */
static inline char *ft_log_begin_chunk(struct ft_log_head *log, struct ft_cursor *cursor,
                                       uint32_t chunk, uint32_t size_bytes)
{
    uint64_t fresh = (uint64_t)chunk << 32 | size_bytes;
    uint64_t seen = ATOMIC_LOAD_RELAXED(&cursor->place);
    /* The state goes first: once in the cursor, another writer may fill and close it. */
    ATOMIC_STORE(&log->chunks[chunk].state, FT_CHUNK_OPEN);
    while (ft_log_in_chunk(fresh, 0) && !ft_log_in_chunk(seen, 0)) {
        if (ATOMIC_EXCHANGE_IF(&cursor->place, &seen, fresh))
            return ft_log_place(log, chunk, 0);
    }
    /* Somebody else has renewed the cursor, or the record fills the chunk: it holds this one. */
    ft_log_close_chunk(log, chunk, size_bytes);
    return ft_log_place(log, chunk, 0);
}

/** The reservation at @place did not fit: find room in a new chunk. */
static NO_INLINE char *ft_log_next_chunk(struct ft_log_head *log, struct ft_cursor *cursor,
                                         uint64_t place, uint32_t size_bytes)
{
    struct ft_log_patience patience = {0, 0, 0};

    for (;;) {
        /* Offsets only grow, so exactly one reservation crosses the end. */
        if (ft_log_in_chunk(place, 0))
            ft_log_close_chunk(log, (uint32_t)(place >> 32), (uint32_t)place);
        int32_t claimed = ft_log_claim(log);
        if (claimed >= 0)
            return ft_log_begin_chunk(log, cursor, (uint32_t)claimed, size_bytes);
        if (!ft_log_await_room(log, cursor, size_bytes, &patience)) {
            ATOMIC_ADD_RELAXED(&log->lost, 1);
            return NULL;
        }
        /* Of many that wait each would take a chunk for itself: the others follow the first. */
        place = 0;
        if (!ft_log_in_chunk(ATOMIC_LOAD_RELAXED(&cursor->place), size_bytes))
            continue;
        place = ATOMIC_ADD(&cursor->place, size_bytes);
        if (ft_log_in_chunk(place, size_bytes))
            return ft_log_chunk(log, (uint32_t)(place >> 32)) + ((uint32_t)place & ~7u);
    }
}

/** Room for a record of @size_bytes (a multiple of 8); NULL when it is lost, which is counted. */
static inline char *ft_log_reserve(struct ft_log_head *log, uint32_t cpu, uint32_t size_bytes)
{
    struct ft_cursor *cursor = &log->cursors[cpu % FT_CURSOR_COUNT];
    uint64_t place = ATOMIC_ADD(&cursor->place, size_bytes);
    if (LIKELY(ft_log_in_chunk(place, size_bytes)))
        return ft_log_place(log, (uint32_t)(place >> 32), (uint32_t)place & ~7u);
    return ft_log_next_chunk(log, cursor, place, size_bytes);
}

static inline void ft_log_copy(char *to, const char *from, uint32_t size_bytes)
{
    /* By words: a call to memcpy is what the injected library cannot make. */
    uint32_t i = 0;
    for (; i + 8 <= size_bytes; i += 8) {
        uint64_t word;
        COPY_FIXED(&word, from + i, 8);
        COPY_FIXED(to + i, &word, 8);
    }
    for (; i < size_bytes; i++)
        to[i] = from[i];
}

/**
 * Append a record.
 * @cpu   the processor that runs us, or any number that seldom collides: ft_log_cpu()
 * @head  all but state, base_bytes and path_bytes
 * @base, @path  at most FT_BASE_MAX and FT_PATH_MAX bytes; readable
 */
HOT static inline void ft_log_append(struct ft_log_head *log, uint32_t cpu,
                                     const struct ft_record *head, const char *base,
                                     uint32_t base_bytes, const char *path, uint32_t path_bytes)
{
    uint32_t size_bytes = (uint32_t)(FT_RECORD_HEAD_BYTES + base_bytes + path_bytes + 7u) & ~7u;
    char *room = ft_log_reserve(log, cpu, size_bytes);
    if (UNLIKELY(!room))
        return;

    struct ft_record *record = (struct ft_record *)room;
    /* With the size in place a killed writer costs its own record only. What it has written by
     * then it has written in this order, so only the compiler must keep it. */
    ATOMIC_STORE_RELAXED(&record->state, FT_STATE_BEGUN | size_bytes);
    COMPILER_FENCE();
    record->pid = head->pid;
    record->op = head->op;
    record->error = head->error;
    record->base_bytes = (uint16_t)base_bytes;
    record->path_bytes = (uint16_t)path_bytes;
    record->kind = head->kind;
    record->access = head->access;
    record->id = head->id;
    ft_log_copy(record->bytes, base, base_bytes);
    ft_log_copy(record->bytes + base_bytes, path, path_bytes);
    ATOMIC_STORE(&record->state, FT_STATE_COMMITTED | size_bytes);
}

#endif
