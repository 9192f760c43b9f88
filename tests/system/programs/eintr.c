/* SPDX-License-Identifier: MIT */
/* An open of a regular file never fails with EINTR, whatever signals come. */
#include "case.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>

static volatile sig_atomic_t handled;

static void on_alarm(int signal)
{
    (void)signal;
    handled++;
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_alarm}; /* no SA_RESTART */
    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    struct itimerval often = {.it_interval = {.tv_usec = 200}, .it_value = {.tv_usec = 200}};
    CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
    struct stat status;
    while (handled < 500) {
        int fd = open("a.txt", O_RDONLY);
        CHECK(fd >= 0 && close(fd) == 0);
        CHECK(stat("b.txt", &status) == 0);
        CHECK(access("absent", F_OK) == -1 && errno == ENOENT);
    }
    often = (struct itimerval){0};
    CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
    return done("eintr");
}
