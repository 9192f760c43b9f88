/* SPDX-License-Identifier: MIT */
/*
 * Which system calls of our own a filter of the program's lets pass. A call that it answers with
 * death, a signal, a tracer or a supervisor is not made; what it would have told is recorded as
 * unknown. Nobody can be asked for the filter, but whoever puts it on shows it to us: it is run
 * for each of our calls. The answer goes on to the next image in our variable.
 */
#ifndef TRACER_LINUX_PRELOAD_ALLOWED_H
#define TRACER_LINUX_PRELOAD_ALLOWED_H

#include <stdbool.h>
#include <stdint.h>

#include "common/compiler.h"

/** What our calls are for. */
enum ft_own_call {
    FT_OWN_FOLDER,     /**< the working folder's name */
    FT_OWN_DESCRIPTOR, /**< a descriptor's name */
    FT_OWN_MEMORY,     /**< copy memory that may not be there */
    FT_OWN_PROBE,      /**< can it be read? */
    FT_OWN_PID,        /**< this process's number */
    FT_OWN_WAIT,       /**< a pause while the log is full */
    FT_OWN_STATUS,     /**< is this file there? */
    FT_OWN_PAGES,      /**< memory of our own */
    FT_OWN_CLIMB,      /**< look through folders */
    FT_OWN_ROUTE,      /**< look at an image before its exec */
    FT_OWN_ENTER,      /**< put the kernel's filter on and ask the tracer to serve it */
};

/** A bit for each that is not allowed; 0 without a filter. */
extern HIDDEN uint32_t ft_own_denied;

static inline bool ft_own_allowed(enum ft_own_call call)
{
    return LIKELY(!(__atomic_load_n(&ft_own_denied, __ATOMIC_RELAXED) & 1u << call));
}

/** Is any call of ours denied? */
static inline bool ft_own_filtered(void)
{
    return __atomic_load_n(&ft_own_denied, __ATOMIC_RELAXED) != 0;
}

/** The filter that a prctl(2), or a seccomp(2), puts on: a struct sock_fprog; NULL when it does
 * something else. */
HIDDEN const void *ft_own_filter_of_prctl(unsigned long option, unsigned long mode,
                                          const void *program);
HIDDEN const void *ft_own_filter_of_seccomp(unsigned long operation, const void *program);

/** Ask now for what a filter may forbid later, so that most records need no call of ours then. */
HIDDEN void ft_own_settle(void);

/** A filter is about to be put on: until it is known what it allows, nothing. @return for
 * ft_own_filter_done() */
HIDDEN uint32_t ft_own_filter_ahead(void);

/**
 * It has been put on, or refused.
 * @before  as ft_own_filter_ahead() returned
 * @done    it is on
 * @program which the kernel has read
 */
HIDDEN void ft_own_filter_done(uint32_t before, bool done, const void *program);

#endif
