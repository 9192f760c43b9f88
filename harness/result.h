/* SPDX-License-Identifier: MIT */
/* A result: what `tracetax run` measured, in memory and as JSON (docs/format.md). */
#ifndef HARNESS_RESULT_H
#define HARNESS_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "common/err.h"

#define TT_RESULT_SCHEMA "tracetax.result/1"

/* Limits of what is read; a file beyond one of them is refused (-EPROTO). */
#define TT_RESULT_MAX_BYTES (16u << 20)
#define TT_RESULT_MAX_TARGETS 1000
#define TT_RESULT_MAX_ROUNDS 100000
#define TT_RESULT_MAX_STRING_BYTES 256                   /**< names, versions, reasons */
#define TT_RESULT_MAX_SAMPLE_NS UINT64_C(86400000000000) /**< a day */
#define TT_RESULT_MAX_FILES 32                           /**< hashed files of one build */
#define TT_RESULT_MAX_PARAMETERS 32

/** One way of running a target. */
enum tt_arm {
    TT_ARM_UNTRACKED,
    TT_ARM_TRACKED,
    TT_ARM_TRACKED_BASE, /**< under the tracer built from the base commit */
    TT_ARM_COUNT
};

/** Wall-clock times of one arm. */
struct tt_samples {
    uint64_t *ns; /**< nanoseconds, one a round, in round order; owned, NULL when count is 0 */
    size_t count;
};

/** What the tracer recorded in the runs of one tracked arm. */
struct tt_trace_check {
    bool checked;          /**< false: this arm's traces are not ours to read (foreign tracker) */
    uint64_t expected;     /**< paths that each run had to record; 0 when none are known */
    uint64_t recorded_min; /**< of those, the fewest that any run recorded */
    uint64_t accesses_min; /**< all accesses, over the runs */
    uint64_t accesses_max;
    uint64_t lost; /**< records that the tracer counted as lost, summed over the runs */
    bool complete; /**< every run's trace said that it was complete */
};

/** A ratio with its 95% interval. All three finite and > 0, or `known` is false. */
struct tt_estimate {
    bool known;
    double ratio;
    double low, high;
};

/** One measured program. */
struct tt_target {
    char *name;                /**< "dynamic"; unique in a result together with `operation` */
    char *operation;           /**< "open-close" */
    uint64_t operations_count; /**< how many of them one run does; 0 when not known */
    char *void_reason;         /**< NULL, or why no overhead may be drawn from this target */
    struct tt_samples arm[TT_ARM_COUNT]; /**< arms present have the same count; index = round */
    struct tt_trace_check trace[TT_ARM_COUNT]; /**< for the tracked arms */
    struct tt_estimate overhead;               /**< tracked / untracked */
    struct tt_estimate head_base;              /**< tracked / tracked-base */
};

/** A file of a measured build. */
struct tt_file_hash {
    char *name;      /**< file name without folder */
    char sha256[65]; /**< lower-case hexadecimal */
};

/** Name and value of a suite's parameter, as text ("threads", "4"). */
struct tt_parameter {
    char *name, *value;
};

/** A whole result. Strings are UTF-8 and never NULL unless said. */
struct tt_result {
    char *created_at;   /**< "2026-11-30T15:30:00Z" */
    char *tool_version; /**< of tracetax */
    char *commit;       /**< 40 or 64 hexadecimal digits, or NULL */
    char *base_commit;  /**< of tracked-base, or NULL */

    struct {
        char *id;     /**< "linux-x86_64": [a-z0-9_-]+, at most 64 bytes */
        char *os;     /**< "Linux" */
        char *image;  /**< "Debian GNU/Linux 12 (bookworm)" */
        char *kernel; /**< "6.18.44" */
        char *libc;   /**< "glibc 2.36" */
        char *arch;   /**< "x86_64" */
        char *cpu;    /**< "AMD EPYC 9V74"; without a frequency */
        uint32_t cores;
    } platform;

    struct {
        char *provider; /**< "github", or NULL when not in CI */
        uint64_t run_id;
        uint32_t attempt; /**< from 1; 0 when not in CI */
    } ci;

    struct {
        char *name;                      /**< "default" */
        char *version;                   /**< changes when what is measured changes: "1" */
        struct tt_parameter *parameters; /**< owned */
        size_t parameters_count;
        uint32_t shard, shards; /**< "2 of 5"; 1 of 1 when not sharded */
    } suite;

    struct {
        char *name;    /**< "hyperfine" or "builtin" */
        char *version; /**< of hyperfine, or of tracetax for builtin */
    } engine;

    uint64_t seed; /**< of the order of arms; at most 2^53 - 1 */
    uint32_t warmup_rounds;

    struct tt_file_hash *head_files; /**< the tracer's, and the workload's; owned */
    size_t head_files_count;
    struct tt_file_hash *base_files;
    size_t base_files_count;

    struct tt_target *targets; /**< owned */
    size_t targets_count;
};

/** Free everything; leaves a zeroed result. Fine on a zeroed one. */
void tt_result_fini(struct tt_result *result);

/** "untracked", "tracked", "tracked-base": the arm's name in files and tables. */
const char *tt_arm_name(enum tt_arm arm);

/**
 * Read a result from memory. Every length, type, range and name is checked: the bytes
 * may come from a stranger.
 * @name what to call the input in errors
 * @out  for tt_result_fini(); zeroed on failure
 * @return 0; -EPROTO (not a result, cut, or beyond a limit), -ENOTSUP (a newer schema
 *         of ours), -ENOMEM
 * Thread safe.
 */
MUST_USE int tt_result_parse(const char *name, const void *data, size_t size_bytes,
                             struct tt_result *out, struct err *err);

/** As tt_result_parse(), from a file ("-": standard input); also -ENOENT and such. */
MUST_USE int tt_result_read(const char *path, struct tt_result *out, struct err *err);

/**
 * The JSON text of a result, ending in a newline. Numbers are finite, whatever is in
 * the struct: an estimate that is not `known` is left out.
 * @out NUL-terminated, the caller's to free(); NULL on failure
 * @return 0, -EINVAL (a string that is not UTF-8, or a value that tt_result_parse() would
 *         refuse), -EFBIG (beyond the limits), -ENOMEM
 */
MUST_USE int tt_result_format(const struct tt_result *result, char **out, struct err *err);

/** tt_result_format() and file_write(): beside and renamed; "-" is standard output. */
MUST_USE int tt_result_write(const struct tt_result *result, const char *path, struct err *err);

#endif
