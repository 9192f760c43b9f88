/* SPDX-License-Identifier: MIT */
/* What must be the same before two overheads may be compared. */
#ifndef HARNESS_ENVIRONMENT_H
#define HARNESS_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/compiler.h"
#include "harness/result.h"

/** Longest canonical text of a suite with its parameters. */
#define TT_ENVIRONMENT_MAX_WORKLOAD_BYTES 32768

/** Machine, engine and workload of a result. Strings are owned and never NULL. */
struct tt_environment {
    char *platform; /**< "linux-x86_64" */
    char *cpu;      /**< without a frequency reading, single spaces */
    char *image;    /**< "Debian GNU/Linux 12 (bookworm)" */
    char *kernel;   /**< the line, first two numbers: "6.18" */
    char *engine;   /**< name only: its version does not move a ratio */
    char *workload; /**< suite, version and sorted parameters: "default 1 files=2048 threads=4" */
    uint32_t cores;
};

/**
 * Take the environment out of a result.
 * A CPU's "2593.9 MHz" is a reading that differs from run to run and is dropped; the
 * nominal "@ 2.60GHz" of a brand string stays, for some models differ in nothing else.
 * @out for tt_environment_fini(); zeroed on failure
 * @return 0 or -ENOMEM
 */
MUST_USE int tt_environment_init(const struct tt_result *result, struct tt_environment *out);

/** Free; leaves a zeroed one. Fine on a zeroed one. */
void tt_environment_fini(struct tt_environment *environment);

/** True when numbers of both may be compared. */
bool tt_environment_same(const struct tt_environment *a, const struct tt_environment *b);

/**
 * Say what differs: "other CPU: AMD EPYC 9V74, before AMD EPYC 7763; other kernel line: ...".
 * The words hold strings of the results as they are: escape them before they are shown.
 * @out appended to; nothing when nothing differs
 * @return as buf_status(@out)
 */
MUST_USE int tt_environment_difference(const struct tt_environment *now,
                                       const struct tt_environment *before, struct buf *out);

#endif
