/* SPDX-License-Identifier: MIT */
/* Targets of a platform that was measured in parts, and that no part holds. Pure. */
#ifndef REPORT_MISSING_H
#define REPORT_MISSING_H

#include "common/compiler.h"
#include "report/results.h"
#include "report/view.h"

/**
 * Count the parts of a platform, and find what the baselines have and no part of it has. A part
 * that did not report leaves no trace of its own: only an earlier result tells what was in it.
 * Nothing is missing of a platform of one part: its own comparison says what its baseline has more.
 * @platform its parts are filled; fills shards, shards_reported, missing
 * @lists    earlier results, the most telling first; a NULL among them is passed over. Their
 * strings are borrowed: they must outlive the platform
 * @return 0 or -ENOMEM
 */
MUST_USE int rep_missing_find(struct rep_platform *platform, const struct rep_results *const *lists,
                              size_t count);

#endif
