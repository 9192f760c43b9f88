/* SPDX-License-Identifier: MIT */
/* The tracer's side of the shared log: make it, empty it while programs run, count what is lost. */
#ifndef TRACER_LOG_H
#define TRACER_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "common/err.h"
#include "tracer/record.h"

/** The log as the tracer sees it. */
struct ft_log {
    struct ft_log_head *head; /**< mapped; NULL when closed */
    int fd;           /**< of the shared memory, close-on-exec; -1: nobody else can attach */
    char *path;       /**< on macOS: of the file, gone when closed; owned */
    void *section;    /**< on Windows, where fd is -1: its handle, not inherited */
    uint64_t torn;    /**< records whose writer was killed half-way */
    uint64_t drained; /**< chunks that ft_log_drain() has passed on */
    /** The records that are passed on. In here and last: where few come, few pages are touched. */
    _Alignas(8) char copy[FT_CHUNK_BYTES];
};

/**
 * Receives whole committed records, one after the other, in no promised order. They are a copy
 * that no watched program can reach, valid during the call.
 * @return 0, or a negative errno value, which ends the draining and is passed on
 */
typedef int ft_log_sink(void *context, const struct ft_record *records, size_t size_bytes);

/**
 * Make the shared memory: a memfd, so that the size of /dev/shm does not matter; where that
 * is denied, an unnamed file below /dev/shm, /tmp or /var/tmp; where there is neither, memory
 * that no other program can attach to, with fd -1. On macOS: a file in TMPDIR.
 * @out for ft_log_close(); on failure closed, with fd -1
 * @return 0, or what the system says (-ENOMEM, -EMFILE, ...)
 */
MUST_USE int ft_log_open(struct ft_log *out, struct err *err);

/** Unmap and close. Processes that are still attached keep their mapping. */
void ft_log_close(struct ft_log *log);

/**
 * Pass on and free every chunk that is full and wholly committed. Cheap when there is
 * none. Safe beside writers; not beside another drain.
 * @return 0, or what @sink returned
 */
MUST_USE int ft_log_drain(struct ft_log *log, ft_log_sink *sink, void *context);

/**
 * Pass on everything that is committed, in every chunk, and count the half-written
 * records. For the end: a process that still writes may be missed.
 * @return 0, or what @sink returned
 */
MUST_USE int ft_log_drain_all(struct ft_log *log, ft_log_sink *sink, void *context);

/** Records that found no room so far. */
uint64_t ft_log_lost(const struct ft_log *log);

/** Append a record from the tracer itself. Thread safe, also beside watched processes. */
void ft_log_put(struct ft_log *log, const struct ft_record *head, const char *base,
                size_t base_bytes, const char *path, size_t path_bytes);

/** Whether another process is attached. */
enum ft_attached { FT_ATTACHED_NOBODY, FT_ATTACHED_SOMEBODY, FT_ATTACHED_UNKNOWN };

/**
 * Is another process attached, so that what it will do is not recorded?
 * @return FT_ATTACHED_UNKNOWN where the kernel does not say. Forked children of this process that
 *         have its mapping do not count.
 */
enum ft_attached ft_log_attached(const struct ft_log *log);

/**
 * The next committed record in a chunk's or file's bytes.
 * @offset where to look; moved behind the record, or to @size_bytes at the end
 * @torn   raised by each half-written record that was stepped over
 * @return NULL at the end. The record and its lengths lie within the bytes, and are
 *         at most FT_BASE_MAX and FT_PATH_MAX
 */
const struct ft_record *ft_record_next(const char *data, size_t size_bytes, size_t *offset,
                                       uint64_t *torn);

#endif
