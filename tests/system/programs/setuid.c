/* SPDX-License-Identifier: MIT */
/* Opens a file and tells whether the set-user-ID bit took effect. */
#include "case.h"
#include <fcntl.h>
#include <sys/auxv.h>

int main(void)
{
    int fd = open("a.txt", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    printf("effective user %d, secure %lu\n", (int)geteuid(), getauxval(AT_SECURE));
    return done("setuid");
}
