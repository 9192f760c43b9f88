/* SPDX-License-Identifier: MIT */
/* What a spawn's file actions will open, and in which folder the program will be looked for. */
#ifndef TRACER_LINUX_PRELOAD_ACTIONS_H
#define TRACER_LINUX_PRELOAD_ACTIONS_H

#include "tracer/linux/preload.h"

/** The folder that a spawned child will be in. */
struct ft_spawn_folder {
    bool changed;           /**< by an action; else it is the caller's */
    bool unknown;           /**< the actions could not be read */
    uint32_t path_bytes;    /**< 0: it has no name that we know */
    char path[FT_PATH_MAX]; /**< not normalised */
};

/**
 * Read the actions.
 * @actions posix_spawn_file_actions_t, or NULL
 * @record  also record what they open (whether that succeeds the child alone knows)
 */
HIDDEN void ft_spawn_actions_read(const void *actions, bool record, struct ft_spawn_folder *out);

#endif
