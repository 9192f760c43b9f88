/* SPDX-License-Identifier: MIT */
/* A memory of what was printed, within bounds: it may forget, it never errs. */
#ifndef TRACER_SEEN_H
#define TRACER_SEEN_H

#include <stdbool.h>

#include "common/compiler.h"
#include "tracer/trace.h"

struct ft_seen;

/** @return 0 or -ENOMEM */
MUST_USE int ft_seen_new(struct ft_seen **out);

/**
 * Was the same (process, op, access, error, path) asked for before? False for what was
 * forgotten, or when memory is short; true only after comparing every byte.
 */
bool ft_seen_before(struct ft_seen *seen, const struct ft_access *access);

void ft_seen_free(struct ft_seen *seen);

#endif
