/* SPDX-License-Identifier: MIT */
/* The reported numbers in the formats of other services. Pure. */
#ifndef REPORT_EXPORT_H
#define REPORT_EXPORT_H

#include "common/buf.h"
#include "common/compiler.h"
#include "report/view.h"

/**
 * github-action-benchmark, tool "customSmallerIsBetter": an array of name, unit, value,
 * range, extra. One entry a target: the overhead in percent.
 * @out  the caller's to free(); NULL on failure
 * @return 0 or -ENOMEM
 */
MUST_USE int rep_export_gab(const struct rep_view *view, char **out);

/**
 * Bencher Metric Format: benchmark name -> measure -> value, lower_value, upper_value. Measures:
 * "overhead-ratio" (a factor), "untracked-latency" and "tracked-latency" (nanoseconds, medians).
 */
MUST_USE int rep_export_bmf(const struct rep_view *view, char **out);

#endif
