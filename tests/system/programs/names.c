/* SPDX-License-Identifier: MIT */
/* Calls that make, change and remove names. */
#include "case.h"
#include <fcntl.h>

int main(void)
{
    int dir = open("dir", O_PATH);
    CHECK(rename("a.txt", "r1") == 0);
    CHECK(renameat(AT_FDCWD, "r1", dir, "r2") == 0);
    CHECK(renameat2(dir, "r2", AT_FDCWD, "r3", RENAME_NOREPLACE) == 0);
    CHECK(link("r3", "l1") == 0);
    CHECK(linkat(AT_FDCWD, "r3", dir, "l2", 0) == 0);
    CHECK(symlink("no-access-of-this", "s1") == 0);
    CHECK(symlinkat("../r3", dir, "s2") == 0);
    CHECK(unlink("l1") == 0);
    CHECK(unlinkat(dir, "l2", 0) == 0);
    CHECK(remove("s1") == 0);
    CHECK(unlinkat(dir, "s2", 0) == 0);
    FAILS(rename("absent", "r4"), ENOENT);
    FAILS(link("r3", "b.txt"), EEXIST);
    FAILS(symlink("x", "b.txt"), EEXIST);
    FAILS(unlink("absent-u"), ENOENT);
    FAILS(unlink("dir"), EISDIR);
    return done("names");
}
