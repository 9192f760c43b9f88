/* SPDX-License-Identifier: MIT */
/* Absolute and lexically normal paths, without asking the file system. */
#ifndef TRACER_PATH_H
#define TRACER_PATH_H

#include <stddef.h>

/** Room that ft_path_join() needs for these lengths. */
#define FT_PATH_JOIN_BYTES(base_bytes, path_bytes) ((base_bytes) + (path_bytes) + 3)

/**
 * Join a folder and a path, and make the result lexically normal: one '/' between names,
 * no "." and no final '/', each ".." taken together with the name before it (symbolic
 * links are not looked at), ".." at the root dropped.
 * @base ignored when @path starts with '/'; empty: the result is not absolute and
 *       starts with the path's first name
 * @out  at least FT_PATH_JOIN_BYTES bytes; NUL-terminated
 * @return length of the result. Pure; bytes are taken as they are, NULs included.
 */
size_t ft_path_join(const char *base, size_t base_bytes, const char *path, size_t path_bytes,
                    char *out);

#endif
