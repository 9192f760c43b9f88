/* SPDX-License-Identifier: MIT */
/* Layout of the shared log and of its records: what every way in writes and the reader reads. */
#ifndef TRACER_RECORD_H
#define TRACER_RECORD_H

#include <stddef.h>
#include <stdint.h>

/*
 * This header is also part of the injected library: it may include no header that
 * needs a C library, and what it defines has no address-dependent initialiser.
 */

#define FT_LOG_VERSION 1u
#define FT_LOG_MAGIC UINT64_C(0x31676f6c74660a1a) /* "\x1a\nftlog1", little endian */

#define FT_CHUNK_BYTES 65536u
#define FT_CHUNK_COUNT 512u
/* The first chunks are left early: while the tracer keeps up, the same few pages are used again and
 * again. The first touch of a page costs a process more than all records in it. */
#define FT_SMALL_CHUNK_BYTES 16384u
#define FT_SMALL_CHUNK_COUNT 32u
#define FT_CURSOR_COUNT 256u
#define FT_PATH_MAX 4096u  /**< as the kernel's PATH_MAX, NUL included */
#define FT_BASE_MAX 32768u /**< a folder's name may be longer: openat() chains */

/** What a record tells. */
enum ft_kind {
    FT_KIND_ACCESS = 1,   /**< a path was tried: op, access, error, base and path */
    FT_KIND_ATTEMPT = 2,  /**< an exec that is about to be tried: an access without error unless
                               a result with the same pid and id says otherwise */
    FT_KIND_RESULT = 3,   /**< the attempt of this pid and id failed with `error` */
    FT_KIND_START = 4,    /**< an image begins to be watched; path: the image */
    FT_KIND_NOTE = 5,     /**< the trace is incomplete; error: enum ft_reason; path: the image;
                               pid 0: of the whole run */
    FT_KIND_EXPECT = 7,   /**< `pid` was spawned from the image at path and must record a start */
    FT_KIND_FORK = 8,     /**< a process of this pid has begun, by fork */
    FT_KIND_DEVICE = 9,   /**< Windows: what the kernel calls a disk (base), and what people do
                               (path); before all records of accesses */
    FT_KIND_ENTERED = 10, /**< a static image is watched from inside (error 0), or is not (error:
                              why not) and the kernel notifies of all its calls; path: the image */
    FT_KIND_SUMMARY = 6,  /**< last record of a raw trace; path: struct ft_raw_summary */
};

/** `error` of a call that the tracer saw begin and not end (the kernel's notification). */
#define FT_ERROR_UNKNOWN 0xffffu

/* Bits of `access`. */
#define FT_READ 1u
#define FT_WRITE 2u
#define FT_LIST 4u
#define FT_NT_NAMES 64u      /**< base and path are UTF-16, in the name space of the NT kernel */
#define FT_EXPECT_START 128u /**< of an attempt: the new image must record a start */

/**
 * A record. `state` is stored last: a reader takes a record only when it is committed,
 * steps over one that is not (its writer was killed), and over zeroed memory (killed
 * before it wrote anything) eight bytes at a time.
 */
struct ft_record {
    uint32_t state;      /**< FT_STATE_*, and the whole record's size, a multiple of 8 */
    uint32_t pid;        /**< process, not thread */
    uint16_t op;         /**< enum ft_op */
    uint16_t error;      /**< errno of the call, 0 when it succeeded */
    uint16_t base_bytes; /**< length of the folder that the path starts from; 0 for none */
    uint16_t path_bytes; /**< length of the path as the program gave it */
    uint8_t kind;
    uint8_t access;
    uint16_t id;  /**< ties a result to its attempt */
    char bytes[]; /**< base, path, zeros up to the size; neither is NUL-terminated */
};

/** What the end of a raw trace tells and no record does. */
struct ft_raw_summary {
    uint64_t lost;
    int32_t exit_code; /**< of the root command, or -1 */
    int32_t exit_signal;
    uint32_t kernel_guarantee; /**< 1: "kernel", 0: "calls" */
    uint32_t torn;             /**< records whose writer was killed half-way */
};

/**
 * Head of a raw trace. The names of the operations follow, each with its NUL, padded
 * with zeros to `ops_bytes`, a multiple of 8; then the records, the last a summary.
 */
struct ft_raw_head {
    uint64_t magic;      /**< FT_RAW_MAGIC */
    uint32_t version;    /**< FT_LOG_VERSION */
    uint32_t byte_order; /**< FT_RAW_BYTE_ORDER as the writer stores it */
    uint32_t ops_bytes;
    uint32_t padding;
};

#define FT_RAW_MAGIC UINT64_C(0x3177617274660a1a)        /* "\x1a\nftraw1", little endian */
#define FT_RAW_MAGIC_TURNED UINT64_C(0x1a0a667472617731) /* of the other byte order */
#define FT_RAW_BYTE_ORDER 0x01020304u

#define FT_STATE_BEGUN 0xf17d0000u
#define FT_STATE_COMMITTED 0xf17e0000u
#define FT_STATE_MARK 0xffff0000u

#define FT_RECORD_HEAD_BYTES offsetof(struct ft_record, bytes)
#define FT_RECORD_MAX_BYTES ((FT_RECORD_HEAD_BYTES + FT_BASE_MAX + FT_PATH_MAX + 7u) & ~7u)

/** A processor's place in its open chunk: chunk number << 32 | next free byte. Chunk 0 is none. */
struct ft_cursor {
    uint64_t place;
    uint64_t padding[7]; /* one cache line each */
};

/* States of a chunk, in the order that it goes through them. */
#define FT_CHUNK_FREE 0u
#define FT_CHUNK_CLAIMED 1u /**< one writer owns it; not yet in a cursor */
#define FT_CHUNK_OPEN 2u    /**< in a cursor */
#define FT_CHUNK_CLOSED 3u  /**< full: `used_bytes` says how far; may be drained */

struct ft_chunk {
    uint32_t state;
    uint32_t used_bytes; /**< valid once closed */
};

/** Where a watched process awaits the answer to a request (linux/request.h). */
struct ft_request_slot {
    uint32_t state; /**< futex */
    uint32_t owner; /**< process that waits; 0: none, or it has just taken the slot */
};

#define FT_REQUEST_SLOTS 64u

/** What was found in images, so that each is looked through once a run: a hash of which file it
 * is, its low byte replaced by FT_SCANNED and the findings; one place a file, the newest stays. */
#define FT_SCAN_SLOTS 1024u
#define FT_SCANNED 0x80u

/** Static images that the tracer knows at a time. */
#define FT_IMAGES_MAX 128u

/** Head of the shared memory; the chunks follow at FT_CHUNKS_OFFSET. */
struct ft_log_head {
    uint64_t magic;
    uint32_t version;
    uint32_t tracer_pid;
    uint64_t nonce;       /**< a process attaches only when its environment names it too */
    uint64_t lost;        /**< records that found no room */
    uint32_t claim_hint;  /**< where to look for a free chunk first: below it few are free */
    uint32_t full_waits;  /**< how often a writer had to wait for room */
    uint32_t flags;       /**< FT_FLAG_* */
    uint64_t interrupted; /**< notified calls that a signal took back before they were answered */
    uint32_t listeners_left; /**< how many more the tracer can serve; who makes one takes one */
    uint64_t beat;      /**< the tracer's pulse: another number whenever it has looked after the
                             log, or made room */
    uint64_t given_up;  /**< the pulse at which a writer stopped waiting; 0: none has */
    uint32_t guard_pid; /**< who has the listeners should the tracer end; 0: nobody */
    /* Close to the head: what each process touches lies in one page. */
    _Alignas(64) struct ft_cursor cursors[FT_CURSOR_COUNT];
    _Alignas(4096) struct ft_chunk chunks[FT_CHUNK_COUNT];
    struct ft_request_slot requests[FT_REQUEST_SLOTS];
    uint64_t scans[FT_SCAN_SLOTS];
    uint32_t busy[FT_IMAGES_MAX]; /**< 1: a process of the image has made many calls on paths */
};

#define FT_FLAG_DENY_IO_URING 1u
#define FT_FLAG_PTRACE 2u     /**< no listeners: ptrace only */
#define FT_FLAG_INJECT 4u     /**< static programs are to record from inside */
#define FT_FLAG_INJECT_ALL 8u /**< each of them, whether that pays or not */

#define FT_CHUNKS_OFFSET 65536u
#define FT_LOG_BYTES (FT_CHUNKS_OFFSET + (size_t)FT_CHUNK_COUNT * FT_CHUNK_BYTES)

_Static_assert(sizeof(struct ft_log_head) <= FT_CHUNKS_OFFSET, "the head fits before the chunks");
_Static_assert(FT_RECORD_MAX_BYTES <= FT_CHUNK_BYTES, "any record fits in a chunk");
_Static_assert(sizeof(struct ft_record) == 20, "the layout is part of the raw format");

/**
 * Name of the variable that tells a process how to attach, without '='. Its value:
 * tracer's pid, ':', the log's descriptor there, ':', the request pipe's descriptor
 * there, ':', the nonce; all decimal. A process that filters its own calls adds ':' and which
 * calls of ours the next image cannot make (linux/preload_allowed.h).
 */
#define FT_ENV "FILETRACE"

#endif
