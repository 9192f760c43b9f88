/* SPDX-License-Identifier: MIT */
/* Where the code that records from inside a static program lies in it, and what it keeps there. */
#ifndef TRACER_LINUX_PAYLOAD_H
#define TRACER_LINUX_PAYLOAD_H

#include <stdint.h>

#include "tracer/record.h"

/*
 * Fixed addresses, because the filter lets through calls from there and is older than the
 * image: below every linker's images, above what vm.mmap_min_addr forbids, and all of it within
 * one table of pages (2 MiB): on a virtual machine a new one costs more than anything else here.
 * The code is read and executed, the data and the log are read and written, nothing is all three.
 */
#define FT_PAYLOAD_PAGE_BYTES 4096u
#define FT_PAYLOAD_BASE 0x40000u
/** The filter's exempt range: nothing else makes calls there. */
#define FT_PAYLOAD_TEXT_BYTES 0x1800u
#define FT_PAYLOAD_STUBS (FT_PAYLOAD_BASE + FT_PAYLOAD_TEXT_BYTES)
#define FT_PAYLOAD_DATA (FT_PAYLOAD_BASE + 0xa000u)
#define FT_PAYLOAD_STUBS_BYTES (FT_PAYLOAD_DATA - FT_PAYLOAD_STUBS)
#define FT_PAYLOAD_FOLDERS 8u
#define FT_PAYLOAD_DATA_BYTES (FT_PAYLOAD_PAGE_BYTES * (2u + FT_PAYLOAD_FOLDERS))

/** The log's head and first chunks, as many as there is room for. */
#define FT_PAYLOAD_LOG 0x60000u
#define FT_PAYLOAD_END 0x200000u
#define FT_PAYLOAD_LOG_BYTES (FT_PAYLOAD_END - FT_PAYLOAD_LOG)
#define FT_PAYLOAD_LOG_CHUNKS ((FT_PAYLOAD_LOG_BYTES - FT_CHUNKS_OFFSET) / FT_CHUNK_BYTES)

/** What the code begins with: for the payload to read, for the tracer to write. A forked child has
 * the same. */
struct ft_payload_head {
    uint64_t hook;          /**< address that stubs call; of this payload, whatever the tracer's */
    uint64_t nonce;         /**< of the log: the tracer knows its own payload by it */
    uint32_t declines;      /**< not 0: every call is made at its site, and so notified */
    uint32_t pid_is_unsure; /**< not 0: another process may run on this memory (vfork) */
    uint64_t image;         /**< its place in ft_log_head.busy */
};

/** A process that makes so many calls on paths has gained by being injected: on a busy virtual
 * machine that took 0.7 ms of processor time, and a notified call 0.018 ms. */
#define FT_WORTH_CALLS 32u

/** Address of the pointer that stubs call by. */
#define FT_PAYLOAD_HOOK FT_PAYLOAD_BASE

/** First page of the data, which a forked child gets a copy of. */
struct ft_payload_data {
    char *log; /**< the whole log, mapped when a chunk behind the first ones is used; else NULL */
};

/** What follows: zeroed by the kernel in each forked child (MADV_WIPEONFORK). */
struct ft_payload_wiped {
    uint32_t pid;       /**< 0: to be asked for */
    uint32_t is_mapped; /**< the bootstrap has done all that it is to do */
    uint32_t calls;     /**< recorded, up to FT_WORTH_CALLS */
    uint32_t folder_in_use[FT_PAYLOAD_FOLDERS];
    char padding[FT_PAYLOAD_PAGE_BYTES - 4u * (3u + FT_PAYLOAD_FOLDERS)];
    char folders[FT_PAYLOAD_FOLDERS][FT_PAYLOAD_PAGE_BYTES]; /**< names, while one is recorded */
};

#define FT_PAYLOAD_WIPED (FT_PAYLOAD_DATA + FT_PAYLOAD_PAGE_BYTES)

_Static_assert(sizeof(struct ft_payload_wiped) == FT_PAYLOAD_DATA_BYTES - FT_PAYLOAD_PAGE_BYTES,
               "the data's pages are all used");
_Static_assert(FT_PAYLOAD_DATA + FT_PAYLOAD_DATA_BYTES <= FT_PAYLOAD_LOG, "one behind the other");
_Static_assert(sizeof(struct ft_log_head) <= FT_PAYLOAD_LOG_BYTES, "the log's head is there");

/** The payload's text, as it is linked for FT_PAYLOAD_BASE; FT_PAYLOAD_TEXT_BYTES of it. */
extern const unsigned char ft_payload_text[];

#endif
