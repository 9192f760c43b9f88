/* SPDX-License-Identifier: MIT */
/* stop_tracer COUNT: stops its parent, which is the tracer, looks for COUNT files that are not
 * there, and lets the tracer go on. What it does meanwhile must fit into the log, and wait for
 * nobody. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PATIENCE_S 60

static void give_up(int number)
{
    (void)number;
    (void)kill(getppid(), SIGCONT);
    _exit(2);
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    int failures = 0;

    (void)signal(SIGALRM, give_up);
    (void)alarm(PATIENCE_S); /* a call that is notified waits for the tracer */
    (void)kill(getppid(), SIGSTOP);
    for (long i = 0; i < count; i++) {
        char path[64];
        (void)snprintf(path, sizeof(path), "/far/%ld", i);
        failures += access(path, F_OK) != -1 || errno != ENOENT;
    }
    (void)kill(getppid(), SIGCONT);
    return failures != 0;
}
