/* SPDX-License-Identifier: MIT */
/* Argument vectors made from templates; no shell has a part in it. */
#ifndef HARNESS_ARGV_H
#define HARNESS_ARGV_H

#include <stddef.h>

#include "common/buf.h"
#include "common/compiler.h"

/** Longest vector and longest argument that are made. */
#define TT_ARGV_MAX_COUNT 4096u
#define TT_ARGV_MAX_ARGUMENT_BYTES 65536u

/** What stands for the placeholders. A NULL one is left as it is written. */
struct tt_argv_values {
    const char *bin;            /**< {bin}: the folder of the workload */
    const char *dir;            /**< {dir}: the target's folder */
    const char *trace;          /**< {trace}: where the tracker writes */
    const char *tracker;        /**< {tracker}: the filetrace of this arm */
    const char *const *command; /**< {command}: every argument of the command; NULL-terminated */
};

/**
 * Put values in the place of placeholders. {bin}, {dir}, {trace} and {tracker} may stand
 * within an argument; an argument that is {command} becomes the arguments of the command.
 * @template NULL-terminated
 * @out      NULL-terminated, for tt_argv_free(); NULL on failure
 * @return 0, -E2BIG (too many or too long) or -ENOMEM
 */
MUST_USE int tt_argv_expand(const char *const *template, const struct tt_argv_values *values,
                            char ***out);

/** Free a vector and its arguments. Fine on NULL. */
void tt_argv_free(char **argv);

/** Number of arguments of a NULL-terminated vector; 0 for NULL. */
size_t tt_argv_count(const char *const *argv);

/** A read-only view of a vector. */
const char *const *tt_argv_view(char **argv);

/**
 * Append the vector as words for a POSIX shell or the word splitting of hyperfine: every
 * word in single quotes unless it is plain. @return as buf_status()
 */
int tt_argv_quote(const char *const *argv, struct buf *out);

#endif
