/* SPDX-License-Identifier: MIT */
/* A stream that becomes a file only once it is complete. */
#ifndef COMMON_OUTFILE_H
#define COMMON_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "common/compiler.h"
#include "common/err.h"

/** Zeroed: nothing open. */
struct outfile {
    FILE *stream;    /**< write here */
    char *path;      /**< NULL for a stream of the caller's */
    char *beside;    /**< the file being written; NULL when it has no name, or is `path` */
    bool is_unnamed; /**< it gets a name once it is complete */
};

/**
 * Open a stream.
 * Until it is committed the file has no name where the system can do that: then nothing is left
 * of it when the process is killed.
 * @path  the file that will be replaced; "-": standard output; NULL: @fallback. A symbolic
 *        link stays and what it names is replaced. A device or pipe is written directly
 * @err   on failure, a text that names the file
 * @return 0, or what the system says
 */
MUST_USE int outfile_open(struct outfile *out, const char *path, FILE *fallback, struct err *err);

/**
 * Flush, close, and rename to the file's name. Not to disk: what a crash of the machine
 * takes, a run would have lost anyhow.
 * @return 0, or what the system says: then nothing was replaced. Discard all the same.
 */
MUST_USE int outfile_commit(struct outfile *out, struct err *err);

/** Close what is open and remove what was not committed. Fine after a commit, and on zeroed. */
void outfile_discard(struct outfile *out);

#endif
