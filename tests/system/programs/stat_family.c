/* SPDX-License-Identifier: MIT */
/* The stat family with the names of glibc 2.33 and later. */
#include "case.h"
#include <fcntl.h>
#include <sys/stat.h>

int main(void)
{
    struct stat status;
    struct stat64 status64;
    CHECK(stat("a.txt", &status) == 0 && status.st_size == 6);
    CHECK(lstat("link", &status) == 0 && S_ISLNK(status.st_mode));
    CHECK(stat64("b.txt", &status64) == 0);
    CHECK(lstat64("dirlink", &status64) == 0);
    int dir = open("dir", O_PATH);
    CHECK(fstatat(dir, "x", &status, 0) == 0);
    CHECK(fstatat64(dir, "y", &status64, AT_SYMLINK_NOFOLLOW) == 0);
    /* An empty path names the descriptor itself. */
    CHECK(fstatat(dir, "", &status, AT_EMPTY_PATH) == 0 && S_ISDIR(status.st_mode));
    CHECK(fstat(dir, &status) == 0);
    FAILS(stat("absent", &status), ENOENT);
    FAILS(lstat("a.txt/x", &status), ENOTDIR);
    FAILS(fstatat(99, "x", &status, 0), EBADF);
    return done("stat_family");
}
