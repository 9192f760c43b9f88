/* SPDX-License-Identifier: MIT */
/* creat, and the names that a fortified program calls in place of open. */
#include "case.h"
#include <fcntl.h>

/* What a fortified build makes of open with flags that the compiler does not know. */
extern int __open_2(const char *path, int flags);
extern int __open64_2(const char *path, int flags);
extern int __openat_2(int dir, const char *path, int flags);
extern int __openat64_2(int dir, const char *path, int flags);
extern ssize_t __readlink_chk(const char *path, char *out, size_t size, size_t room);
extern ssize_t __readlinkat_chk(int dir, const char *path, char *out, size_t size, size_t room);

/* And out of the compiler's sight, for the header's own way. */
static volatile int read_only = O_RDONLY;

int main(void)
{
    int fd = creat("new-creat", 0644);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = creat64("new-creat64", 0644);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = __open_2("a.txt", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = __open64_2("b.txt", O_WRONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = __openat_2(AT_FDCWD, "dir/x", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = __openat64_2(AT_FDCWD, "dir/y", O_RDWR);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = open("dir", read_only);
    CHECK(fd >= 0 && close(fd) == 0);
    char buffer[64];
    CHECK(__readlink_chk("link", buffer, sizeof buffer, sizeof buffer) == 5);
    CHECK(__readlinkat_chk(AT_FDCWD, "dirlink", buffer, sizeof buffer, sizeof buffer) == 3);
    FAILS(__open_2("absent", O_RDONLY), ENOENT);
    return done("creat_fortify");
}
