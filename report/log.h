/* SPDX-License-Identifier: MIT */
/* What happened, line by line, for a person and for the job summary. */
#ifndef REPORT_LOG_H
#define REPORT_LOG_H

#include <stddef.h>

#include "common/buf.h"
#include "common/compiler.h"

enum rep_level { REP_INFO, REP_WARNING, REP_ERROR };

/** Lines kept for the summary; later ones are only counted. */
#define REP_LOG_MAX_LINES 200
/** Longest line; a longer one is cut. */
#define REP_LOG_LINE_SIZE 1024

/** Where a line goes at once. @line has no line end, no control or direction characters. */
typedef void rep_log_sink(void *context, enum rep_level level, const char *line);

struct rep_log_entry {
    enum rep_level level;
    char *line;
};

/** Zeroed and with a sink: ready to use. */
struct rep_log {
    rep_log_sink *sink; /**< or NULL */
    void *context;
    struct rep_log_entry *entries; /**< owned */
    size_t entries_count;
    size_t dropped_count;
};

/**
 * Say something. Control, direction and invisible characters of the text become visible
 * (tt_plain_escape()), so that a hostile name can neither start a line nor hide.
 * Short of memory, the line is only counted.
 */
void rep_log(struct rep_log *log, enum rep_level level, const char *format, ...) PRINTF_LIKE(3, 4);

/** Free the lines; the sink stays. */
void rep_log_fini(struct rep_log *log);

/**
 * A line as a workflow command ("::warning::..."), which GitHub shows on the run's page:
 * '%', CR and LF of the text are escaped as its documentation says, so that the text cannot
 * start a command of its own.
 * @return as buf_status(@out)
 */
int rep_log_command(struct buf *out, enum rep_level level, const char *line);

#endif
