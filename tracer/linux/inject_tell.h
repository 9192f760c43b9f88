/* SPDX-License-Identifier: MIT */
/* What a payload cannot know is told to it, while the call that brings it about is answered. */
#ifndef TRACER_LINUX_INJECT_TELL_H
#define TRACER_LINUX_INJECT_TELL_H

#include "tracer/linux/inject.h"

/** Is our payload in the memory, open /proc/TID/mem? Forked children have it from the start. */
bool ft_inject_is_in(const struct ft_inject *inject, int memory);

/** Whatever a call brings about that concerns the payload. @is_on_path it is one of the table */
void ft_inject_tell(struct ft_inject *inject, const struct seccomp_notif *notification,
                    bool is_on_path);

#endif
