/* SPDX-License-Identifier: MIT */
/* Opens inside signal handlers, which interrupt opens. */
#include "case.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>

static volatile sig_atomic_t handled;

static void on_alarm(int signal)
{
    (void)signal;
    int saved = errno;
    int fd = open("b.txt", O_RDONLY);
    if (fd >= 0)
        close(fd);
    if (access("absent-in-handler", F_OK) == 0)
        _exit(8);
    handled++;
    errno = saved;
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    struct itimerval often = {.it_interval = {.tv_usec = 300}, .it_value = {.tv_usec = 300}};
    CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
    while (handled < 200) {
        int fd = open("a.txt", O_RDONLY);
        CHECK(fd >= 0 && close(fd) == 0);
        CHECK(access("absent", F_OK) == -1 && errno == ENOENT);
    }
    often = (struct itimerval){0};
    CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
    return done("signal_open");
}
