/* SPDX-License-Identifier: MIT */
/* A FIFO is no program, and nor is what a script names as its interpreter: nobody waits for a
 * writer. */
#include "case.h"
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>

extern char **environ;

int main(void)
{
    static const char script[] = "#!./fifo\n";
    char *argv[] = {(char *)"./fifo", NULL};
    pid_t child;
    CHECK(mkfifo("fifo", 0700) == 0);
    int fd = open("script", O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
    CHECK(fd >= 0);
    CHECK(write(fd, script, sizeof(script) - 1) == (ssize_t)sizeof(script) - 1);
    CHECK(close(fd) == 0);
    FAILS(execv("./fifo", argv), EACCES);
    FAILS(execv("./script", argv), EACCES);
    CHECK(posix_spawn(&child, "./fifo", NULL, NULL, argv, environ) == EACCES);
    CHECK(unlink("fifo") == 0);
    return done("exec_fifo");
}
