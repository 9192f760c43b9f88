/* SPDX-License-Identifier: MIT */
/* A script without #! through execvp and posix_spawnp: libc gives it to the shell. */
#include "case.h"
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

int main(void)
{
    char *argv[] = {(char *)"./plain", (char *)"a.txt", NULL};
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        execvp("./plain", argv);
        _exit(9);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    char *argv2[] = {(char *)"./plain", (char *)"b.txt", NULL};
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        execlp("./plain", "./plain", argv2[1], (char *)NULL);
        _exit(9);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    /* The others give the error to the caller. */
    FAILS(execv("./plain", argv), ENOEXEC);
    CHECK(posix_spawn(&child, "./plain", NULL, NULL, argv, environ) == ENOEXEC);
    return done("enoexec");
}
