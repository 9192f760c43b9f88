/* SPDX-License-Identifier: MIT */
/* access, faccessat, euidaccess and eaccess. */
#include "case.h"
#include <fcntl.h>

int main(void)
{
    CHECK(access("a.txt", R_OK) == 0);
    CHECK(access("b.txt", W_OK) == 0);
    int dir = open("dir", O_PATH);
    CHECK(faccessat(dir, "x", F_OK, 0) == 0);
    CHECK(faccessat(dir, "y", R_OK, AT_EACCESS) == 0);
    CHECK(euidaccess("link", R_OK) == 0);
    CHECK(eaccess("dirlink", X_OK) == 0);
    FAILS(access("absent", F_OK), ENOENT);
    FAILS(euidaccess("absent-e", F_OK), ENOENT);
    FAILS(faccessat(dir, "absent", R_OK, 0), ENOENT);
    return done("access_family");
}
