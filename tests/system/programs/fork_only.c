/* SPDX-License-Identifier: MIT */
/* Processes that fork and never exec. */
#include "case.h"
#include <fcntl.h>
#include <sys/wait.h>

int main(void)
{
    char name[32];
    for (int i = 0; i < 8; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            for (int j = 0; j < 200; j++) {
                (void)snprintf(name, sizeof name, "absent-%d-%d", i, j);
                if (open(name, O_RDONLY) != -1)
                    _exit(1);
            }
            pid_t grandchild = fork();
            if (grandchild == 0)
                _exit(open("b.txt", O_RDONLY) >= 0 ? 0 : 1);
            int status;
            _exit(waitpid(grandchild, &status, 0) == grandchild && status == 0 ? 0 : 2);
        }
    }
    for (int i = 0; i < 8; i++) {
        int status;
        CHECK(wait(&status) > 0 && status == 0);
    }
    int fd = open("a.txt", O_RDONLY);
    CHECK(fd >= 0);
    return done("fork_only");
}
