/* SPDX-License-Identifier: MIT */
/* What the command filetrace asks of systems that follow POSIX. */
#include "tracer/system.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

int ft_system_open(const char *path, FILE **out)
{
    *out = fopen(path, "rbe");
    return *out ? 0 : -errno;
}

int ft_system_end_as(const struct ft_raw_summary *end)
{
    int number = end->exit_signal;
    if (!number)
        return end->exit_code;
    /* Its core, if any, is the command's: not another one from us. */
    const struct rlimit none = {0};
    sigset_t mask;
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)signal(number, SIG_DFL);
    sigemptyset(&mask);
    sigaddset(&mask, number);
    (void)sigprocmask(SIG_UNBLOCK, &mask, NULL);
    (void)raise(number);
    return 128 + number;
}
