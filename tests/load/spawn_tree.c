/* SPDX-License-Identifier: MIT */
/*
 * A tree of processes: spawn_tree LEVELS WIDTH PROGRAM. Each process opens a path of its own level
 * and starts WIDTH more, all at once; those at the last level, one after the other, exec PROGRAM,
 * which is given `4 1`.
 */
#include "../system/programs/case.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>

static void wait_good(void)
{
    int status;
    CHECK(wait(&status) > 0);
    CHECK(status == 0);
}

int main(int argc, char **argv)
{
    CHECK(argc == 4);
    long levels = strtol(argv[1], NULL, 10), width = strtol(argv[2], NULL, 10);
    char next[16], path[64];

    CHECK(levels >= 0 && levels < 10 && width > 0 && width < 1000);
    if (levels == 0) {
        execl(argv[3], argv[3], "4", "1", (char *)NULL);
        CHECK(!"exec");
    }
    (void)snprintf(path, sizeof path, "/absent/level-%ld", levels);
    CHECK(open(path, O_RDONLY) == -1 && errno == ENOENT);
    (void)snprintf(next, sizeof next, "%ld", levels - 1);
    for (long i = 0; i < width; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            execl("/proc/self/exe", argv[0], next, argv[2], argv[3], (char *)NULL);
            _exit(126);
        }
        if (levels == 1)
            wait_good();
    }
    for (long i = 0; i < width && levels > 1; i++)
        wait_good();
    return 0;
}
