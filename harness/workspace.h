/* SPDX-License-Identifier: MIT */
/* The folder that a run works in, and builds copied into it. */
#ifndef HARNESS_WORKSPACE_H
#define HARNESS_WORKSPACE_H

#include "common/compiler.h"
#include "common/err.h"
#include "harness/result.h"

/**
 * The folder of the workload's programs, {bin} of a suite: that of this program where they lie
 * beside it, as after a build, else ../libexec/tracetax as seen from there, where an installation
 * keeps them out of PATH. Where neither has them it is the first, for a message that names it.
 * @self_dir the folder of this program
 * @return the caller's to free(), NULL when memory is short
 */
MUST_USE char *tt_workspace_programs_dir(const char *self_dir);

/** "folder/name"; the caller's to free(), NULL when memory is short. */
MUST_USE char *tt_workspace_path(const char *folder, const char *name);

/**
 * Hash the files of a tracer's build: the program and the libraries beside it
 * or in ../lib/filetrace ("libfiletrace*").
 * @files, @count are appended to; at most TT_RESULT_MAX_FILES
 */
MUST_USE int tt_workspace_hash_build(const char *program, struct tt_file_hash **files,
                                     size_t *count, struct err *err);

/** Hash one file, as tt_workspace_hash_build(). */
MUST_USE int tt_workspace_hash_file(const char *path, struct tt_file_hash **files, size_t *count,
                                    struct err *err);

/**
 * Copy a tracer's build into an own folder, so that two builds that are compared have paths
 * of one length and depth, and lie on one file system. (A byte-identical copy of a program
 * at another path shifted its time by 0.4%.)
 * @folder made
 * @out    the copied program's path, the caller's to free(); NULL on failure
 */
MUST_USE int tt_workspace_stage(const char *program, const char *folder, char **out,
                                struct err *err);

#endif
