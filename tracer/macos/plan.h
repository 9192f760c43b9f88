/* SPDX-License-Identifier: MIT */
/* What to execute in the place of what a program asked for: itself, or the interpreter of a script
 * that the system's own programs would hide from us. */
#ifndef TRACER_MACOS_PLAN_H
#define TRACER_MACOS_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracer/image.h"
#include "tracer/macos/attach.h"
#include "tracer/macos/script.h"
#include "tracer/preload_list.h"

/* Part of the injected library too: no allocation but of mapped pages for long lists. */

/** A file, as an exec would find it. */
struct ft_looked {
    int error;             /**< errno value when it cannot be opened or executed, else 0 */
    enum ft_reason reason; /**< of ft_can_insert() */
    size_t head_bytes;
    char head[FT_SCRIPT_LINE_MAX]; /**< its first bytes */
};

struct ft_plan_options;

/** Look at a file; ft_plan_look() or, in tests, a stand-in. */
typedef void ft_plan_looker(const struct ft_plan_options *options, const char *path,
                            struct ft_looked *out);

/** What is the same for every exec of a process. */
struct ft_plan_options {
    unsigned own;        /**< FT_CPU_OWN */
    unsigned library;    /**< FT_CPU_* that our library has code for */
    bool protection_off; /**< System Integrity Protection is off */
    const char *shell;   /**< path that stands in for /bin/sh and /bin/bash; empty: none */
    ft_plan_looker *look;
    void *context; /**< for the looker */
    /** Told of each interpreter that the kernel or env(1) would have opened; or NULL. */
    void (*loaded)(const char *path, int error);
};

/** What to do. */
struct ft_plan {
    const char *path;      /**< what to execute; borrowed, from the caller or in here */
    char *const *argv;     /**< with which arguments; likewise */
    const char *image;     /**< what comes to run; likewise */
    enum ft_reason reason; /**< why our library cannot be in it; FT_REASON_NONE when it can */
    struct ft_preload_list list;
    struct ft_script script;
    char found[FT_IMAGE_PATH_MAX];
};

/**
 * Make a plan for an exec of @path.
 *  - What our library can be inserted into is executed as it was asked for, scripts by the kernel.
 *  - "#!/usr/bin/env NAME" where env is the system's: NAME is looked for here and executed itself.
 *  - /bin/sh and /bin/bash, named or as interpreter, become options->shell where that is given.
 *  - All else is executed as it was asked for, with the reason why it cannot be watched.
 * @folders PATH of the new environment, for env
 * @argv    readable; at least one entry, or NULL
 * Without memory the plan is what was asked for. 3 KiB of stack besides @out.
 */
void ft_plan_make(const struct ft_plan_options *options, const char *path, char *const *argv,
                  const char *folders, struct ft_plan *out);

void ft_plan_fini(struct ft_plan *plan);

/** The system's looker: opens, reads and closes the file. errno is not kept. */
void ft_plan_look(const struct ft_plan_options *options, const char *path, struct ft_looked *out);

#endif
