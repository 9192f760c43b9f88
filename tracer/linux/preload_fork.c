/* SPDX-License-Identifier: MIT */
/* fork and its kin: a child that never opens anything has to be known all the same. */
#include "tracer/linux/preload.h"

/** In the parent, and in the child, where the result is 0. */
static int note_fork(int result)
{
    if (result > 0)
        ft_note_fork((uint32_t)result);
    else if (result == 0)
        (void)ft_preload_pid(); /* asked for before the child may forbid itself to ask */
    return result;
}

#define FORK(name)                                                                                 \
    EXPORT int name(void);                                                                         \
    EXPORT int name(void)                                                                          \
    {                                                                                              \
        int (*next)(void) = (int (*)(void))ft_next(FT_FN_##name);                                  \
        return next ? note_fork(next()) : (ft_no_such_function(), -1);                             \
    }
FORK(fork)
FORK(__fork)
FORK(_Fork)

EXPORT int forkpty(int *terminal, char *name, const void *settings, const void *size);
EXPORT int forkpty(int *terminal, char *name, const void *settings, const void *size)
{
    int (*next)(int *, char *, const void *, const void *) =
        (int (*)(int *, char *, const void *, const void *))ft_next(FT_FN_forkpty);
    return next ? note_fork(next(terminal, name, settings, size)) : (ft_no_such_function(), -1);
}

/** The one that returns is the child; its parent has ended. */
EXPORT int daemon(int keep_folder, int keep_streams);
EXPORT int daemon(int keep_folder, int keep_streams)
{
    int (*next)(int, int) = (int (*)(int, int))ft_next(FT_FN_daemon);
    if (!next)
        return ft_no_such_function(), -1;
    int result = next(keep_folder, keep_streams);
    if (!result)
        ft_note_fork(ft_preload_pid());
    ft_note_cwd_changed();
    return result;
}
