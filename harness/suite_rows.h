/* SPDX-License-Identifier: MIT */
/* What the workload can do on this system, for the suites that are built in. */
#ifndef HARNESS_SUITE_ROWS_H
#define HARNESS_SUITE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TT_SUITE_FILE_OPERATIONS 8192
#define TT_SUITE_SPAWN_OPERATIONS 100

/** An operation of the workload. */
struct tt_suite_operation {
    const char *name;
    uint64_t count;
    bool touches_files; /**< takes --files; else the workload's own number is right */
    bool in_default;    /**< of the suite "default"; "full" has all */
};

/** A form of the workload: the target's name, its program, and the way it is watched. */
struct tt_suite_program {
    const char *name, *program;
    const char *backend; /**< NULL: filetrace's own choice */
    bool injects;        /**< only where tt_platform_can_inject() */
};

extern const struct tt_suite_operation tt_suite_operations[];
extern const size_t tt_suite_operations_count;
extern const struct tt_suite_program tt_suite_programs[];
extern const size_t tt_suite_programs_count;

#endif
