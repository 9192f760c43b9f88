/* SPDX-License-Identifier: MIT */
/* The longest argument that an exec takes is as long as ever. */
#include "case.h"
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define MOST 131000

static char argument[MOST + 1];
static char *const none[] = {NULL};

static int ended(pid_t child)
{
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* @return whether an exec takes an argument of this length */
static int fits(const char *self, int length)
{
    memset(argument, 'x', (size_t)length);
    argument[length] = '\0';
    char *argv[] = {(char *)self, argument, NULL};
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        execve(self, argv, none);
        _exit(errno == E2BIG ? 7 : 8);
    }
    int code = ended(child);
    CHECK(code == 0 || code == 7);
    int error = posix_spawn(&child, self, NULL, NULL, argv, none);
    CHECK(error == (code ? E2BIG : 0));
    CHECK(error || ended(child) == 0);
    return code == 0;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return 0;
    struct rlimit small = {.rlim_cur = 256 << 10, .rlim_max = RLIM_INFINITY};
    CHECK(setrlimit(RLIMIT_STACK, &small) == 0); /* a quarter of it is for arguments, and 128 KiB */
    int good = 1, bad = MOST;
    while (bad - good > 1) {
        int half = (good + bad) / 2;
        *(fits(argv[0], half) ? &good : &bad) = half;
    }
    printf("%d\n", good);
    return done("too_big");
}
