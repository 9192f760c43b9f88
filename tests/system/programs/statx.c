/* SPDX-License-Identifier: MIT */
/* statx of libc. */
#include "case.h"
#include <fcntl.h>
#include <sys/stat.h>

int main(void)
{
    struct statx status;
    CHECK(statx(AT_FDCWD, "a.txt", 0, STATX_SIZE, &status) == 0 && status.stx_size == 6);
    int dir = open("dir", O_PATH);
    CHECK(statx(dir, "x", AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &status) == 0);
    CHECK(statx(dir, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &status) == 0);
    FAILS(statx(dir, "absent", 0, STATX_BASIC_STATS, &status), ENOENT);
    return done("statx");
}
