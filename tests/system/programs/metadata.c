/* SPDX-License-Identifier: MIT */
/* Folders, special files and metadata. */
#include "case.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <utime.h>

int main(void)
{
    int dir = open("dir", O_PATH);
    CHECK(mkdir("m1", 0755) == 0 && mkdirat(dir, "m2", 0755) == 0);
    CHECK(rmdir("m1") == 0 && unlinkat(dir, "m2", AT_REMOVEDIR) == 0);
    CHECK(mknod("n1", S_IFREG | 0600, 0) == 0 && mknodat(dir, "n2", S_IFIFO | 0600, 0) == 0);
    CHECK(mkfifo("f1", 0600) == 0 && mkfifoat(dir, "f2", 0600) == 0);
    CHECK(truncate("a.txt", 3) == 0 && truncate64("b.txt", 2) == 0);
    CHECK(chmod("dir/x", 0600) == 0 && fchmodat(dir, "y", 0600, 0) == 0);
    CHECK(chown("n1", (uid_t)-1, (gid_t)-1) == 0 && lchown("link", (uid_t)-1, (gid_t)-1) == 0);
    CHECK(fchownat(dir, "f2", (uid_t)-1, (gid_t)-1, 0) == 0);
    struct timespec now[2] = {{.tv_sec = 1}, {.tv_sec = 2}};
    struct timeval then[2] = {{.tv_sec = 1}, {.tv_sec = 2}};
    CHECK(utime("f1", NULL) == 0 && utimes("t1/../dir", then) == -1 && errno == ENOENT);
    CHECK(utimensat(dir, "n2", now, 0) == 0 && lutimes("dirlink", then) == 0);
    CHECK(futimesat(AT_FDCWD, "dir", then) == 0);
    char value[8];
    /* Not every file system holds user attributes: the attempt is what counts. */
    CHECK(setxattr("x1", "user.a", "v", 1, 0) == -1 && errno == ENOENT);
    CHECK(lsetxattr("x2", "user.a", "v", 1, 0) == -1 && errno == ENOENT);
    CHECK(getxattr("x3", "user.a", value, sizeof value) == -1 && errno == ENOENT);
    CHECK(lgetxattr("x4", "user.a", value, sizeof value) == -1 && errno == ENOENT);
    CHECK(listxattr("x5", value, sizeof value) == -1 && errno == ENOENT);
    CHECK(llistxattr("x6", value, sizeof value) == -1 && errno == ENOENT);
    CHECK(removexattr("x7", "user.a") == -1 && errno == ENOENT);
    CHECK(lremovexattr("x8", "user.a") == -1 && errno == ENOENT);
    FAILS(mkdir("dir", 0755), EEXIST);
    FAILS(rmdir("dir"), ENOTEMPTY);
    FAILS(truncate("absent", 0), ENOENT);
    FAILS(chmod("absent", 0600), ENOENT);
    return done("metadata");
}
