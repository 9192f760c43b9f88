/* SPDX-License-Identifier: MIT */
/* Opens, stats and execs on 8 KiB stacks with a guard page below. */
#include "case.h"
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <ucontext.h>

static char *stack(void)
{
    char *memory = mmap(NULL, 12288, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED && mprotect(memory, 4096, PROT_NONE) == 0);
    return memory + 4096;
}

static ucontext_t main_context, small_context;
static int opened;

static void on_small(void)
{
    struct stat status;
    opened = open("a.txt", O_RDONLY) >= 0 && stat("b.txt", &status) == 0 &&
             access("absent", F_OK) == -1 && errno == ENOENT && rename("absent", "absent2") == -1;
}

static int child_main(void *argument)
{
    (void)argument;
    if (open("dir/x", O_RDONLY) < 0)
        return 1;
    execl("./helper", "helper", "dir/y", (char *)NULL);
    return 2;
}

static void on_signal(int signal)
{
    (void)signal;
    if (open("link", O_RDONLY) < 0)
        _exit(6);
}

int main(void)
{
    CHECK(getcontext(&small_context) == 0);
    small_context.uc_stack.ss_sp = stack();
    small_context.uc_stack.ss_size = 8192;
    small_context.uc_link = &main_context;
    makecontext(&small_context, on_small, 0);
    CHECK(swapcontext(&main_context, &small_context) == 0 && opened);

    pid_t child = clone(child_main, stack() + 8192, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
    int status;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);

    /* The kernel's own frame takes a good part of a signal stack on machines with wide registers.
     */
    size_t needed = (size_t)sysconf(_SC_MINSIGSTKSZ);
    stack_t alternate = {.ss_sp = malloc(needed + 8192), .ss_size = needed + 8192};
    CHECK(alternate.ss_sp != NULL && sigaltstack(&alternate, NULL) == 0);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0 && raise(SIGUSR1) == 0);
    return done("small_stack");
}
