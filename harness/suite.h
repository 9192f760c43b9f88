/* SPDX-License-Identifier: MIT */
/* Suites: which programs are measured, and under which tracker. */
#ifndef HARNESS_SUITE_H
#define HARNESS_SUITE_H

#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "common/err.h"
#include "harness/json.h"
#include "harness/result.h"

#define TT_SUITE_SCHEMA "tracetax.suite/1"
#define TT_SUITE_MAX_BYTES (1u << 20)
#define TT_SUITE_MAX_ARGUMENTS 256
#define TT_SUITE_MAX_ARGUMENT_BYTES 4096

/** One program to measure. Vectors are templates (harness/argv.h), NULL-terminated, owned. */
struct tt_suite_target {
    char *name, *operation;
    uint64_t operations_count; /**< of one run; 0 when not known */
    char **prepare;            /**< run once, outside the clock; or NULL */
    char **command;            /**< what is measured */
    char **paths;   /**< prints what a trace must hold, one path a line; or NULL: not known */
    char **tracker; /**< holds "{command}"; or NULL: filetrace, whose traces are checked */
    char *backend;  /**< how filetrace watches (--backend); NULL: as it likes; not with a tracker */
};

/** A suite. */
struct tt_suite {
    char *name, *version;
    struct tt_parameter *parameters; /**< owned; become the result's */
    size_t parameters_count;
    struct tt_suite_target *targets; /**< owned */
    size_t targets_count;
};

/** Free everything; leaves a zeroed suite. Fine on a zeroed one. */
void tt_suite_fini(struct tt_suite *suite);

/**
 * A built-in suite: "default" (open-close and launch) or "full" (every operation), each
 * dynamic, static by the kernel's notification and, where filetrace can do that, static from
 * inside.
 * @return 0, -ENOENT (no suite of that name) or -ENOMEM
 */
MUST_USE int tt_suite_builtin(const char *name, struct tt_suite *out, struct err *err);

/**
 * Read a suite from a text (docs/format.md). Every length, type and name is checked.
 * @name what to call the input in errors
 * @out  for tt_suite_fini(); zeroed on failure
 * @return 0; -EPROTO (not a suite, or beyond a limit), -ENOTSUP (newer), -ENOMEM
 */
MUST_USE int tt_suite_parse(const char *name, const void *data, size_t size_bytes,
                            struct tt_suite *out, struct err *err);

/**
 * A command of a suite: an array of strings.
 * @out NULL-terminated, for tt_argv_free(); NULL on failure
 * @return 0, -EPROTO (not that, empty, or beyond a limit), -ENOMEM
 */
MUST_USE int tt_suite_parse_argv(const struct tt_json_at *at, const json_t *array, char ***out);

/**
 * A built-in suite of that name, else the file at that path ("-": standard input).
 * @return as the parser; -EPROTOTYPE for a suite of plain commands, which `tracetax table` runs
 */
MUST_USE int tt_suite_load(const char *name_or_path, struct tt_suite *out, struct err *err);

/**
 * Keep the targets that have one of the names.
 * @return 0, or -EINVAL: no target has the name that @err tells
 */
MUST_USE int tt_suite_select(struct tt_suite *suite, const char *const *names, size_t names_count,
                             struct err *err);

/** Keep every @shards-th target from the @shard-th on, 1 <= @shard <= @shards. */
void tt_suite_shard(struct tt_suite *suite, uint32_t shard, uint32_t shards);

#endif
