/* SPDX-License-Identifier: MIT */
/* libfiletrace: run a command and receive every path that it and its descendants try. */
#ifndef TRACER_FILETRACE_H
#define TRACER_FILETRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "common/err.h"
#include "tracer/log.h"
#include "tracer/trace.h"

/** Which ways into a program may be used. */
enum ft_backend {
    FT_BACKEND_AUTO,    /**< what fits each image best */
    FT_BACKEND_PRELOAD, /**< only the injected library */
    FT_BACKEND_NOTIFY,  /**< the kernel's notifications, for dynamic programs too */
    FT_BACKEND_INJECT,  /**< as notify, but static programs of x86-64 record from inside;
                             Windows: only the injected library, as with auto */
    FT_BACKEND_PTRACE,  /**< ptrace, for dynamic programs too: slower; calls never fail with EINTR
                             because of it, and their errors are seen */
};

/** The names of this system's backends, for people: "auto, preload, notify, ptrace". */
const char *ft_backend_names(void);

/** Find a backend by its name, one of ft_backend_names(). @return 0 or -EINVAL */
MUST_USE int ft_backend_parse(const char *name, enum ft_backend *out);

/** What to run. */
struct ft_run_options {
    char *const *argv;   /**< NULL-terminated, at least one; argv[0] is looked up in PATH */
    char *const *envp;   /**< NULL-terminated environment of the command; NULL: this process's */
    const char *library; /**< the injected library; NULL: found by ft_library_find() */
    enum ft_backend backend;
    bool strict;        /**< dynamic programs too are watched by the kernel: guarantee "kernel" */
    bool deny_io_uring; /**< io_uring_setup fails with ENOSYS; else it makes the trace incomplete */
    const char *shell;  /**< macOS: what runs in the place of /bin/sh and /bin/bash where these
                             cannot be watched; an absolute path, or NULL */
    ft_log_sink *raw_sink; /**< also receives the records as they are; or NULL */
    void *raw_context;
    /** The caller writes what was recorded and then its process ends. Signals that ask to stop stay
     * blocked (POSIX), and the log mapped (Linux): the kernel takes memory back sooner as a whole.
     */
    bool ends_after;
};

/** How a run ended. */
struct ft_outcome {
    struct ft_raw_summary end;  /**< exit of the command, records lost */
    int start_error;            /**< negative errno value when the command could not be started */
    uint64_t interrupted_calls; /**< that a signal took back while the tracer looked at them: at
                                   least so many, and some may have failed with EINTR; ptrace does
                                   not do that */
    int interrupt;              /**< signal that asked the tracer to stop, or 0 */
};

/**
 * Path of the injected library: beside this program's own file, else in
 * ../lib/filetrace as seen from its folder.
 * @out the caller's to free(); NULL on failure
 * @return 0, -ENOENT or -ENOMEM
 */
MUST_USE int ft_library_find(char **out, struct err *err);

/**
 * Run a command until it ends. Records are decoded while it runs, on this thread; the
 * caller finishes the decoder. What the command left running goes on unrecorded.
 * @outcome zeroed on failure
 * @return 0 when the command ran or could not be started (start_error); else what made
 *         recording impossible (-ENOMEM, -ENOENT: no injected library, -ENOTSUP: this system
 *         lacks the backend or an option, ...) or what a sink returned, after the command has
 *         ended
 * Not thread safe: it waits for children and takes signals of the whole process.
 */
MUST_USE int ft_run(const struct ft_run_options *options, struct ft_decoder *decoder,
                    struct ft_outcome *outcome, struct err *err);

#endif
