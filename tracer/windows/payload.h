/* SPDX-License-Identifier: MIT */
/* What a process that is entered finds in its memory: how to attach, and how to go on. */
#ifndef TRACER_WINDOWS_PAYLOAD_H
#define TRACER_WINDOWS_PAYLOAD_H

#include <stdint.h>

/* Fixed widths: 32-bit and 64-bit processes give this to each other. */

#define FT_PAYLOAD_MAGIC UINT64_C(0x316c7074660a1a0d)
#define FT_LIBRARY_UNITS 1024u /**< of the libraries' paths, NUL included */

/** Which libraries there are. */
enum ft_library { FT_LIBRARY_64, FT_LIBRARY_32, FT_LIBRARY_COUNT };

/** A directory of an image as it was before ours took its place. */
struct ft_directory {
    uint32_t address; /**< relative to the image */
    uint32_t size_bytes;
};

struct ft_payload {
    uint64_t magic;
    uint64_t nonce;       /**< of the log */
    uint64_t log_section; /**< handle of the log's memory, in the process that has this */
    uint64_t tracer;      /**< handle of the tracer, to wait for, there too; 0: none */
    uint64_t pipe;        /**< number in the name of the tracer's pipe (ask.h); 0: there is none */
    uint32_t size_bytes;  /**< of this struct */
    uint32_t block_bytes; /**< from here to our import descriptors; 0: entered by an APC */
    struct ft_directory imports, bound_imports, addresses;  /**< the image's own */
    uint16_t libraries[FT_LIBRARY_COUNT][FT_LIBRARY_UNITS]; /**< DOS paths; empty: there is none */
};

_Static_assert(sizeof(struct ft_payload) % 8 == 0, "no padding that compilers could see apart");

#endif
