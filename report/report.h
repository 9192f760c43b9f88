/* SPDX-License-Identifier: MIT */
/* From an event, or from files, to the comment. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/compiler.h"
#include "common/err.h"
#include "harness/verdict.h"
#include "report/log.h"

/** What `comment` and `preview` need to know. Everything borrowed. */
struct rep_options {
    const char *event_path;
    const char *api_url, *server_url;
    const char *token;
    uint64_t repository_id;              /**< of the repository that the job runs in */
    const char *workflow_path;           /**< ".github/workflows/benchmark.yml" */
    const char *repository;              /**< baselines: "owner/name" */
    const char *branch;                  /**< baselines: whose push runs count */
    const char *author;                  /**< login that the token writes as */
    const char *keeper;                  /**< name of the workflow that runs us, for the foot */
    const char *baselines_path;          /**< folder of committed results */
    const char *history_path;            /**< preview: history to read, or NULL */
    const char *export_history;          /**< where to write the longer history, or NULL */
    const char *export_gab, *export_bmf; /**< or NULL */
    uint64_t time_limit_ms;
    unsigned int max_requests;
    struct tt_thresholds limits;
    bool dry_run; /**< nothing is written to GitHub */
};

/** What came out. */
struct rep_outcome {
    struct buf comment;    /**< owned; empty when there was nothing to say */
    bool regressed;        /**< the same-job comparison found a regression */
    unsigned int requests; /**< to the API */
};

/** Free; leaves a zeroed one. */
void rep_outcome_fini(struct rep_outcome *outcome);

/**
 * The whole of `tracetax-report comment`.
 * @log     told what happens; filled on failure too, for the job summary
 * @outcome filled as far as it came, also on failure; for rep_outcome_fini()
 * @return 0: the comment is up to date, or there was nothing to do; -ENODATA: there was no
 *         readable result (older rows are shown); else what stopped it, with @err
 */
MUST_USE int rep_report(const struct rep_options *options, struct rep_log *log,
                        struct rep_outcome *outcome, struct err *err);

/**
 * The whole of `tracetax-report preview`: the same comment from files, no network.
 * @paths  results; several of one platform are its parts
 * @baseline a result to compare with, or NULL; of whichever platform it is
 */
MUST_USE int rep_preview(const struct rep_options *options, const char *const *paths, size_t count,
                         const char *baseline, struct rep_log *log, struct rep_outcome *outcome,
                         struct err *err);

#endif
