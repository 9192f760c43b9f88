/* SPDX-License-Identifier: MIT */
/* Names of the workload's files: FOLDER/t<thread>/<kind>-<number>, in fixed width. */
#ifndef WORKLOAD_NAME_H
#define WORKLOAD_NAME_H

#include <stddef.h>

/** Longest path with its NUL; the limit of Linux. */
#define WL_PATH_SIZE 4096

/** Most files a thread; their numbers and the next one fit the six digits. */
#define WL_FILES_MAX 100000

/** One path that moves from file to file by its digits alone. */
struct wl_name {
    char path[WL_PATH_SIZE];
    char *last_digit; /**< inside path */
};

/**
 * Compose the path of file 0.
 * @folder   "" gives a relative path
 * @thread   0 to 63
 * @kind     "file", "dir" or "gone"
 * @return 0, or -ENAMETOOLONG
 */
int wl_name_first(struct wl_name *name, const char *folder, size_t thread, const char *kind);

/** Go on to the next file; at most WL_FILES_MAX times. */
static inline void wl_name_next(struct wl_name *name)
{
    char *digit = name->last_digit;
    while (*digit == '9')
        *digit-- = '0';
    ++*digit;
}

/** The path of a thread's folder. @return 0, or -ENAMETOOLONG */
int wl_name_thread_folder(char path[WL_PATH_SIZE], const char *folder, size_t thread);

#endif
