/* SPDX-License-Identifier: MIT */
/* Whole files: read with a limit, written beside and renamed. */
#ifndef COMMON_FILE_H
#define COMMON_FILE_H

#include "common/buf.h"
#include "common/compiler.h"
#include "common/err.h"

/**
 * Read a whole file, or standard input for "-".
 * @out  appended to; its limit is the file's. Unchanged or partly filled on failure
 * @err  on failure, a text that names the file
 * @return 0, -EFBIG for more than the limit, -EISDIR, or what the system says
 */
MUST_USE int file_read(const char *path, struct buf *out, struct err *err);

/** What takes the pieces of a file. @return 0, or a negative errno value that ends the reading */
typedef int file_take(void *context, const void *data, size_t size_bytes);

/**
 * Read a file, or standard input for "-", piece by piece.
 * @err on failure, a text that names the file
 * @return 0, what @take returned, -EISDIR, or what the system says
 */
MUST_USE int file_read_each(const char *path, file_take *take, void *context, struct err *err);

/** What a path names, links followed. */
enum file_kind {
    FILE_REGULAR,
    FILE_FOLDER,
    FILE_OTHER, /**< a device, pipe or socket */
};

/** @return an enum file_kind, or -ENOENT and what else the system says */
MUST_USE int file_kind(const char *path);

/** Remove a file. @return 0, -ENOENT, or what the system says */
int file_remove(const char *path);

/** Let everybody run it, where the system asks for that. @return 0, or what the system says */
MUST_USE int file_make_executable(const char *path);

/**
 * Write a whole file, or standard output for "-". The bytes go to a new file beside
 * @path, are flushed to disk and renamed, so that @path holds either the old bytes or
 * the new ones. A symbolic link stays and what it names is replaced; the rights of a file
 * that was there are kept. A device, pipe or socket is written to directly.
 * @err on failure, a text that names the file; nothing is left beside it
 * @return 0, or what the system says (-EACCES, -ENOSPC, ...)
 */
MUST_USE int file_write(const char *path, const void *data, size_t size_bytes, struct err *err);

/**
 * Make a folder and those above it that are missing.
 * @return 0 (also when it is there), -ENOTDIR (something else is there), or what the system says
 */
MUST_USE int file_make_dirs(const char *path, struct err *err);

#endif
