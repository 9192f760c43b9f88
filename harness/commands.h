/* SPDX-License-Identifier: MIT */
/* The sub-commands of tracetax. Each parses its own options, prints and returns the exit status. */
#ifndef HARNESS_COMMANDS_H
#define HARNESS_COMMANDS_H

/** Exit status of every sub-command. */
enum tt_exit {
    TT_EXIT_DONE = 0,
    TT_EXIT_REGRESSED = 1, /**< with --fail-on regressed */
    TT_EXIT_USAGE = 2,
    TT_EXIT_FAILED = 3, /**< could not run, or input unreadable, newer or corrupt */
};

/** `tracetax run`; @argv[0] is "run". */
int tt_cmd_run(int argc, char **argv);

/** `tracetax compare`; @argv[0] is "compare". */
int tt_cmd_compare(int argc, char **argv);

/** `tracetax show`; @argv[0] is "show". */
int tt_cmd_show(int argc, char **argv);

/** `tracetax table`; @argv[0] is "table". */
int tt_cmd_table(int argc, char **argv);

/** `tracetax calibrate`; @argv[0] is "calibrate". */
int tt_cmd_calibrate(int argc, char **argv);

#endif
