/* SPDX-License-Identifier: MIT */
/* A process that changes its root folder. */
#include "case.h"
#include <fcntl.h>

int main(void)
{
    int fd = open("a.txt", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    CHECK(chroot("dir") == 0 && chdir("/") == 0);
    fd = open("/x", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = open("y", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    return done("chroot_view");
}
