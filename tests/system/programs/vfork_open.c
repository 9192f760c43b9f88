/* SPDX-License-Identifier: MIT */
/* vfork, with an open in the child before it execs. */
#include "case.h"
#include <fcntl.h>
#include <sys/wait.h>

int main(void)
{
    static int i;
    for (i = 0; i < 20; i++) {
        static volatile int opened;
        opened = -1;
        pid_t child = vfork();
        CHECK(child >= 0);
        if (child == 0) {
            opened = open("b.txt", O_RDONLY);
            execl("./helper", "helper", "a.txt", (char *)NULL);
            _exit(9);
        }
        int status;
        CHECK(opened >= 0 && waitpid(child, &status, 0) == child && status == 0);
        child = vfork();
        if (child == 0)
            _exit(open("dir/x", O_RDONLY) >= 0 && access("absent", F_OK) != 0 ? 7 : 8);
        CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
    }
    return done("vfork_open");
}
