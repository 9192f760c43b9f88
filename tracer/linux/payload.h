/* SPDX-License-Identifier: MIT */
/* Where the code that records from inside a static program lies in it, and what it keeps there. */
#ifndef TRACER_LINUX_PAYLOAD_H
#define TRACER_LINUX_PAYLOAD_H

#include <stdint.h>

#include "tracer/record.h"

/*
 * Fixed addresses, because the filter lets through calls from there and is older than the
 * image: below every linker's images, above what vm.mmap_min_addr forbids. The text is read
 * and executed, the data read and written, nothing is all three.
 */
#define FT_PAYLOAD_BASE 0x150000u
#define FT_PAYLOAD_TEXT_BYTES 0x3000u /**< the filter's exempt range: no other code lies in it */
#define FT_PAYLOAD_STUBS (FT_PAYLOAD_BASE + FT_PAYLOAD_TEXT_BYTES)
#define FT_PAYLOAD_STUBS_BYTES 0x8000u
#define FT_PAYLOAD_DATA (FT_PAYLOAD_BASE + 0x10000u)
#define FT_PAYLOAD_PAGE_BYTES 4096u
#define FT_PAYLOAD_FOLDERS 8u
#define FT_PAYLOAD_DATA_BYTES (FT_PAYLOAD_PAGE_BYTES * (2u + FT_PAYLOAD_FOLDERS))
#define FT_PAYLOAD_END (FT_PAYLOAD_DATA + FT_PAYLOAD_DATA_BYTES)

/** Address of the text's first word, which holds the address that stubs call. */
#define FT_PAYLOAD_HOOK FT_PAYLOAD_BASE

/** First page of the data: a copy goes to each forked child. */
struct ft_payload_data {
    uint64_t nonce;          /**< of the log: the tracer knows its own payload by it */
    struct ft_log_head *log; /**< mapped by the bootstrap; NULL: that failed */
    uint32_t declines;       /**< not 0: every call is made at its site, and so notified */
    uint32_t pid_is_unsure;  /**< not 0: another process may run on this memory (vfork) */
};

/** What follows: zeroed by the kernel in each forked child (MADV_WIPEONFORK). */
struct ft_payload_wiped {
    uint32_t pid; /**< 0: to be asked for */
    uint32_t folder_in_use[FT_PAYLOAD_FOLDERS];
    char padding[FT_PAYLOAD_PAGE_BYTES - 4u * (1u + FT_PAYLOAD_FOLDERS)];
    char folders[FT_PAYLOAD_FOLDERS][FT_PAYLOAD_PAGE_BYTES]; /**< names, while one is recorded */
};

#define FT_PAYLOAD_WIPED (FT_PAYLOAD_DATA + FT_PAYLOAD_PAGE_BYTES)

_Static_assert(sizeof(struct ft_payload_wiped) == FT_PAYLOAD_DATA_BYTES - FT_PAYLOAD_PAGE_BYTES,
               "the data's pages are all used");

/** The payload's text, as it is linked for FT_PAYLOAD_BASE; FT_PAYLOAD_TEXT_BYTES of it. */
extern const unsigned char ft_payload_text[];

#endif
