/* SPDX-License-Identifier: MIT */
/* Operations by name, and how many a thread does. */
#include "operations.h"

#include <string.h>

void wl_thread_fail(struct wl_thread *thread, const char *what, int code)
{
    thread->what = what;
    thread->error_code = code;
}

const struct wl_operation *wl_operations(size_t *count)
{
    *count = wl_table_count;
    return wl_table;
}

const struct wl_operation *wl_operation_find(const char *name)
{
    for (size_t i = 0; i < wl_table_count; i++) {
        if (!strcmp(wl_table[i].name, name))
            return &wl_table[i];
    }
    return NULL;
}

size_t wl_plan_count(const struct wl_plan *plan, size_t thread)
{
    if (plan->files)
        return plan->files;
    size_t total = plan->operation ? plan->operation->default_total : 0;
    if (!total)
        return WL_FILES_DEFAULT;
    return total / plan->threads + (thread < total % plan->threads ? 1 : 0);
}
