/* SPDX-License-Identifier: MIT */
/* What a program's own instructions tell: does it make system calls past the C library? */
#ifndef TRACER_IMAGE_SCAN_H
#define TRACER_IMAGE_SCAN_H

#include <stddef.h>

#include "common/compiler.h"

/* Part of the injected library too: no C library behind this. */

/** The code holds system calls on paths of its own, or a function for any call. */
#define FT_CODE_CALLS 1u
/** The code names seccomp(2): it may want to be a notification supervisor itself. */
#define FT_CODE_SECCOMP 2u

/** Pieces of code that overlap by this many bytes hide nothing at their ends. */
#define FT_SCAN_CONTEXT 48u

/**
 * Look through machine code of this processor's kind. A heuristic: a system call instruction
 * counts when its number is loaded close before it and is one of the table's, or comes from a
 * function's argument. It may miss code that computes numbers otherwise; what it takes by
 * mistake is only watched in the slower way.
 * Pure.
 */
HIDDEN unsigned ft_image_scan(const unsigned char *code, size_t size_bytes);

#endif
