/* SPDX-License-Identifier: MIT */
/* What the injected libraries' lists want of their system, for tests: pages that are counted. */
#ifndef TESTS_UNIT_TRACER_PAGES_H
#define TESTS_UNIT_TRACER_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "tracer/preload_list.h"

static size_t pages_held;
static bool pages_denied;

void *ft_preload_map(size_t size_bytes)
{
    void *pages = pages_denied ? NULL : calloc(1, size_bytes);
    pages_held += pages != NULL;
    return pages;
}

void ft_preload_unmap(void *pages, size_t size_bytes)
{
    (void)size_bytes;
    pages_held--;
    free(pages);
}

#endif
