/* SPDX-License-Identifier: MIT */
/* The open family with every kind of flags. */
#include "case.h"
#include <fcntl.h>

int main(void)
{
    int fd = open("a.txt", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = open("new-open", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = open("b.txt", O_RDWR | O_APPEND);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = open("new-read", O_RDONLY | O_CREAT, 0600);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = open64("dir/x", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = open64("new-open64", O_WRONLY | O_CREAT, 0640);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = openat(AT_FDCWD, "./dir/../dir//y", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    int dir = open("dir", O_RDONLY | O_DIRECTORY);
    CHECK(dir >= 0);
    fd = openat(dir, "new-openat", O_RDWR | O_CREAT | O_EXCL, 0600);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = openat64(dir, "new-openat64", O_WRONLY | O_CREAT, 0600);
    CHECK(fd >= 0 && close(fd) == 0);
    FAILS(openat(dir, "absent", O_RDONLY), ENOENT);
    FAILS(open("new-open", O_WRONLY | O_CREAT | O_EXCL, 0600), EEXIST);
    close(dir);
    return done("open_family");
}
