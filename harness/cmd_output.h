/* SPDX-License-Identifier: MIT */
/* What `compare` and `show` have in common: formats and messages. */
#ifndef HARNESS_CMD_OUTPUT_H
#define HARNESS_CMD_OUTPUT_H

#include "common/buf.h"
#include "common/compiler.h"
#include "common/err.h"
#include "harness/compare.h"

/** What --format takes. */
enum tt_format {
    TT_FORMAT_TABLE,
    TT_FORMAT_MARKDOWN,
    TT_FORMAT_CSV,
    TT_FORMAT_JSON,
    TT_FORMAT_HTML,
};

/** @return 0, or -EINVAL for a name that is none. */
MUST_USE int tt_format_parse(const char *name, enum tt_format *out);

/**
 * Append a comparison in a format; a table as standard output takes it.
 * @history for the trend, which only HTML shows; or NULL
 * @return 0, -EFBIG, -ENOMEM
 */
MUST_USE int tt_format_put(enum tt_format format, const struct tt_comparison *comparison,
                           const struct tt_history *history, struct buf *out);

/** What stands before the first comparison and after the last one. */
void tt_format_begin(enum tt_format format, struct buf *out);
void tt_format_end(enum tt_format format, struct buf *out);

/** Longest text that is printed. */
#define TT_OUTPUT_MAX_BYTES (64u << 20)

/**
 * One line on standard error, "tracetax COMMAND: TEXT".
 * @return TT_EXIT_USAGE and TT_EXIT_FAILED: what the command exits with
 */
int tt_cmd_usage(const char *command, const char *format, ...) PRINTF_LIKE(2, 3);
int tt_cmd_failed(const char *command, const struct err *err);
void tt_cmd_warn(const char *command, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
