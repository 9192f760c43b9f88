/* SPDX-License-Identifier: MIT */
/* Attempts that fail are accesses too. */
#include "case.h"
#include <fcntl.h>
#include <sys/stat.h>

int main(void)
{
    char long_name[300];
    memset(long_name, 'n', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = 0;
    struct stat status;
    FAILS(open("absent", O_RDONLY), ENOENT);
    FAILS(open("a.txt/below", O_RDWR), ENOTDIR);
    FAILS(open("dir", O_WRONLY), EISDIR);
    FAILS(open("loop1", O_RDONLY), ENOENT);
    CHECK(symlink("loop2", "loop1") == 0 && symlink("loop1", "loop2") == 0);
    FAILS(open("loop1", O_RDONLY), ELOOP);
    FAILS(open(long_name, O_RDONLY), ENAMETOOLONG);
    FAILS(open("", O_RDONLY), ENOENT);
    FAILS(stat("", &status), ENOENT);
    FAILS(access("absent/deep/down", F_OK), ENOENT);
    CHECK(mkdir("absent/new", 0755) == -1 && errno == ENOENT);
    return done("failed");
}
