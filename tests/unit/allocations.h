/* SPDX-License-Identifier: MIT */
/* Each allocation of some work fails once, in turn: an error, nothing half-made, nothing leaked. */
#ifndef TESTS_UNIT_ALLOCATIONS_H
#define TESTS_UNIT_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"

/*
 * The linker sends every allocation of the test and of what it tests to allocations.c (--wrap, see
 * tracetax_allocation_test in CMake); what the C library allocates inside itself is left alone.
 */

/** Something that allocates. @return 0 or a negative errno value; it frees what it made */
typedef int allocating_fn(void);

struct allocating {
    const char *name;
    allocating_fn *work;
    size_t least; /**< allocations that it takes at least, so that a test cannot become nothing */
    bool parses;  /**< JSON, where jansson calls some shortages a wrong token */
};

/** Do each while allocation 0, 1, 2 ... is the last that succeeds, until it succeeds as a whole. */
void allocations_fail_each(const struct allocating *rows, size_t count);

/** A failure must have been told, and must have left nothing in its output. */
void allocations_check_failure(int ret, const struct err *err, const void *out, size_t size_bytes);

/* For a library that is told where to allocate. */
void *allocations_malloc(size_t size_bytes);
void allocations_free(void *data);

#endif
