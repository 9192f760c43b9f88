/* SPDX-License-Identifier: MIT */
/* The first code of ours that a static program runs: it maps the payload, and runs once. */
#ifndef TRACER_LINUX_BOOTSTRAP_H
#define TRACER_LINUX_BOOTSTRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracer/linux/slots.h"

#define FT_BOOTSTRAP_MAX_BYTES 448u

struct ft_bootstrap {
    const struct ft_slot *slot;
    uint64_t stubs; /**< where the stubs go */
    uint64_t again; /**< where to go at the end: at the call that was parked */
    int log;        /**< the log's descriptor in the program */
    bool maps_all;  /**< the whole log, for later there may be no room */
};

/**
 * Write the bootstrap for @address. It maps memory for the payload's code and data, and the log,
 * says so in the data when all that has succeeded, closes the descriptor, restores the registers,
 * and makes arch_prctl(ARCH_SET_FS) again, as `again` did.
 * @out FT_BOOTSTRAP_MAX_BYTES
 * @return its size. Pure.
 */
size_t ft_bootstrap_write(const struct ft_bootstrap *bootstrap, uint64_t address,
                          unsigned char *out);

#endif
