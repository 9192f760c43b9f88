/* SPDX-License-Identifier: MIT */
/* Whether to inject an image, or to leave its few calls to the notification. */
#ifndef TRACER_LINUX_WORTH_H
#define TRACER_LINUX_WORTH_H

#include <stdbool.h>
#include <stdint.h>

#include "tracer/linux/slots.h"
#include "tracer/record.h"

/*
 * How it works. Injecting takes as long as some dozens of notifications. The first processes of an
 * image are injected; if none of them makes that many calls, only one of the next ones is now and
 * then. As soon as one process does, whichever way it is watched, all later ones are. A wrong
 * guess costs time and never an access.
 */

#define FT_LEFT_MAX 64u

/** Processes that were left to the notification: their calls are counted. Zeroed: none. */
struct ft_left {
    struct {
        uint32_t pid, calls; /**< 0: nobody */
        unsigned place;      /**< of the image */
    } processes[FT_LEFT_MAX];
};

/**
 * An image that could be injected has been started as @pid.
 * @return whether to do so; if not, its calls are counted from now on
 */
bool ft_worth_start(struct ft_left *left, const struct ft_log_head *log, struct ft_slot *slot,
                    uint32_t pid);

/** A call on a path was notified. */
void ft_worth_call(struct ft_left *left, struct ft_log_head *log, uint32_t pid);

#endif
