/* SPDX-License-Identifier: MIT */
/* A child on its parent's memory, with a folder and a number of its own. */
#include "case.h"
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

static char stack[65536] __attribute__((aligned(16)));

static int below(void *dir)
{
    return chdir(dir) == 0 && open("x", O_RDONLY) >= 0 ? 0 : 1;
}

static void await(pid_t child)
{
    int status;
    CHECK(child > 0);
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    /* Enough for what the tracer keeps of a process to be there. */
    for (int i = 0; i < 100; i++)
        CHECK(access("a.txt", R_OK) == 0);
    await(clone(below, stack + sizeof stack, CLONE_VM | SIGCHLD, (void *)"dir"));
    CHECK(open("b.txt", O_RDONLY) >= 0);
    for (int i = 0; i < 100; i++)
        CHECK(access("a.txt", R_OK) == 0);
    return done("clone_vm");
}
