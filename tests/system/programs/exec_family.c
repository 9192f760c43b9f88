/* SPDX-License-Identifier: MIT */
/* Every function of the exec family, with the attempts along PATH. */
#include "case.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;

static const char *const helper = "./bin/helper";

static void run(int variant, char *file)
{
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        char *argv[] = {(char *)"helper", file, NULL};
        char *envp[] = {(char *)"PATH=absent:bin", NULL};
        int fd;
        switch (variant) {
        case 0:
            execv(helper, argv);
            break;
        case 1:
            execve(helper, argv, envp);
            break;
        case 2:
            execvp("helper", argv);
            break;
        case 3:
            execvpe("helper", argv, envp);
            break;
        case 4:
            execl(helper, "helper", file, (char *)NULL);
            break;
        case 5:
            execlp("helper", "helper", file, (char *)NULL);
            break;
        case 6:
            execle(helper, "helper", file, (char *)NULL, envp);
            break;
        case 7:
            fd = open(helper, O_RDONLY | O_CLOEXEC);
            fexecve(fd, argv, environ);
            break;
        case 8:
            fd = open("bin", O_PATH | O_DIRECTORY);
            execveat(fd, "helper", argv, environ, 0);
            break;
        case 9:
            fd = open(helper, O_PATH);
            execveat(fd, "", argv, environ, AT_EMPTY_PATH);
            break;
        }
        _exit(99);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        dprintf(2, "variant %d: status %x\n", variant, (unsigned)status);
    CHECK(status == 0);
}

int main(void)
{
    /* Set by the program itself: what execv and the like pass on is the environment of now. */
    CHECK(setenv("PATH", "absent:dir:bin", 1) == 0);
    CHECK(setenv("KEPT", "1", 1) == 0);
    char name[] = "f0";
    for (int variant = 0; variant < 10; variant++) {
        name[1] = (char)('0' + variant);
        int fd = open(name, O_WRONLY | O_CREAT, 0600);
        CHECK(fd >= 0 && close(fd) == 0);
        run(variant, name);
    }
    char *argv[] = {(char *)"x", NULL};
    FAILS(execv("absent-image", argv), ENOENT);
    FAILS(execv("a.txt", argv), EACCES);
    FAILS(execvp("absent-everywhere", argv), ENOENT);
    return done("exec_family");
}
