/* SPDX-License-Identifier: MIT */
/* Which processor runs us, without asking the kernel. */
#ifndef TRACER_MACOS_CPU_H
#define TRACER_MACOS_CPU_H

#include <stdint.h>

/** Number of the processor that runs us, or any other number that seldom collides. */
static inline uint32_t ft_log_cpu(void)
{
#if defined(__aarch64__)
    /* The kernel keeps it in the register that other systems keep the thread in: _os_cpu_number()
     * of https://github.com/apple-oss-distributions/xnu, libsyscall/os/tsd.h. */
    uint64_t number;
    __asm__("mrs %0, tpidr_el0" : "=r"(number));
    return (uint32_t)number & 0xfffu;
#else
    /* Nothing tells that the translator knows, too; spread threads by where their data is. */
    uint64_t thread;
    __asm__("mov %%gs:0, %0" : "=r"(thread));
    return (uint32_t)((thread >> 12) * 0x9e3779b97f4a7c15u >> 56);
#endif
}

#endif
