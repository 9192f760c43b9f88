/* SPDX-License-Identifier: MIT */
/* Ending a command in order when a signal asks for it. */
#ifndef HARNESS_CMD_STOP_H
#define HARNESS_CMD_STOP_H

#include <signal.h>

/** The signal that has come since tt_cmd_stop_catch(), or 0. */
extern volatile sig_atomic_t tt_cmd_stop;

/** From now on the first SIGINT, SIGTERM or SIGHUP is kept; a second one ends the program at once.
 */
void tt_cmd_stop_catch(void);

/**
 * End by the signal that has come, as if it had never been caught.
 * @return TT_EXIT_FAILED, should the signal not end the program
 */
int tt_cmd_stop_end(void);

#endif
