/* SPDX-License-Identifier: MIT */
/* The payload's code goes into a program, and jumps to it over the program's own. */
#ifndef TRACER_LINUX_INJECT_PATCH_H
#define TRACER_LINUX_INJECT_PATCH_H

#include <stdint.h>

#include "common/compiler.h"
#include "tracer/linux/slots.h"

/**
 * Where all is mapped, write the payload and lead the sites' calls to it: those whose code is what
 * the file has.
 * @memory open /proc/TID/mem of a task that waits in the kernel and is the only one on its memory
 * @shift  where its image lies, against where it is linked
 * @parked where the call that waits returns to: left alone
 * @return 0, -ENOMEM when the bootstrap could not map, -ENOENT when no site is patched, or another
 *         negative errno value
 */
MUST_USE int ft_inject_patch(int memory, const struct ft_slot *slot, uint64_t shift,
                             uint64_t parked);

#endif
