/* SPDX-License-Identifier: MIT */
/* Where this program's own file is, from dyld (dyld(3)). */
#include "system.h"

#include <errno.h>
#include <mach-o/dyld.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int wl_self_path(char path[WL_PATH_SIZE])
{
    char name[WL_PATH_SIZE];
    uint32_t size_bytes = sizeof(name);

    /* The name that exec was called with, made absolute: links in it are still to be resolved. */
    if (_NSGetExecutablePath(name, &size_bytes))
        return -ENAMETOOLONG;
    char *real = realpath(name, NULL);
    if (!real)
        return -errno;
    size_t length = strlen(real);
    if (length < WL_PATH_SIZE)
        memcpy(path, real, length + 1);
    free(real);
    return length < WL_PATH_SIZE ? 0 : -ENAMETOOLONG;
}
