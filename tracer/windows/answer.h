/* SPDX-License-Identifier: MIT */
/* The tracer enters 64-bit children of 32-bit programs, which cannot do it themselves. */
#ifndef TRACER_WINDOWS_ANSWER_H
#define TRACER_WINDOWS_ANSWER_H

#include "common/compiler.h"
#include "tracer/windows/inject.h"

/** A pipe, and the thread that serves it. Zeroed: there is none. */
struct ft_answerer {
    HANDLE pipe, stop, thread;
    OVERLAPPED io;
    const struct ft_injector *injector;
};

/** How long somebody who has connected may keep others from asking. */
#define FT_ANSWER_LIMIT_MS 1000u

/** A number for the pipe's name, which nobody can guess. @return 0 or -EIO */
MUST_USE int ft_answer_name(uint64_t *out);

/**
 * Make the pipe that the injector's payload names, and answer on a thread of its own until
 * ft_answer_stop(): one who asks after the other. Who asks gives handles of its own and can have
 * nothing entered that it has no rights to; only processes that have not begun are.
 * @injector lives until ft_answer_stop()
 * @out      zeroed on failure
 * @return 0, or what the system says; -EINVAL: the payload names none
 */
MUST_USE int ft_answer_start(struct ft_answerer *out, const struct ft_injector *injector);

/** Ends the thread and the pipe. What is not running is left alone. */
void ft_answer_stop(struct ft_answerer *answerer);

#endif
