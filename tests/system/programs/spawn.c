/* SPDX-License-Identifier: MIT */
/* posix_spawn and posix_spawnp with file actions and attributes, dynamic and static children. */
#include "case.h"
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;

static void wait_for(pid_t child, int code)
{
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == code);
}

int main(void)
{
    CHECK(setenv("PATH", "absent:bin", 1) == 0);
    CHECK(setenv("KEPT", "1", 1) == 0);
    char *argv[] = {(char *)"helper", (char *)"a.txt", NULL};
    char *argv2[] = {(char *)"helper", (char *)"b.txt", NULL};
    char *argv3[] = {(char *)"helper", (char *)"dir/x", NULL};
    pid_t child;
    CHECK(posix_spawn(&child, "bin/helper", NULL, NULL, argv, environ) == 0);
    wait_for(child, 0);
    CHECK(posix_spawnp(&child, "helper", NULL, NULL, argv2, environ) == 0);
    wait_for(child, 0);
    /* The real function reports a missing program to the caller, not as status 127. */
    CHECK(posix_spawn(&child, "bin/absent", NULL, NULL, argv, environ) == ENOENT);
    CHECK(posix_spawnp(&child, "absent", NULL, NULL, argv, environ) == ENOENT);
    CHECK(posix_spawn(&child, "a.txt", NULL, NULL, argv, environ) == EACCES);

    posix_spawn_file_actions_t actions;
    CHECK(posix_spawn_file_actions_init(&actions) == 0);
    CHECK(posix_spawn_file_actions_addopen(&actions, 1, "out.txt", O_WRONLY | O_CREAT, 0600) == 0);
    CHECK(posix_spawn_file_actions_adddup2(&actions, 1, 2) == 0);
    CHECK(posix_spawn_file_actions_addclose(&actions, 0) == 0);
    posix_spawnattr_t attributes;
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    CHECK(posix_spawnattr_init(&attributes) == 0);
    CHECK(posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK) ==
          0);
    CHECK(posix_spawnattr_setsigmask(&attributes, &blocked) == 0);
    CHECK(posix_spawn(&child, "bin/helper-static", &actions, &attributes, argv3, environ) == 0);
    CHECK(getpgid(child) == child || errno == ESRCH);
    wait_for(child, 0);
    char line[64];
    FILE *out = fopen("out.txt", "r");
    CHECK(out != NULL && fgets(line, sizeof line, out) != NULL);
    CHECK(strcmp(line, "opened dir/x with the environment\n") == 0);
    CHECK(posix_spawn_file_actions_addopen(&actions, 5, "absent-action", O_RDONLY, 0) == 0);
    CHECK(posix_spawn(&child, "bin/helper", &actions, NULL, argv, environ) == ENOENT);
    return done("spawn");
}
