/* SPDX-License-Identifier: MIT */
/*
 * Child processes: started from an argument vector, never through a shell. On Windows paths,
 * arguments and environment are UTF-8 here and UTF-16 there (common/wide.h); a program's file may
 * be named without its ".exe".
 */
#ifndef COMMON_PROC_H
#define COMMON_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/compiler.h"
#include "common/err.h"

/** Where a stream of the child goes. */
enum proc_stream {
    PROC_INHERIT, /**< the caller's own */
    PROC_NULL,    /**< /dev/null */
    PROC_CAPTURE, /**< into a buffer (standard output and error only) */
};

/** What to run. */
struct proc_spec {
    const char *const
        *argv; /**< NULL-terminated; argv[0] is looked up in PATH unless it names a folder */
    const char *const *envp; /**< NULL-terminated, or NULL for the caller's environment */
    const char *cwd;         /**< or NULL for the caller's */
    enum proc_stream in, out, err;
    struct buf
        *out_buf; /**< with PROC_CAPTURE; what goes past its limit is dropped, the child runs on */
    struct buf *err_buf;
    uint64_t timeout_ms; /**< the child's process group (Windows: job) is killed after this; 0 for
                              never */
};

/** How it ended. */
struct proc_result {
    int exit_code;  /**< 0 to 255; -1 when a signal ended it. Of Windows' 32 bits the low eight, and
                         255 when only higher ones are set */
    int signal;     /**< number of the signal; 0 when it exited. A status of Windows' own, such as
                         an access violation's, counts as the signal that tells the same */
    bool timed_out; /**< it was killed because of timeout_ms */
    uint64_t wall_ns;            /**< from just before the start to just after the wait */
    uint64_t user_ns, system_ns; /**< CPU time of the child and the descendants that it waited for
                                    (Windows: of the child alone) */
    uint64_t peak_rss_bytes;
};

/**
 * Run a program and wait for it.
 * @spec what to run
 * @out  zeroed on failure
 * @err  on failure, a text that names the program
 * @return 0 when it was started and has ended, whatever its status; else -ENOENT and
 *         such from the start, -EINVAL (no argv[0], PROC_CAPTURE for `in` or without a
 *         buffer), -ECHILD (SIGCHLD is ignored, so that the status is lost), or from the
 *         system
 * A captured stream is read until all who hold it have closed it, descendants included.
 * With timeout_ms, wall_ns is only good to a millisecond.
 * The child is the leader of a process group of its own when timeout_ms is set.
 * Thread safe.
 */
MUST_USE int proc_run(const struct proc_spec *spec, struct proc_result *out, struct err *err);

/**
 * Folder of the running program's own file, without a final '/'.
 * @return the caller's to free(); NULL when the system does not say
 */
MUST_USE char *proc_self_dir(void);

/**
 * Where a program of this name would be found: as execvp does, PATH only when @name
 * holds no '/'.
 * @out the caller's to free(); NULL on failure
 * @return 0, -ENOENT, -EACCES or -ENOMEM
 */
MUST_USE int proc_find(const char *name, char **out);

#endif
