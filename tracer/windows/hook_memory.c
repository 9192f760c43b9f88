/* SPDX-License-Identifier: MIT */
/* What compilers call by themselves where there is no C library. */
#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size_bytes);
void *memset(void *to, int byte, size_t size_bytes);

void *memcpy(void *to, const void *from, size_t size_bytes)
{
    unsigned char *out = to;
    const unsigned char *in = from;
    while (size_bytes--)
        *out++ = *in++;
    return to;
}

void *memset(void *to, int byte, size_t size_bytes)
{
    unsigned char *out = to;
    while (size_bytes--)
        *out++ = (unsigned char)byte;
    return to;
}
