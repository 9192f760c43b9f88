/* SPDX-License-Identifier: MIT */
/* What `comment` and `preview` do alike once the view is filled. */
#ifndef REPORT_FINISH_H
#define REPORT_FINISH_H

#include "common/compiler.h"
#include "report/report.h"
#include "report/view.h"

/** Committed baselines of the platforms of @for_results, added to @out. A damaged one is a
    line in the log. @return 0 or -ENOMEM */
MUST_USE int rep_finish_committed(const char *folder, const struct rep_results *for_results,
                                  struct rep_results *out, struct rep_log *log, struct err *err);

/** Write the comment into the outcome and the exports that were asked for. */
MUST_USE int rep_finish(const struct rep_options *options, const struct rep_view *view,
                        struct rep_outcome *outcome, struct err *err);

#endif
