/* SPDX-License-Identifier: MIT */
/* Groups of plain commands and how long they take: what `tracetax table` shows. */
#ifndef HARNESS_SPEED_H
#define HARNESS_SPEED_H

#include <stdbool.h>
#include <stddef.h>

#include "common/buf.h"
#include "common/compiler.h"
#include "common/err.h"

/* Limits of what is read and made. */
#define TT_SPEED_MAX_BYTES (64u << 20)
#define TT_SPEED_MAX_GROUPS 100
#define TT_SPEED_MAX_COMMANDS 100     /**< a group */
#define TT_SPEED_MAX_TEXT_BYTES 65536 /**< of a command as it is shown */

/** One command. */
struct tt_speed {
    char *command;   /**< as it is shown; owned */
    double *seconds; /**< wall-clock times in the order of rounds; owned; NULL when not known */
    size_t count;
    double mean, min, max; /**< seconds */
    double stddev;         /**< sample standard deviation; below 0: not known (one run) */
};

/** Commands that are compared with each other. */
struct tt_speed_group {
    char *name; /**< or NULL; owned */
    struct tt_speed *speeds;
    size_t count;
    size_t reference; /**< index: what is 1.00 */
};

/** Everything that one table file or run holds. */
struct tt_speed_table {
    struct tt_speed_group *groups;
    size_t count;
    char **versions; /**< lines, "$ bfs --version" and what it printed; owned, may be NULL */
    size_t versions_count;
};

/** Free everything; leaves a zeroed table. Fine on a zeroed one. */
void tt_speed_table_fini(struct tt_speed_table *table);

/** Mean, sample standard deviation, minimum and maximum of the times, of which there is one. */
void tt_speed_summarise(struct tt_speed *speed);

/** A ratio of means with its error. */
struct tt_speed_ratio {
    double ratio;
    double error; /**< below 0: not known */
};

/**
 * How many times as long as the reference a command takes. The error is that of a quotient of
 * independent values: ratio sqrt((s1/m1)^2 + (s2/m2)^2), as hyperfine's.
 */
struct tt_speed_ratio tt_speed_relative(const struct tt_speed *speed,
                                        const struct tt_speed *reference);

/**
 * Choose what is 1.00 in every group: the command that is @name or begins with the word @name.
 * @return 0, or -ENOENT: a group, named in @err, has none
 */
MUST_USE int tt_speed_choose(struct tt_speed_table *table, const char *name, struct err *err);

/**
 * Read hyperfine's JSON (1.15 to 1.20), or what tt_speed_format() wrote, and append its groups.
 * Times win over a stated mean.
 * @name what to call the input in errors
 * @return 0, -EPROTO, -ENOMEM; the table is for tt_speed_table_fini() in any case
 */
MUST_USE int tt_speed_parse(const char *name, const void *data, size_t size_bytes,
                            struct tt_speed_table *table, struct err *err);

/**
 * As hyperfine's JSON: one object with "results". Each has also "group", which hyperfine's
 * readers pass over.
 * @out NUL-terminated, the caller's to free(); NULL on failure
 * @return 0, -EINVAL (not UTF-8), -ENOMEM
 */
MUST_USE int tt_speed_format(const struct tt_speed_table *table, char **out, struct err *err);

/** Tables for a terminal or, with @markdown, for GitHub. @return as buf_status(@out) */
MUST_USE int tt_show_speed(const struct tt_speed_table *table, bool markdown, struct buf *out);

#endif
