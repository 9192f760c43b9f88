/* SPDX-License-Identifier: MIT */
/* System calls by an instruction of the program's own. */
#ifndef SYSTEM_RAW_H
#define SYSTEM_RAW_H

#include <sys/syscall.h>

static inline long raw(long number, long a, long b, long c, long d)
{
    long result;
    register long r10 __asm__("r10") = d;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
                     : "rcx", "r11", "memory");
    return result;
}

#endif
