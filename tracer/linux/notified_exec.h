/* SPDX-License-Identifier: MIT */
/* What a notified exec loads besides the file that it names, and what it would gain. */
#ifndef TRACER_LINUX_NOTIFIED_EXEC_H
#define TRACER_LINUX_NOTIFIED_EXEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracer/image.h"
#include "tracer/linux/route.h"

/** The interpreters of a script and a program's loader, as they are named in the files. */
struct ft_notified_exec {
    bool loses_privileges; /**< the filter's no_new_privs keeps it from what its mode would give */
    bool has_relative;     /**< some path starts from the working folder */
    unsigned count;
    int errors[FT_ROUTE_LOADED_MAX]; /**< errno values, or 0 */
    char paths[FT_ROUTE_LOADED_MAX][FT_INTERPRETER_MAX];
};

/**
 * Look at the file before its exec goes on.
 * @dirfd,path as the task gave them; with "" the descriptor itself
 * @out        zeroed where nothing can be said
 */
void ft_notified_exec_read(struct ft_notified_exec *out, uint32_t tid, int dirfd, const char *path);

#endif
