/* SPDX-License-Identifier: MIT */
/* Names of the workload's files. */
#include "name.h"

#include <errno.h>
#include <stdio.h>

/** The '/' between @folder and what follows. */
static const char *separator(const char *folder)
{
    return *folder ? "/" : "";
}

int wl_name_first(struct wl_name *name, const char *folder, size_t thread, const char *kind)
{
    int n = snprintf(name->path, sizeof(name->path), "%s%st%02zu/%s-000000", folder,
                     separator(folder), thread, kind);
    if (n <= 0 || (size_t)n >= sizeof(name->path))
        return -ENAMETOOLONG;
    name->last_digit = name->path + n - 1;
    return 0;
}

int wl_name_thread_folder(char path[WL_PATH_SIZE], const char *folder, size_t thread)
{
    int n = snprintf(path, WL_PATH_SIZE, "%s%st%02zu", folder, separator(folder), thread);
    return n > 0 && n < WL_PATH_SIZE ? 0 : -ENAMETOOLONG;
}
