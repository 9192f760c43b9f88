/* SPDX-License-Identifier: MIT */
/* Children that are killed: what they did before is kept. */
#include "case.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

int main(int argc, char **argv)
{
    (void)argv;
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        char name[32];
        for (int i = 0; i < 100; i++) {
            (void)snprintf(name, sizeof name, "own-%d", i);
            if (access(name, F_OK) == 0)
                _exit(1);
        }
        kill(getpid(), SIGKILL);
        _exit(2);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
          WTERMSIG(status) == SIGKILL);
    if (argc == 1)
        return done("killed_child");
    /* In the middle of its work, many times over: records of others must not be hidden. */
    for (int round = 0; round < 30; round++) {
        int ready[2];
        CHECK(pipe(ready) == 0);
        child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            char name[32];
            (void)snprintf(name, sizeof name, "before-%d", round);
            if (access(name, F_OK) == 0 || write(ready[1], "r", 1) != 1)
                _exit(1);
            for (;;) {
                (void)access("busy-1", F_OK);
                (void)access("busy-with-a-longer-name-2", F_OK);
            }
        }
        char byte;
        CHECK(read(ready[0], &byte, 1) == 1);
        CHECK(kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child);
        close(ready[0]);
        close(ready[1]);
        char name[32];
        (void)snprintf(name, sizeof name, "after-%d", round);
        FAILS(access(name, F_OK), ENOENT);
    }
    return done("killed_child");
}
