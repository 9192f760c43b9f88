/* SPDX-License-Identifier: MIT */
/* Which processor runs us, without asking the kernel. */
#ifndef TRACER_LINUX_CPU_H
#define TRACER_LINUX_CPU_H

#include <stdint.h>

/** Number of the processor that runs us, or any other number that seldom collides. */
static inline uint32_t ft_log_cpu(void)
{
#if defined(__x86_64__)
    /* The kernel keeps the processor's number in the limit of this segment (GDT entry
     * 15), for its own vDSO getcpu(); where a sandbox lacks it the instruction leaves
     * the register as it is. */
    uint32_t cpu = 0;
    __asm__ volatile("lsl %1, %0" : "+r"(cpu) : "r"(0x7b) : "cc");
    return cpu & 0xfffu;
#elif defined(__aarch64__)
    /* No register tells; spread threads by the address of their control block. */
    uint64_t thread;
    __asm__("mrs %0, tpidr_el0" : "=r"(thread));
    return (uint32_t)((thread >> 12) * 0x9e3779b97f4a7c15u >> 56);
#else
#error "ft_log_cpu() is not written for this processor"
#endif
}

#endif
