/* SPDX-License-Identifier: MIT */
/* The shapes of a system call's entry in ntdll, and what to write over one: pure bytes. */
#ifndef TRACER_WINDOWS_STUB_H
#define TRACER_WINDOWS_STUB_H

#include <stddef.h>
#include <stdint.h>

/* Part of the injected library too: no C library behind this. */

/** Whose code it is. */
enum ft_stub_machine { FT_STUB_X86_64, FT_STUB_I386, FT_STUB_AARCH64 };

#define FT_STUB_LOOK_BYTES 16u /**< of an entry that are looked at, and at most written over */
#define FT_STUB_ROOM_BYTES 64u /**< of a place beside, that the code there may take */

enum ft_stub_result {
    FT_STUB_HOOKED,
    FT_STUB_UNKNOWN, /**< no shape that we know: left alone */
    FT_STUB_FAR,     /**< the place beside is out of a short jump's reach: left alone */
};

/** What to write. */
struct ft_stub {
    uint8_t room[FT_STUB_ROOM_BYTES];  /**< to the place beside, first */
    uint8_t entry[FT_STUB_LOOK_BYTES]; /**< over the entry, its first entry_bytes */
    uint32_t entry_bytes;
    uint64_t original; /**< address that does what the entry did */
};

/**
 * Recognise an entry and say how to lead it to @hook.
 *
 *   x86-64   mov r10,rcx; mov eax,N; test byte [7ffe0308h],1 (Windows 10 and 11, wine)
 *            mov r10,rcx; mov eax,N; syscall; ret            (before)
 *   i386     mov eax,N                                       (all)
 *   aarch64  svc N; ret
 *   x86      jmp rel32: somebody was here first; they are called after us
 *
 * Instructions are copied whole, and none depends on where it stands.
 * @entry   FT_STUB_LOOK_BYTES bytes at @entry_address
 * @room_address where FT_STUB_ROOM_BYTES bytes will be executable
 * @out     undefined unless FT_STUB_HOOKED
 */
enum ft_stub_result ft_stub_make(enum ft_stub_machine machine, const uint8_t *entry,
                                 uint64_t entry_address, uint64_t room_address, uint64_t hook,
                                 struct ft_stub *out);

#endif
