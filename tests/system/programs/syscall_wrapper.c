/* SPDX-License-Identifier: MIT */
/* System calls through the syscall function of libc. */
#include "case.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

int main(void)
{
    int fd = (int)syscall(SYS_openat, AT_FDCWD, "a.txt", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = (int)syscall(SYS_openat, AT_FDCWD, "new", O_WRONLY | O_CREAT, 0600);
    CHECK(fd >= 0 && close(fd) == 0);
#ifdef SYS_open
    fd = (int)syscall(SYS_open, "b.txt", O_RDWR);
    CHECK(fd >= 0 && close(fd) == 0);
    struct stat status;
    CHECK(syscall(SYS_stat, "dir/x", &status) == 0);
    CHECK(syscall(SYS_mkdir, "made", 0755) == 0);
    char target[8];
    CHECK(syscall(SYS_readlink, "link", target, sizeof target) == 5);
#endif
    FAILS(syscall(SYS_faccessat, AT_FDCWD, "absent", F_OK), ENOENT);
    CHECK(syscall(SYS_unlinkat, AT_FDCWD, "new", 0) == 0);
    CHECK(syscall(SYS_getpid) == getpid());
    return done("syscall_wrapper");
}
