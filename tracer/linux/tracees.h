/* SPDX-License-Identifier: MIT */
/* The tasks that this process traces with ptrace(2), and what their calls try. */
#ifndef TRACER_LINUX_TRACEES_H
#define TRACER_LINUX_TRACEES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "tracer/linux/keeper.h"
#include "tracer/log.h"

struct ft_tracee;

struct ft_tracees {
    struct ft_log *log;
    struct ft_tracee **slots; /**< owned, by number; grows with the tasks */
    size_t capacity, count;
    bool silent; /**< let everything on, record nothing */
};

void ft_tracees_init(struct ft_tracees *tracees, struct ft_log *log);

/** Frees the memory; the tasks are let go by the end of this process. */
void ft_tracees_fini(struct ft_tracees *tracees);

/** Trace a task and what it starts. @return 0, or what ptrace(2) says, or -ENOMEM */
MUST_USE int ft_tracees_attach(struct ft_tracees *tracees, uint32_t tid, enum ft_keeper_mode mode);

/** Deal with every task that has stopped or ended. Does not wait. */
void ft_tracees_serve(struct ft_tracees *tracees);

#endif
