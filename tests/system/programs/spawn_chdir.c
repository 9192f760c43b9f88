/* SPDX-License-Identifier: MIT */
/* posix_spawn with a changed folder: the program is looked up below the new one. */
#include "case.h"
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

int main(void)
{
    char *argv[] = {(char *)"helper", (char *)"x", NULL};
    char *argv2[] = {(char *)"helper", (char *)"y", NULL};
    posix_spawn_file_actions_t actions;
    CHECK(posix_spawn_file_actions_init(&actions) == 0);
    CHECK(posix_spawn_file_actions_addchdir_np(&actions, "dir") == 0);
    pid_t child;
    int status;
    CHECK(posix_spawn(&child, "../bin/helper", &actions, NULL, argv, environ) == 0);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    int dir = open("dir", O_PATH);
    CHECK(posix_spawn_file_actions_init(&actions) == 0);
    CHECK(posix_spawn_file_actions_addfchdir_np(&actions, dir) == 0);
    CHECK(posix_spawn(&child, "./local-helper", &actions, NULL, argv2, environ) == 0);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(posix_spawn(&child, "bin/helper", &actions, NULL, argv2, environ) == ENOENT);
    return done("spawn_chdir");
}
