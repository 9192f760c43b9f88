/* SPDX-License-Identifier: MIT */
/*
 * A 32-bit program cannot write into a 64-bit child, which stands where its addresses do not reach:
 * it asks the tracer, through a named pipe, to enter the child while that is suspended. What is
 * said there: pure bytes. Whoever knows the pipe's name may write anything into it.
 */
#ifndef TRACER_WINDOWS_ASK_H
#define TRACER_WINDOWS_ASK_H

#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "tracer/windows/entry.h"

/* Part of the injected library too: no C library behind this. Widths are fixed, for both sides
 * are of different ones. */

#define FT_ASK_MAGIC UINT64_C(0x316b7361660a1a0d)
#define FT_ANSWER_MAGIC UINT64_C(0x31736e61660a1a0d)

/** One message: enter this process. */
struct ft_ask {
    uint64_t magic;
    uint64_t nonce;   /**< of the log: only watched processes know it */
    uint64_t process; /**< handles, as the asking process has them */
    uint64_t thread;
};

/** One message back. */
struct ft_answer {
    uint64_t magic;
    uint64_t entry; /**< enum ft_entry */
};

_Static_assert(sizeof(struct ft_ask) == 32 && sizeof(struct ft_answer) == 16, "alike in both");

/**
 * Check a message that asks.
 * @nonce what it must hold
 * @out   zeroed on failure
 * @return 0; -EPROTO: not as we write them; -EACCES: another run's, or a guess; -EBADF: what
 *         it names cannot be a handle of a process and a thread, but stands for something else
 */
MUST_USE int ft_ask_read(const void *bytes, size_t size_bytes, uint64_t nonce, struct ft_ask *out);

/** What a message back says; FT_ENTRY_FAILED where it is none. */
enum ft_entry ft_answer_read(const void *bytes, size_t size_bytes);

#define FT_PIPE_NAME_UNITS 48u

/** The pipe's name, "\\.\pipe\filetrace-" and 16 digits; NUL-terminated. */
void ft_pipe_name(uint64_t pipe, uint16_t out[FT_PIPE_NAME_UNITS]);

#endif
