/* SPDX-License-Identifier: MIT */
/* Ending a command in order when the console asks for it (Ctrl-C, Ctrl-Break, a closed window). */
#include <windows.h>

#include "harness/cmd_stop.h"
#include "harness/commands.h"

volatile sig_atomic_t tt_cmd_stop;

/** Windows calls this on a thread of its own. The second time the default ends the program. */
static BOOL WINAPI keep(DWORD event)
{
    if (tt_cmd_stop)
        return FALSE;
    tt_cmd_stop = event == CTRL_C_EVENT ? SIGINT : SIGTERM;
    return TRUE;
}

void tt_cmd_stop_catch(void)
{
    (void)SetConsoleCtrlHandler(keep, TRUE);
}

int tt_cmd_stop_end(void)
{
    /* What a program ends with that takes Ctrl-C as it comes. */
    ExitProcess((UINT)STATUS_CONTROL_C_EXIT);
}
