/* SPDX-License-Identifier: MIT */
/* What each system does for the shared log: memory that others can map, and a pause. */
#ifndef TRACER_LOG_MEMORY_H
#define TRACER_LOG_MEMORY_H

#include "common/compiler.h"
#include "tracer/log.h"

/**
 * Make zeroed shared memory of FT_LOG_BYTES, and fill in who we are and a nonce.
 * @log  receives what it is mapped at and how others get at it; unchanged on failure
 * @return 0, or what the system says
 */
MUST_USE int ft_log_memory_open(struct ft_log *log);

/** Unmap and close; fine where nothing is open. */
void ft_log_memory_close(struct ft_log *log);

/** Let a moment pass, some 200 us. */
void ft_log_memory_pause(void);

/** Number of the processor or thread that runs us, or any other that seldom collides. */
uint32_t ft_log_memory_writer(void);

#endif
