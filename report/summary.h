/* SPDX-License-Identifier: MIT */
/* The job summary: what was found and what happened, also when no comment could be written. */
#ifndef REPORT_SUMMARY_H
#define REPORT_SUMMARY_H

#include "common/buf.h"
#include "common/compiler.h"
#include "report/log.h"

/** Largest summary; GitHub takes 1 MiB a step. */
#define REP_SUMMARY_MAX_BYTES (512u << 10)

/**
 * Write the summary.
 * @comment the comment as far as it was made; NULL or "" for none
 * @failure what stopped the report, or NULL
 * @return as buf_status(@out)
 */
int rep_summary(const char *comment, const struct rep_log *log, const char *failure,
                struct buf *out);

/** Append to the file that GITHUB_STEP_SUMMARY names. @return 0, or what the system says */
MUST_USE int rep_summary_append(const char *path, const struct buf *text);

#endif
