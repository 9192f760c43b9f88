/* SPDX-License-Identifier: MIT */
/* What the workload needs of its system; each has a file of its own for POSIX and for Windows. */
#ifndef WORKLOAD_SYSTEM_H
#define WORKLOAD_SYSTEM_H

#include <stddef.h>

#include "name.h"

/** Make a folder. @return 0, also when it is there; or a negative errno value */
int wl_make_folder(const char *path);

/** Make an empty file. @return 0, also when it is there; or a negative errno value */
int wl_make_file(const char *path);

/** Make a folder the working folder. @return 0, or a negative errno value */
int wl_enter_folder(const char *path);

/**
 * A folder as a watcher names it: absolute and lexically normal.
 * @real the system knows only its real name: links are followed, and it must be there
 * @out  on POSIX "" stands for the root
 * @return 0, or a negative errno value
 */
int wl_absolute_folder(const char *path, int real, char out[WL_PATH_SIZE]);

/** What stands between the parts of a path that a watcher names. */
extern const char wl_separator;

/**
 * Path of this program's own file, as a watcher names it.
 * @return 0, or a negative errno value
 */
int wl_self_path(char path[WL_PATH_SIZE]);

/** How a program ended that did not end well, for a person: "exit status 3 instead of 0". */
void wl_describe_end(int child_status, char *out, size_t size_bytes);

#endif
