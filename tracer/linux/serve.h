/* SPDX-License-Identifier: MIT */
/* What the tracer does for watched processes while they run: serve listeners, trace tasks. */
#ifndef TRACER_LINUX_SERVE_H
#define TRACER_LINUX_SERVE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/compiler.h"
#include "tracer/linux/guard.h"
#include "tracer/linux/keeper.h"
#include "tracer/linux/slots.h"
#include "tracer/linux/supervise.h"
#include "tracer/log.h"

/** Zeroed but for the pipe, which is -1: nothing is served. The guard's process shares this memory.
 */
struct ft_serving {
    struct ft_log *log;      /**< borrowed */
    int requests[2];         /**< pipe: watched processes write to [1] through our /proc entry */
    struct ft_request taken; /**< from the pipe, and not answered yet */
    bool launched;           /**< out: FT_REQUEST_LAUNCHED has come */
    struct ft_keeper keeper;
    size_t supervisors_count;
    bool threadless;       /**< some listener has no thread: it is served by ft_serving_serve() */
    struct ft_slots slots; /**< for static programs, when the log's flags say so */
    /* The large ones last: most runs touch none of their pages. */
    struct ft_guard guard;
    struct ft_supervisor *supervisors[FT_GUARD_SLOTS];
};

/** Make the pipe. @return 0, -EMFILE or -ENFILE */
MUST_USE int ft_serving_open(struct ft_serving *serving, struct ft_log *log);

/** Serve what watched processes have asked for. Does not wait. */
void ft_serving_serve(struct ft_serving *serving);

/** Is it to be called although nobody has asked? */
bool ft_serving_is_due(const struct ft_serving *serving);

/**
 * The run is over.
 * @return true when processes are left that have to be served: the guard and the keeper do it
 */
bool ft_serving_stop(struct ft_serving *serving);

/** Close the pipe, unless a guard stays that reads it. Fine when it was never made. */
void ft_serving_close(struct ft_serving *serving);

#endif
