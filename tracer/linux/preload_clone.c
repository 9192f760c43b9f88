/* SPDX-License-Identifier: MIT */
/* clone: what a child on our memory, which is no thread of ours, makes of what we keep there. */
#include "tracer/linux/preload.h"

#include <linux/sched.h>

#include "tracer/linux/preload_jump.h"

void ft_note_clone(uint64_t flags)
{
    if (!ft_preload_log || !(flags & CLONE_VM))
        return;
    if (!(flags & CLONE_FS))
        ft_note_folders_part(CLONE_FS);
    if (!(flags & CLONE_THREAD))
        ft_preload_memory_shared();
}

/* Called from the wrappers below alone. */
HIDDEN void *ft_clone_enter(const void *function, const void *stack, int flags);

__attribute__((used)) void *ft_clone_enter(const void *function, const void *stack, int flags)
{
    (void)function, (void)stack;
    ft_note_clone((uint32_t)flags);
    return ft_next(FT_FN_clone); /* there where there is a program that calls it */
}
FT_JUMP_ON(clone, ft_clone_enter);
FT_JUMP_ON(__clone, ft_clone_enter);
