/* SPDX-License-Identifier: MIT */
/* From recorded bytes to accesses and a summary: shared by live printing and `filetrace print`. */
#ifndef TRACER_TRACE_H
#define TRACER_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "common/err.h"
#include "tracer/image.h"
#include "tracer/record.h"

/** One attempt to access a path. */
struct ft_access {
    uint32_t pid;
    const char *op;   /**< "openat"; lives for ever */
    unsigned access;  /**< FT_READ | FT_WRITE | FT_LIST */
    unsigned error;   /**< errno value, 0 when it succeeded */
    const char *path; /**< absolute and lexically normal (relative only when its folder is not
                           known); borrowed, valid during the call; may hold any byte but NUL */
    size_t path_bytes;
};

/** Receives accesses. @return 0, or a negative errno value, which ends the reading */
typedef int ft_access_sink(void *context, const struct ft_access *access);

/** Why a trace is incomplete, for one process. */
struct ft_incomplete {
    uint32_t pid;    /**< 0: the whole run */
    unsigned reason; /**< enum ft_reason */
    char *image;     /**< path, or NULL */
};

#define FT_LOST_MAX (UINT64_C(9007199254740991)) /**< 2^53 - 1; more is called this many */
#define FT_INCOMPLETE_MAX 256                    /**< entries kept; further ones are only counted */

/** What the end of a trace says. */
struct ft_summary {
    uint64_t accesses;  /**< all of them, repeats included */
    uint64_t lost;      /**< at most FT_LOST_MAX */
    uint64_t processes; /**< that were seen to begin or to access anything */
    bool complete;
    bool kernel_guarantee;            /**< "kernel", else "calls" */
    uint64_t injected;                /**< static images that recorded from inside */
    uint64_t not_injected;            /**< and those that could not: the kernel notified of all */
    unsigned inject_error;            /**< errno value: why the first of these could not */
    int exit_code;                    /**< of the root command; -1 when a signal ended it */
    int exit_signal;                  /**< 0 when it exited */
    uint64_t incomplete_total;        /**< as many reasons as there were */
    size_t incomplete_count;          /**< entries in the array */
    struct ft_incomplete *incomplete; /**< at most FT_INCOMPLETE_MAX */
};

/** Reads records in any order. */
struct ft_decoder;

/**
 * @sink  receives the accesses; NULL to count only
 * @out   for ft_decoder_free(); NULL on failure
 * @return 0 or -ENOMEM
 */
MUST_USE int ft_decoder_new(ft_access_sink *sink, void *context, struct ft_decoder **out);

/**
 * Translate operation numbers by a raw trace's own table of names.
 * @names NUL-terminated strings one after the other; must outlive the decoder
 * @return 0, -ENOMEM or -EPROTO (more names than any version has, or none, or no name of a call)
 */
MUST_USE int ft_decoder_set_ops(struct ft_decoder *decoder, const char *names, size_t size_bytes);

/** Take whole committed records (an ft_log_sink). @return 0, -ENOMEM, or what the sink returned */
MUST_USE int ft_decoder_feed(void *decoder, const struct ft_record *records, size_t size_bytes);

/** What the end of a run says; a raw trace's own summary comes through the records. */
void ft_decoder_set_end(struct ft_decoder *decoder, const struct ft_raw_summary *end);

/** Add a reason that no record tells. */
void ft_decoder_add_reason(struct ft_decoder *decoder, uint32_t pid, unsigned reason,
                           const char *image);

/**
 * Pass on what still waited, and draw the sum.
 * @out  borrowed, valid until the decoder is freed
 * @return 0, -ENOMEM, or what the sink returned
 */
MUST_USE int ft_decoder_finish(struct ft_decoder *decoder, struct ft_summary **out);

/** Call @each for every process that began to be watched. */
void ft_decoder_each_process(struct ft_decoder *decoder, void (*each)(void *context, uint32_t pid),
                             void *context);

void ft_decoder_free(struct ft_decoder *decoder);

#endif
