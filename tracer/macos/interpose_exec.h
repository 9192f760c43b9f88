/* SPDX-License-Identifier: MIT */
/* What every call needs that makes a program of an image. */
#ifndef TRACER_MACOS_INTERPOSE_EXEC_H
#define TRACER_MACOS_INTERPOSE_EXEC_H

#include "tracer/macos/interpose.h"
#include "tracer/macos/plan.h"

/** An exec or spawn, ready to be made. Large: on the stack once. */
struct ft_image_start {
    struct ft_plan plan;
    struct ft_preload_env env;
    bool watched;
};

/**
 * Make @start of what the program asked for. Why it cannot be watched, if so, is recorded.
 * @own  FT_CPU_* that the new program starts as
 * @envp NULL: none
 * @return false when something cannot be read: the call must be made as it is, and will fail
 */
HIDDEN bool ft_image_start_make(struct ft_image_start *start, unsigned own, const char *path,
                                char *const *argv, char *const *envp);

/** errno is kept. */
HIDDEN void ft_image_start_fini(struct ft_image_start *start);

/** What the two variables must say in an environment of a watched program. */
HIDDEN struct ft_preload_variables ft_interpose_variables(void);

/** The program's environment as it is now; never NULL. */
HIDDEN char *const *ft_interpose_environment(void);

/** PATH of the program's environment, as execvp(3) and posix_spawnp(2) take it. */
HIDDEN const char *ft_interpose_folders(void);

#endif
