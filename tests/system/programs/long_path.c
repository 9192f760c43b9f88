/* SPDX-License-Identifier: MIT */
/* A file below a folder whose path is longer than PATH_MAX. */
#include "case.h"
#include <fcntl.h>
#include <sys/stat.h>

int main(void)
{
    char name[201];
    memset(name, 'p', 200);
    name[200] = 0;
    int dir = open(".", O_RDONLY | O_DIRECTORY);
    int start = dir;
    for (int i = 0; i < 25; i++) {
        CHECK(mkdirat(dir, name, 0755) == 0);
        int below = openat(dir, name, O_RDONLY | O_DIRECTORY);
        CHECK(below >= 0);
        if (dir != start)
            close(dir);
        dir = below;
    }
    int fd = openat(dir, "deep", O_WRONLY | O_CREAT, 0600);
    CHECK(fd >= 0 && close(fd) == 0);
    CHECK(fchdir(dir) == 0);
    fd = open("deeper", O_WRONLY | O_CREAT, 0600);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = open("../back", O_WRONLY | O_CREAT, 0600);
    CHECK(fd >= 0 && close(fd) == 0);
    CHECK(fchdir(start) == 0);
    fd = open("a.txt", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    char far[6001];
    memset(far, 'q', 6000);
    far[6000] = 0;
    FAILS(open(far, O_RDONLY), ENAMETOOLONG);
    return done("long_path");
}
