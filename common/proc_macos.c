/* SPDX-License-Identifier: MIT */
/* What proc_posix.c needs of macOS. */
#include "common/proc_system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mach-o/dyld.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/proc.h"

int proc_system_pipe(int ends[2])
{
    if (pipe(ends))
        return -errno;
    /* There is no call that does both; children of other threads may inherit the ends meanwhile. */
    if (!fcntl(ends[0], F_SETFD, FD_CLOEXEC) && !fcntl(ends[1], F_SETFD, FD_CLOEXEC))
        return 0;
    int ret = -errno;
    close(ends[0]);
    close(ends[1]);
    return ret;
}

uint64_t proc_system_peak_rss_bytes(const struct rusage *usage)
{
    return (uint64_t)usage->ru_maxrss; /* bytes already (getrusage(2)) */
}

char *proc_self_dir(void)
{
    char name[PATH_MAX];
    uint32_t size_bytes = sizeof(name);

    /* The name that exec was called with, made absolute: links in it are still to be resolved. */
    if (_NSGetExecutablePath(name, &size_bytes))
        return NULL;
    char *real = realpath(name, NULL);
    char *slash = real ? strrchr(real, '/') : NULL;
    if (slash)
        slash[slash == real] = '\0'; /* keep the '/' of the root */
    return real;
}
