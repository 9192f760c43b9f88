/* SPDX-License-Identifier: MIT */
/* Waits for an interrupt and handles it, or dies of it. */
#include "case.h"
#include <fcntl.h>
#include <signal.h>

static void on_interrupt(int signal)
{
    (void)signal;
    open("b.txt", O_RDONLY);
    _exit(5);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        (void)signal(SIGINT, on_interrupt);
    CHECK(open("a.txt", O_RDONLY) >= 0);
    CHECK(write(1, "ready\n", 6) == 6);
    alarm(60);
    for (;;)
        pause();
}
