/* SPDX-License-Identifier: MIT */
/* System calls without a C library: the result is the value or a negative errno value. */
#ifndef TRACER_LINUX_SYS_H
#define TRACER_LINUX_SYS_H

#include <asm/unistd.h>

#if defined(__clang_analyzer__) || defined(TRACETAX_ANALYZER) /* scripts/analyze.sh */

/* An analyzer believes that an asm writes none of the memory whose address it gets as a number;
 * of a function that it cannot see it expects everything. */
long sys6(long number, long a, long b, long c, long d, long e, long f);

#elif defined(__x86_64__)

static inline long sys6(long number, long a, long b, long c, long d, long e, long f)
{
    long ret;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(ret)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return ret;
}

#elif defined(__aarch64__)

static inline long sys6(long number, long a, long b, long c, long d, long e, long f)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
}

#else
#error "sys6() is not written for this processor"
#endif

/** Did a call that returns an address fail? A good address can look like a negative number too. */
static inline int sys_failed(long result)
{
    return (unsigned long)result > -4096ul;
}

#define SYS4(number, a, b, c, d) sys6(number, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define SYS3(number, a, b, c) SYS4(number, a, b, c, 0)
#define SYS2(number, a, b) SYS4(number, a, b, 0, 0)
#define SYS1(number, a) SYS4(number, a, 0, 0, 0)
#define SYS0(number) SYS4(number, 0, 0, 0, 0)

#endif
