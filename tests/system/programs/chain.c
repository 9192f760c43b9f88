/* SPDX-License-Identifier: MIT */
/* One link of a chain: does its work, then replaces itself by the rest of its arguments. */
#include "case.h"
#include <fcntl.h>

int main(int argc, char **argv)
{
    CHECK(argc > 1);
    int fd = open(argv[1], O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    if (argc == 2)
        return done("chain");
    char *empty[] = {NULL};
    execve(argv[2], argv + 2, empty);
    CHECK(!"execve");
}
