/* SPDX-License-Identifier: MIT */
/* From inside a watched program: put the filter on this thread and have the tracer serve it. */
#ifndef TRACER_LINUX_PRELOAD_REQUEST_H
#define TRACER_LINUX_PRELOAD_REQUEST_H

#include "tracer/linux/preload.h"

/**
 * Before the exec of an image that ld.so does not load us into. Does nothing when the filter
 * is there already. When it cannot be had, or the program's own filter is in the way, the exec goes
 * on and a note says so.
 * @image     what is about to be executed, for the note
 * @by_ptrace it may want a listener of its own
 */
HIDDEN void ft_preload_enter_filter(const char *image, bool by_ptrace);

/** Is the filter on this thread? */
HIDDEN bool ft_preload_has_filter(void);

#endif
