/* SPDX-License-Identifier: MIT */
/* What compilers call without being asked, even for freestanding code. */
#include "tracer/linux/preload.h"

HIDDEN void *memset(void *to, int byte, size_t size_bytes);
HIDDEN void *memcpy(void *to, const void *from, size_t size_bytes);

void *memset(void *to, int byte, size_t size_bytes)
{
    void *start = to;
#if defined(__x86_64__)
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(size_bytes) : "a"(byte) : "memory");
#else
    for (volatile char *at = to; size_bytes; size_bytes--)
        *at++ = (char)byte;
#endif
    return start;
}

void *memcpy(void *to, const void *from, size_t size_bytes)
{
    void *start = to;
#if defined(__x86_64__)
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size_bytes) : : "memory");
#else
    const volatile char *source = from;
    for (volatile char *at = to; size_bytes; size_bytes--)
        *at++ = *source++;
#endif
    return start;
}
