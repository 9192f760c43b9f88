/* SPDX-License-Identifier: MIT */
/* openat2, which this libc only reaches through syscall(). */
#include "case.h"
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

static int openat2_(int dir, const char *path, unsigned long long flags, unsigned long long resolve)
{
    struct open_how how = {.flags = flags, .mode = flags & O_CREAT ? 0600 : 0, .resolve = resolve};
    return (int)syscall(SYS_openat2, dir, path, &how, sizeof how);
}

int main(void)
{
    int fd = openat2_(AT_FDCWD, "a.txt", O_RDONLY, 0);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = openat2_(AT_FDCWD, "new", O_RDWR | O_CREAT, 0);
    CHECK(fd >= 0 && close(fd) == 0);
    int dir = open("dir", O_PATH | O_DIRECTORY);
    fd = openat2_(dir, "x", O_WRONLY, RESOLVE_BENEATH);
    CHECK(fd >= 0 && close(fd) == 0);
    FAILS(openat2_(dir, "../b.txt", O_RDONLY, RESOLVE_BENEATH), EXDEV);
    return done("openat2");
}
