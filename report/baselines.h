/* SPDX-License-Identifier: MIT */
/* The folder baselines/: written anew for a maintainer, and checked. */
#ifndef REPORT_BASELINES_H
#define REPORT_BASELINES_H

#include <stddef.h>

#include "common/compiler.h"
#include "common/err.h"
#include "report/log.h"
#include "report/report.h"

/**
 * Write <platform>.json for each platform from the newest artifacts of the branch's own push
 * runs. What a fork made is never looked at, whatever its branch is called. A result that says that
 * it is of another run or commit than its artifact, or that lacks a part, is a warning and
 * not taken. The files are checked as rep_baselines_check() does before they are written.
 * @options api_url, token, repository, branch, workflow_path, baselines_path, limits of time and
 * requests
 * @log     told which run and commit each file comes from
 * @return 0; -ENODATA: there was nothing to write; else what stopped it
 */
MUST_USE int rep_baselines_update(const struct rep_options *options, struct rep_log *log,
                                  struct err *err);

/**
 * Check committed baselines: each is a whole result, named for its platform, that says from which
 * run and commit it comes. All of them are looked at; a line in the log for each.
 * @return 0; -EPROTO: at least one is not right; -ENOMEM
 */
MUST_USE int rep_baselines_check(const char *const *paths, size_t count, struct rep_log *log,
                                 struct err *err);

#endif
