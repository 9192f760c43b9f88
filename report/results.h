/* SPDX-License-Identifier: MIT */
/* Results by platform, and where each comes from. */
#ifndef REPORT_RESULTS_H
#define REPORT_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "common/err.h"
#include "harness/result.h"
#include "report/artifact.h"
#include "report/runs.h"

/** A result with what GitHub says about its origin. */
struct rep_result {
    char platform[REP_PLATFORM_SIZE]; /**< as its artifact or file is called: checked */
    unsigned int shard, shards;
    unsigned int parts;      /**< how many results were merged into this one; 1 at first */
    struct rep_run run;      /**< run and commit; zeroed for a file */
    bool earlier_attempt;    /**< left by an earlier attempt of the run */
    struct tt_result result; /**< owned */
};

/** A growing list; owned. Zeroed: empty. */
struct rep_results {
    struct rep_result *item;
    size_t count;
};

/** Free everything; leaves an empty list. */
void rep_results_fini(struct rep_results *results);

/**
 * Move a result into the list. The platform that it names must be the one of its artifact.
 * @item on success zeroed: its memory belongs to the list
 * @return 0, -EPROTO (another platform), -ENOMEM
 */
MUST_USE int rep_results_add(struct rep_results *results, struct rep_result *item, struct err *err);

/** First result of a platform at or after @from; SIZE_MAX when there is none. */
size_t rep_results_find(const struct rep_results *results, const char *platform, size_t from);

/**
 * Put the parts of a platform together: parts that were measured in equal environments
 * become one result, so that their targets stand in one table. Parts from different machines
 * stay apart, for their numbers must not be mixed. Of a target that two parts hold the first
 * counts. A result made of all parts is one of the whole suite, 1 of 1.
 * @return 0 or -ENOMEM; each result is whole either way
 */
MUST_USE int rep_results_merge(struct rep_results *results);

#endif
