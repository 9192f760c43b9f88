/* SPDX-License-Identifier: MIT */
/* Engines: what starts a command once and takes its wall-clock time. */
#ifndef HARNESS_ENGINE_H
#define HARNESS_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "common/err.h"

/** Which engine a person asks for. */
enum tt_engine_kind {
    TT_ENGINE_AUTO,      /**< hyperfine, else the built-in one */
    TT_ENGINE_HYPERFINE, /**< hyperfine, or fail */
    TT_ENGINE_BUILTIN,   /**< posix_spawn, monotonic clock, wait4 */
};

/** One run. */
struct tt_timing {
    uint64_t wall_ns;
    int exit_code; /**< 0 to 255; 128 + n when signal n ended it, as hyperfine says */
};

/**
 * An engine. Every engine starts the command directly, without a shell, in the caller's
 * folder and environment, with /dev/null as standard input, output and error.
 */
struct tt_engine {
    const char *name;  /**< "hyperfine" or "builtin" */
    char *version;     /**< owned */
    char *program;     /**< hyperfine's path; owned, or NULL */
    char *export_path; /**< where hyperfine writes; owned, or NULL */
    /** Do one run. @return 0 when the command was started and has ended, whatever its
     *  status; else as the system says, -EPROTO when hyperfine's answer is not what we know,
     *  -EILSEQ when an argument is not UTF-8 and the engine can only pass on UTF-8 */
    int (*time)(const struct tt_engine *engine, const char *const *argv, struct tt_timing *out,
                struct err *err);
};

/**
 * Make an engine ready.
 * @work_dir   an own folder, for hyperfine's export
 * @out        for tt_engine_close(); zeroed on failure
 * @fell_back  with TT_ENGINE_AUTO and no usable hyperfine: why, for one warning; else code 0
 * @return 0; -ENOENT and such (hyperfine was asked for and is missing), -ENOTSUP (it is too
 *         old), -ENOMEM
 */
MUST_USE int tt_engine_open(enum tt_engine_kind kind, const char *work_dir, struct tt_engine *out,
                            struct err *fell_back, struct err *err);

/** Free; leaves a zeroed one. Fine on a zeroed one. */
void tt_engine_close(struct tt_engine *engine);

/** The two engines themselves, for tt_engine_open(). */
MUST_USE int tt_engine_open_hyperfine(const char *work_dir, struct tt_engine *out, struct err *err);
MUST_USE int tt_engine_open_builtin(struct tt_engine *out, struct err *err);

/**
 * Read what `hyperfine --runs 1 --export-json` wrote.
 * @return 0 or -EPROTO (empty, cut, not one run, a time that is negative or beyond a day)
 */
MUST_USE int tt_engine_parse_hyperfine(const void *data, size_t size_bytes, struct tt_timing *out,
                                       struct err *err);

#endif
