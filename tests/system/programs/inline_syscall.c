/* SPDX-License-Identifier: MIT */
/* A dynamic program with a syscall instruction of its own, as Go and Bun have. */
#include "case.h"
#include "raw.h"
#include <fcntl.h>
#include <sys/stat.h>

int main(void)
{
    long fd = raw(SYS_openat, AT_FDCWD, (long)"a.txt", O_RDONLY, 0);
    CHECK(fd >= 0 && close((int)fd) == 0);
    fd = raw(SYS_open, (long)"new", O_WRONLY | O_CREAT, 0600, 0);
    CHECK(fd >= 0 && close((int)fd) == 0);
    struct stat status;
    CHECK(raw(SYS_newfstatat, AT_FDCWD, (long)"b.txt", (long)&status, 0) == 0);
    CHECK(raw(SYS_openat, AT_FDCWD, (long)"absent", O_RDONLY, 0) == -ENOENT);
    int libc_fd = open("dir/x", O_RDONLY);
    CHECK(libc_fd >= 0);
    return done("inline_syscall");
}
