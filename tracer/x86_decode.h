/* SPDX-License-Identifier: MIT */
/* Where an x86-64 instruction ends, and whether it may be moved: as much of it as patching needs.
 */
#ifndef TRACER_X86_DECODE_H
#define TRACER_X86_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FT_X86_MAX_BYTES 15u

/** One instruction. */
struct ft_x86 {
    uint8_t size_bytes;
    bool control;      /**< goes elsewhere, or enters the kernel: what follows may not be next */
    bool rip_relative; /**< names memory by its own address */
    bool has_target;   /**< a relative jump or call, to `target` bytes from its first byte */
    int64_t target;
};

/**
 * Decode the instruction at @code. Complete for what user programs may execute, up to AVX-512;
 * what is no instruction, needs more than @size_bytes, or is beyond the table is refused.
 * @return false when refused. Pure.
 */
bool ft_x86_decode(const unsigned char *code, size_t size_bytes, struct ft_x86 *out);

#endif
