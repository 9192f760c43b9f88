/* SPDX-License-Identifier: MIT */
/* Paths relative to a folder that changes, and to descriptors of folders. */
#include "case.h"
#include <fcntl.h>
#include <sys/stat.h>

static void use(int dir, const char *path)
{
    int fd = openat(dir, path, O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
}

int main(void)
{
    CHECK(mkdir("d", 0755) == 0 && mkdir("d/e", 0755) == 0);
    const char *const files[] = {"d/1", "d/e/2", "d/e/3", "4"};
    for (int i = 0; i < 4; i++) {
        int fd = creat(files[i], 0644);
        CHECK(fd >= 0 && close(fd) == 0);
    }
    int top = open(".", O_RDONLY | O_DIRECTORY);
    CHECK(chdir("d") == 0);
    use(AT_FDCWD, "1");
    CHECK(chdir("e") == 0);
    use(AT_FDCWD, "./2");
    use(AT_FDCWD, "../e/.././e/3");
    use(top, "4");
    use(top, "./d/./../4");
    CHECK(fchdir(top) == 0);
    use(AT_FDCWD, "a.txt");
    use(AT_FDCWD, "../../../../../../../../../../../../etc/passwd");
    /* A descriptor number that means another folder later. */
    int moved = dup(top);
    close(moved);
    int other = open("d", O_RDONLY | O_DIRECTORY);
    CHECK(other == moved && dup2(other, top) == top);
    use(top, "e/2");
    CHECK(rename("d", "renamed") == 0);
    use(other, "1");
    FAILS(openat(99, "bad", O_RDONLY), EBADF);
    FAILS(chdir("absent"), ENOENT);
    use(AT_FDCWD, "b.txt");
    int file = open("a.txt", O_RDONLY);
    FAILS(openat(file, "below", O_RDONLY), ENOTDIR);
    FAILS(fchdir(file), ENOTDIR);
    use(file, "/etc/passwd");
    use(AT_FDCWD, "dir/x");
    return done("relative");
}
