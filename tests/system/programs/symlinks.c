/* SPDX-License-Identifier: MIT */
/* Links are reported as the program named them, not where they lead. */
#include "case.h"
#include <fcntl.h>

int main(void)
{
    int fd = open("link", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = open("dirlink/x", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    FAILS(open("link", O_RDONLY | O_NOFOLLOW), ELOOP);
    CHECK(symlink("made-by-link", "dangling") == 0);
    fd = open("dangling", O_WRONLY | O_CREAT, 0600);
    CHECK(fd >= 0 && close(fd) == 0);
    CHECK(access("made-by-link", F_OK) == 0);
    return done("symlinks");
}
