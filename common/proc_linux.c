/* SPDX-License-Identifier: MIT */
/* What proc_posix.c needs of Linux. */
#include "common/proc_system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/proc.h"

int proc_system_pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC) ? -errno : 0;
}

uint64_t proc_system_peak_rss_bytes(const struct rusage *usage)
{
    return (uint64_t)usage->ru_maxrss * 1024u;
}

char *proc_self_dir(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
    if (n <= 0 || (size_t)n >= sizeof(path) - 1)
        return NULL;
    path[n] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash)
        return NULL;
    slash[slash == path] = '\0'; /* keep the '/' of the root */
    return strdup(path);
}
