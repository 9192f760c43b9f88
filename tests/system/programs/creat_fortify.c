/* SPDX-License-Identifier: MIT */
/* creat, and the names that a fortified program calls in place of open. */
#include "case.h"
#include <fcntl.h>

/* Flags that the compiler cannot know: with _FORTIFY_SOURCE the call becomes __open_2. */
static volatile int read_only = O_RDONLY;
static volatile int write_only = O_WRONLY;

int main(void)
{
    int fd = creat("new-creat", 0644);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = creat64("new-creat64", 0644);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = open("a.txt", read_only);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = open64("b.txt", write_only);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = openat(AT_FDCWD, "dir/x", read_only);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = openat64(AT_FDCWD, "dir/y", write_only);
    CHECK(fd >= 0 && close(fd) == 0);
    char buffer[64];
    CHECK(readlink("link", buffer, (size_t)read_only + sizeof buffer) == 5);
    CHECK(readlinkat(AT_FDCWD, "dirlink", buffer, (size_t)read_only + sizeof buffer) == 3);
    return done("creat_fortify");
}
