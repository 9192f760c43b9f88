/* SPDX-License-Identifier: MIT */
/* Ends as its argument says: die exit|signal NUMBER */
#include "case.h"
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

int main(int argc, char **argv)
{
    CHECK(argc == 3);
    int fd = open("a.txt", O_RDONLY);
    CHECK(fd >= 0);
    int number = (int)strtol(argv[2], NULL, 10);
    done("die");
    struct rlimit no_core = {0, 0};
    CHECK(setrlimit(RLIMIT_CORE, &no_core) == 0);
    if (strcmp(argv[1], "signal") == 0)
        kill(getpid(), number);
    return number;
}
