/* SPDX-License-Identifier: MIT */
/* Ending a command in order when a signal asks for it. */
#include "harness/cmd_stop.h"

#include <stddef.h>

#include "harness/commands.h"

volatile sig_atomic_t tt_cmd_stop;

static void keep(int number)
{
    tt_cmd_stop = number;
}

void tt_cmd_stop_catch(void)
{
    struct sigaction action = {.sa_handler = keep, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};

    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGHUP, &action, NULL);
}

int tt_cmd_stop_end(void)
{
    int number = (int)tt_cmd_stop;
    (void)signal(number, SIG_DFL);
    (void)raise(number);
    return TT_EXIT_FAILED;
}
