/* SPDX-License-Identifier: MIT */
/*
 * Runs a command and writes how it ended, exactly: run_status STATUS SECONDS COMMAND [ARG...]
 * STATUS gets `exit N`, `signal N` or `timeout`. The command is killed with its process group
 * when the time is over. Standard streams are the caller's.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/num.h"

int main(int argc, char **argv)
{
    uint64_t seconds;
    if (argc < 4 || num_parse_u64(argv[2], 1, 3600, &seconds) != 0) {
        fputs("usage: run_status STATUS SECONDS COMMAND [ARG...]\n", stderr);
        return 2;
    }
    sigset_t child_ended, before;
    sigemptyset(&child_ended);
    sigaddset(&child_ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ended, &before);
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        return 3;
    }
    if (child == 0) {
        setpgid(0, 0);
        /* What the caller left open is not for a program that counts its descriptors. */
        for (int fd = 3; fd < 1024; fd++)
            close(fd);
        sigprocmask(SIG_SETMASK, &before, NULL);
        execvp(argv[3], argv + 3);
        perror(argv[3]);
        _exit(127);
    }
    int status = 0;
    struct timespec limit = {.tv_sec = (time_t)seconds};
    bool late = false;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (sigtimedwait(&child_ended, NULL, &limit) == -1 && errno == EAGAIN) {
            late = true;
            kill(-child, SIGKILL);
            waitpid(child, &status, 0);
            break;
        }
    }
    FILE *file = fopen(argv[1], "w");
    if (file == NULL) {
        perror(argv[1]);
        return 3;
    }
    if (late)
        fputs("timeout\n", file);
    else if (WIFSIGNALED(status))
        fprintf(file, "signal %d\n", WTERMSIG(status));
    else
        fprintf(file, "exit %d\n", WEXITSTATUS(status));
    return fclose(file) == 0 ? 0 : 3;
}
