/* SPDX-License-Identifier: MIT */
/* readlink and readlinkat. */
#include "case.h"
#include <fcntl.h>

int main(void)
{
    char target[16];
    CHECK(readlink("link", target, sizeof target) == 5 && memcmp(target, "a.txt", 5) == 0);
    CHECK(readlinkat(AT_FDCWD, "dirlink", target, sizeof target) == 3);
    FAILS(readlink("a.txt", target, sizeof target), EINVAL);
    FAILS(readlink("absent", target, sizeof target), ENOENT);
    return done("readlink");
}
