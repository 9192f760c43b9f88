/* SPDX-License-Identifier: MIT */
/* What the workload can do: one table, and the loops that do it. */
#ifndef WORKLOAD_OPERATIONS_H
#define WORKLOAD_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "name.h"

#define WL_THREADS_DEFAULT 4
#define WL_FILES_DEFAULT 2048 /**< a thread */

/** What one thread works with, and how it ended. */
struct wl_thread {
    struct wl_name name; /**< the path in hand: a file, or the program to start */
    size_t count;        /**< operations to do */
    int error_code;      /**< 0, or a negative errno value; then `name` is what it is about */
    int child_status;    /**< of a program that did not end well, as the system gives it; or 0 */
    const char *what;    /**< with error_code: "cannot open" */
};

/** One operation. */
struct wl_operation {
    const char *name;
    const char *does;     /**< one line for a person */
    const char *kind;     /**< of the names that it touches, or NULL when it touches no file */
    bool needs_prepared;  /**< the names must be there */
    bool relative;        /**< changes to the folder once and uses relative names */
    bool starts_programs; /**< this very program, which then does nothing */
    size_t default_total; /**< operations of all threads; 0 for WL_FILES_DEFAULT a thread */
    /** Do thread->count operations; stops at the first failure and notes it. NULL: no thread. */
    void (*loop)(struct wl_thread *thread);
};

/** What this system's workload can do. */
extern const struct wl_operation wl_table[];
extern const size_t wl_table_count;

/** @return the table; @count is set to its length. */
const struct wl_operation *wl_operations(size_t *count);

/** @return the operation, or NULL when there is none of this name. */
const struct wl_operation *wl_operation_find(const char *name);

/** What to do, as the command line says. */
struct wl_plan {
    const struct wl_operation *operation; /**< NULL (prepare only): what any operation needs */
    const char *folder;
    size_t threads; /**< 1 to WL_THREADS_MAX */
    size_t files;   /**< operations a thread, up to WL_FILES_MAX; 0 for the default */
};

/** Operations that a thread of this plan does. */
size_t wl_plan_count(const struct wl_plan *plan, size_t thread);

/* The loops that start programs; there is fork on POSIX only. */
void wl_loop_spawn(struct wl_thread *thread);
void wl_loop_spawn_fork(struct wl_thread *thread);

/** Note a thread's failure. @code negative errno value */
void wl_thread_fail(struct wl_thread *thread, const char *what, int code);

#endif
