/* SPDX-License-Identifier: MIT */
/* A bounded table of process ids. */
#ifndef TRACER_PIDS_H
#define TRACER_PIDS_H

#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"

/** The kernel's own limit of process ids; more than that is forged. */
#define FT_PIDS_MAX (1u << 22)

struct ft_process {
    uint32_t pid;    /**< 0: an empty slot */
    uint32_t starts; /**< images that began to be watched */
};

/** Zeroed: empty. */
struct ft_pids {
    struct ft_process *slots; /**< owned */
    size_t capacity;          /**< a power of two, or 0 */
    size_t count;
};

/**
 * The entry of a process, made when it is new.
 * @out borrowed, valid until the next call; never NULL on success
 * @return 0, -ENOMEM, -E2BIG (more than FT_PIDS_MAX) or -EPROTO (@pid is 0)
 */
MUST_USE int ft_pids_get(struct ft_pids *pids, uint32_t pid, struct ft_process **out);

void ft_pids_fini(struct ft_pids *pids);

#endif
