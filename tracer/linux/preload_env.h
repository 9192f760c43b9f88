/* SPDX-License-Identifier: MIT */
/* Lists for exec: the environment with our two variables, and where programs are looked for. */
#ifndef TRACER_LINUX_PRELOAD_ENV_H
#define TRACER_LINUX_PRELOAD_ENV_H

#include "tracer/linux/preload.h"

/** ft_preload_env_edit() for this run. @envp any pointer: what cannot be read is passed on as it is
 */
HIDDEN void ft_preload_env_make(struct ft_preload_env *env, char *const *envp, bool watched);

/** The program's environment as it is now; never NULL. */
HIDDEN char *const *ft_preload_environment(void);

/** The folders that a program without '/' in its name is looked for in, as execvp(3) takes them. */
HIDDEN const char *ft_search_folders(void);

/** ft_search_next_in() with @out of FT_PATH_MAX bytes. */
HIDDEN bool ft_search_next(const char **folders, const char *file, char *out);

#endif
