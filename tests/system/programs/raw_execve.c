/* SPDX-License-Identifier: MIT */
/* execve by the program's own instruction, with an empty environment. */
#include "case.h"
#include "raw.h"
#include <sys/wait.h>

static void run(const char *image, const char *file)
{
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        const char *argv[] = {image, file, NULL};
        const char *envp[] = {NULL};
        raw(SYS_execve, (long)image, (long)argv, (long)envp, 0);
        _exit(9);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

int main(void)
{
    run("./helper", "a.txt");
    run("./helper-static", "b.txt");
    return done("raw_execve");
}
