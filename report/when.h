/* SPDX-License-Identifier: MIT */
/* Points in time, as GitHub and results write them. Pure. */
#ifndef REPORT_WHEN_H
#define REPORT_WHEN_H

#include <stdint.h>

#include "common/buf.h"
#include "common/compiler.h"

/**
 * Read "2026-07-23T18:04:00Z" (a part of a second is allowed and dropped), years 1970 to 9999.
 * @text NULL is not such a time
 * @out  seconds since 1970; 0 on failure
 * @return 0 or -EINVAL
 */
MUST_USE int rep_when_parse(const char *text, int64_t *out);

/** "2026-07-23 18:04 UTC". @return as buf_status(@out). */
int rep_when_format(struct buf *out, int64_t unix_s);

/**
 * "2 days ago", "an hour ago", "just now" for less than two minutes or a time to come.
 * @return as buf_status(@out)
 */
int rep_when_age(struct buf *out, int64_t now_unix_s, int64_t then_unix_s);

#endif
