/* SPDX-License-Identifier: MIT */
/* A tracer made slower on purpose: only `make check-verdicts` builds one. */
#ifndef TRACER_LINUX_PRELOAD_DELAY_H
#define TRACER_LINUX_PRELOAD_DELAY_H

#include <stdint.h>

#ifndef TRACETAX_TEST_DELAY_NS
#define TRACETAX_TEST_DELAY_NS 0
#endif

#if TRACETAX_TEST_DELAY_NS
/**
 * Keep the processor busy for about TRACETAX_TEST_DELAY_NS: a chain of multiplications of three
 * cycles each, one a nanosecond at 3 GHz. Work rather than a look at a clock, so that it grows
 * with everything else on a busy machine, and costs no less when it is interrupted. What it comes
 * to is measured by the check.
 */
static inline void ft_test_delay(void)
{
    uint64_t value = 3;
    for (uint32_t turn = 0; turn < TRACETAX_TEST_DELAY_NS; turn++) {
        value *= value;
        __asm__ volatile("" : "+r"(value));
    }
}
#else
static inline void ft_test_delay(void)
{
}
#endif

#endif
