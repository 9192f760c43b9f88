/* SPDX-License-Identifier: MIT */
/* The tracer's side of recording from inside static programs. */
#ifndef TRACER_LINUX_INJECT_H
#define TRACER_LINUX_INJECT_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdint.h>

#include "tracer/linux/guard.h"
#include "tracer/linux/slots.h"
#include "tracer/linux/worth.h"
#include "tracer/log.h"

/*
 * How it works. Each image of x86-64 makes one call early on, arch_prctl(ARCH_SET_FS), while it
 * has one thread and no handlers. The filter notifies us of it, so the program waits:
 *
 *   park 1  Behind the call we write a bootstrap over the program's code, having kept what was
 *           there, hand it the log's descriptor, and let it go on. It maps the log and memory for
 *           the payload, and makes the same call again.
 *   park 2  We give the code back what was there. If all is mapped, we write the payload, and a
 *           jump goes over the instructions before each call on a path that was found
 *           (tracer/sites.h), to a stub that has the payload make the call and record it, errors
 *           known, within the range of addresses that the filter lets through.
 *
 * Calls from anywhere else are notified as ever, so nothing is lost with what was not found, was
 * not understood, or is made at run time. Whatever fails on the way, the image is watched by
 * notification alone. Should this process be killed between the parks, the guard gives the code
 * back (guard.h).
 *
 * Later we are told of what the payload cannot know: that another process begins to run on the
 * program's memory (its process's number must then be asked for), and what makes it better to go
 * back to notification altogether: a filter of the program's own, which our calls might not
 * pass; chroot and another numbering of processes; and pthread_cancel in glibc, which may unwind
 * the stack from within a call, and cannot from within the payload.
 */

/** Is this built for the machine? */
extern const bool ft_can_inject;

/** A program between its two parks, beside what the guard knows of it. */
struct ft_inject_waiting {
    struct ft_slot *slot; /**< held */
    uint64_t shift;       /**< where the image lies, against where it is linked */
    bool is_unanswered;   /**< the bootstrap is written and has not begun to run */
};

/** Zeroed: injects nothing. */
struct ft_inject {
    struct ft_log *log;
    struct ft_slots *slots;
    int listener;
    unsigned long filters; /**< on a program with ours and those around us; 0: not known yet */
    struct ft_left left;
    bool can_write;     /**< the kernel has let us once */
    bool has_strangers; /**< some may have a filter of their own, or other numbers: each is asked */
    struct ft_guard_patch patches[FT_GUARD_PATCHES];
    struct ft_inject_waiting waiting[FT_GUARD_PATCHES];
};

/** @slots borrowed, for all listeners; NULL: inject nothing */
void ft_inject_init(struct ft_inject *inject, struct ft_log *log, struct ft_slots *slots,
                    int listener);

/** A call was notified and will be answered: do what it takes before. Any call. @pid whose, when it
 * is one of the table, else 0 */
void ft_inject_before_answer(struct ft_inject *inject, const struct seccomp_notif *notification,
                             uint32_t pid);

/** The answer came too late: the call is made again, or its task is gone. */
void ft_inject_unanswered(struct ft_inject *inject, const struct seccomp_notif *notification);

/** Forget the patches that wait: the guard has taken them over (ft_guard_inherit()). */
void ft_inject_leave(struct ft_inject *inject);

/** Give back what is held. No process is left that waits, or the guard has it. */
void ft_inject_fini(struct ft_inject *inject);

#endif
