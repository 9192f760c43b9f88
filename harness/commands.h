/* SPDX-License-Identifier: MIT */
/* The sub-commands of tracetax. */
#ifndef HARNESS_COMMANDS_H
#define HARNESS_COMMANDS_H

/** Exit statuses of all sub-commands. */
enum tt_exit {
    TT_EXIT_DONE = 0,      /**< also when nothing can be compared, or the answer is inconclusive */
    TT_EXIT_REGRESSED = 1, /**< with --fail-on regressed */
    TT_EXIT_USAGE = 2,
    TT_EXIT_FAILED = 3, /**< could not run, or input unreadable, newer or corrupt */
};

/**
 * `tracetax compare` and `tracetax show`. Results go to standard output, everything else to
 * standard error. Not thread safe (getopt).
 * @argv argv[0] is the sub-command's name
 * @return an enum tt_exit
 */
int tt_cmd_compare(int argc, char **argv);
int tt_cmd_show(int argc, char **argv);

#endif
