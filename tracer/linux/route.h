/* SPDX-License-Identifier: MIT */
/* Which way into a file, through the interpreters of scripts. */
#ifndef TRACER_LINUX_ROUTE_H
#define TRACER_LINUX_ROUTE_H

#include "tracer/image.h"
#include "tracer/record.h"

/* Part of the injected library too: no C library behind this. */

/** How many files at most an exec loads besides the one it names: interpreters and a loader. */
#define FT_ROUTE_LOADED_MAX 7

/**
 * Told of each interpreter of a script and of the program loader of a dynamic image.
 * @error errno value where it cannot be had, else 0
 */
typedef void ft_route_loaded(void *context, const char *path, int error);

/**
 * The way into what an exec of @path runs: for a script its last interpreter.
 * @log    remembers what was found in images; NULL: looks again each time
 * @loaded may be NULL
 * @return FT_WAY_PRELOAD too for an image that may not be read: ld.so enters it or, static,
 *         it begins unwatched, which the trace says (its process's memory could not be read
 *         either); and where there is none, so that the exec will fail.
 *         Async-signal-safe; one system call for most programs that have been looked at before.
 */
__attribute__((visibility("hidden"))) enum ft_way
ft_route_file(const char *path, struct ft_log_head *log, ft_route_loaded *loaded, void *context);

/** Open a file that is named as the kernel would find it. @return a descriptor, or a negative errno
 * value */
typedef int ft_route_open(void *context, const char *path, int flags);

/**
 * Only tell what an exec loads, for somebody else.
 * @fd      the file, open for reading; is closed. Or a negative errno value
 * @open    of what it leads to; with O_PATH, to see whether it is there
 * @context of both functions
 */
__attribute__((visibility("hidden"))) void ft_route_tell(int fd, ft_route_open *open,
                                                         ft_route_loaded *loaded, void *context);

#endif
