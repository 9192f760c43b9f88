/* SPDX-License-Identifier: MIT */
/* Programs started with an environment that holds nothing of the tracer. */
#include "case.h"
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;

static void finish(pid_t child)
{
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

int main(void)
{
    char *argv[] = {(char *)"env", (char *)"-i", (char *)"./helper", (char *)"a.txt", NULL};
    pid_t child = fork();
    if (child == 0) {
        execv("/usr/bin/env", argv);
        _exit(9);
    }
    finish(child);
    child = fork();
    if (child == 0) {
        char *envp[] = {NULL};
        execle("./helper", "helper", "b.txt", (char *)NULL, envp);
        _exit(9);
    }
    finish(child);
    child = fork();
    if (child == 0) {
        clearenv();
        execl("./helper", "helper", "dir/x", (char *)NULL);
        _exit(9);
    }
    finish(child);
    child = fork();
    if (child == 0) {
        environ = NULL;
        char *args[] = {(char *)"helper", (char *)"dir/y", NULL};
        execv("./helper", args);
        _exit(9);
    }
    finish(child);
    /* What env shows is what the program gave it: nothing of the tracer may come through. */
    child = fork();
    if (child == 0) {
        char *envp[] = {(char *)"ONLY=this", NULL};
        execle("./show-env", "show-env", (char *)NULL, envp);
        _exit(9);
    }
    finish(child);
    return done("fresh_env");
}
