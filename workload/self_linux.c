/* SPDX-License-Identifier: MIT */
/* Where this program's own file is, from /proc (proc(5)). */
#include "system.h"

#include <errno.h>
#include <unistd.h>

int wl_self_path(char path[WL_PATH_SIZE])
{
    ssize_t n = readlink("/proc/self/exe", path, WL_PATH_SIZE);
    if (n < 0)
        return -errno;
    if (n >= WL_PATH_SIZE)
        return -ENAMETOOLONG;
    path[n] = '\0';
    return 0;
}
