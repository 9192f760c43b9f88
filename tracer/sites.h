/* SPDX-License-Identifier: MIT */
/* The places in a program's code where system calls on paths are made, and how to take them over.
 */
#ifndef TRACER_SITES_H
#define TRACER_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A site is a `syscall` instruction with at least five bytes of whole, movable instructions
 * before it. These go into a stub of the tracer's, a jump to which takes their place. The
 * `syscall` itself stays: a stub may always decline and go on there, as if nothing had been
 * changed, and whoever jumps to it from elsewhere finds it.
 *
 * Which sites are found decides how fast a program is watched, never what is seen: the filter
 * notifies the tracer of calls from all others.
 */

#define FT_JUMP_BYTES 5u
#define FT_SITE_MAX_BYTES (FT_JUMP_BYTES + 14u)
#define FT_STUB_MAX_BYTES 56u

struct ft_site {
    uint64_t address;   /**< of the first byte to move */
    uint8_t size_bytes; /**< of what is moved; the `syscall` follows */
    unsigned char bytes[FT_SITE_MAX_BYTES];
};

/** Does a system call of this number concern the tracer? */
typedef bool ft_site_wanted(uint32_t number);

/**
 * Find the sites in machine code whose number is wanted, or not known beforehand.
 * Left out: what cannot be decoded for sure, instructions that other code may jump between,
 * and cancellation points of C libraries that compare the interrupted address with their own.
 * @code    whole executable segment; @address of its first byte
 * @out     room for @max sites, in order of addresses
 * @return their number; @max when there may be more. Pure.
 */
size_t ft_sites_find(const unsigned char *code, size_t size_bytes, uint64_t address,
                     ft_site_wanted *wanted, struct ft_site *out, size_t max);

/**
 * Write the stub of a site. It calls the function whose address stands at @hook with the stack
 * pointer 128 bytes lower (the red zone) and all other registers as the site has them; with the
 * carry flag set on return the call is made at the site, else it has been made.
 * @stub    where the stub will stand; must be within 2 GiB of the site
 * @hook    address of the pointer, below 2 GiB
 * @out     FT_STUB_MAX_BYTES
 * @return its size, 0 when out of reach. Pure.
 */
size_t ft_stub_write(const struct ft_site *site, uint64_t stub, uint32_t hook, unsigned char *out);

/** The jump from a site to its stub, in FT_JUMP_BYTES. @return false when out of reach. Pure. */
bool ft_jump_write(uint64_t from, uint64_t to, unsigned char *out);

#endif
