/* SPDX-License-Identifier: MIT */
/* What a program's own instructions tell. */
#include "tracer/image_scan.h"

#include <stdbool.h>
#include <stdint.h>

#include "tracer/linux/syscalls.h"

#define SECCOMP_X86_64 317u
#define SECCOMP_AARCH64 277u

static bool is_path_call(uint32_t number, enum ft_machine machine)
{
    for (size_t i = 0; i < ft_syscalls_count; i++)
        if (ft_syscalls[i].number[machine] == (int)number)
            return true;
    return false;
}

#if defined(__x86_64__)

/* How far before the instruction its number is looked for: the arguments are loaded between. */
#define WINDOW_BYTES 32u

static uint32_t word_at(const unsigned char *code)
{
    return code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
}

/** Is what stands before the instruction the load of a number that matters? */
static bool loads_number(const unsigned char *window, size_t size_bytes, bool returns)
{
    for (size_t i = 0; i + 3 <= size_bytes; i++) {
        /* mov $NUMBER, %eax */
        if (i + 5 <= size_bytes && window[i] == 0xb8 &&
            is_path_call(word_at(window + i + 1), FT_MACHINE_X86_64))
            return true;
        /* mov $NUMBER, %rax */
        if (i + 7 <= size_bytes && window[i] == 0x48 && window[i + 1] == 0xc7 &&
            window[i + 2] == 0xc0 && is_path_call(word_at(window + i + 3), FT_MACHINE_X86_64))
            return true;
        /* mov %rdi, %rax: a function for any number */
        if (returns && window[i] == 0x48 && window[i + 1] == 0x89 && window[i + 2] == 0xf8)
            return true;
    }
    return false;
}

/** What follows the call in a function for any number: its result is tested or returned. */
static bool looks_returned(const unsigned char *after, size_t size_bytes)
{
    return after[0] == 0xc3 ||
           (size_bytes > 1 && after[0] == 0x48 &&
            (after[1] == 0x3d || after[1] == 0x83 || after[1] == 0x85 || after[1] == 0x81));
}

/** The next @byte from @at on, or @end. */
static const unsigned char *find_byte(const unsigned char *at, const unsigned char *end,
                                      unsigned char byte)
{
    const uint64_t each = 0x0101010101010101u;
    for (; at + 8 <= end; at += 8) {
        uint64_t word;
        __builtin_memcpy(&word, at, 8);
        word ^= each * byte;
        uint64_t zero = (word - each) & ~word & (each << 7);
        if (zero)
            return at + (unsigned)__builtin_ctzll(zero) / 8;
    }
    while (at < end && *at != byte)
        at++;
    return at;
}

unsigned ft_image_scan(const unsigned char *code, size_t size_bytes)
{
    const unsigned char *end = code + size_bytes;
    unsigned found = 0;

    /* syscall is 0f 05. Behind a real one there is never a zero byte (add %al, (%rax)), as
     * there is behind most of the numbers that look like it. */
    for (const unsigned char *at = code; (at = find_byte(at, end, 0x05)) + 1 < end; at++) {
        if (at == code || at[-1] != 0x0f || at[1] == 0)
            continue;
        size_t before = (size_t)(at - 1 - code);
        if (before > WINDOW_BYTES)
            before = WINDOW_BYTES;
        if (loads_number(at - 1 - before, before, looks_returned(at + 1, (size_t)(end - at) - 1)))
            found |= FT_CODE_CALLS;
    }
    /* mov $317, %eax and mov $317, %edi, for the C library's syscall(): bX 3d 01 00 00. */
    for (const unsigned char *at = code;
         (at = find_byte(at, end, SECCOMP_X86_64 & 0xff)) + 4 <= end; at++)
        if (at > code && (at[-1] == 0xb8 || at[-1] == 0xbf) && word_at(at) == SECCOMP_X86_64)
            found |= FT_CODE_SECCOMP;
    return found;
}

#elif defined(__aarch64__)

#define SVC 0xd4000001u            /* svc #0 */
#define MOVE_X8_X0 0xaa0003e8u     /* mov x8, x0: a function for any number */
#define MOVE_X8_NUMBER 0xd2800008u /* mov x8, #NUMBER (bits 5 to 20) */
#define MOVE_X0_NUMBER 0xd2800000u
#define NUMBER_BITS 0x001fffe0u
#define WINDOW_INSTRUCTIONS 8u

unsigned ft_image_scan(const unsigned char *code, size_t size_bytes)
{
    const uint32_t *at = (const uint32_t *)(const void *)code;
    size_t count = size_bytes / 4;
    unsigned found = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t number = (at[i] & NUMBER_BITS) >> 5;
        uint32_t move = at[i] & ~NUMBER_BITS & ~0x80000000u; /* w8 or x8 */
        if ((move == (MOVE_X8_NUMBER & ~0x80000000u) || move == (MOVE_X0_NUMBER & ~0x80000000u)) &&
            number == SECCOMP_AARCH64)
            found |= FT_CODE_SECCOMP;
        if (at[i] != SVC)
            continue;
        for (size_t k = i > WINDOW_INSTRUCTIONS ? i - WINDOW_INSTRUCTIONS : 0; k < i; k++) {
            uint32_t loads = at[k] & ~NUMBER_BITS & ~0x80000000u;
            if (at[k] == MOVE_X8_X0 ||
                (loads == (MOVE_X8_NUMBER & ~0x80000000u) &&
                 is_path_call((at[k] & NUMBER_BITS) >> 5, FT_MACHINE_AARCH64)))
                found |= FT_CODE_CALLS;
        }
    }
    return found;
}

#endif
