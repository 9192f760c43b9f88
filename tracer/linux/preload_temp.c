/* SPDX-License-Identifier: MIT */
/* Temporary names and files without a name in the program. */
#include "tracer/linux/preload.h"

#include <linux/errno.h>
#include <linux/fcntl.h>

#define TEMPORARY_FOLDER "/tmp" /* P_tmpdir of <stdio.h> */

static void *tmpfile_with(enum ft_function function)
{
    void *(*next)(void) = (void *(*)(void))ft_next(function);
    if (!next)
        return ft_no_such_function(), NULL;
    void *stream = next();
    ft_note_at(FT_OP_tmpfile, FT_READ | FT_WRITE, ft_error_of(!stream), AT_FDCWD, TEMPORARY_FOLDER);
    return stream;
}

EXPORT void *tmpfile(void);
EXPORT void *tmpfile(void)
{
    return tmpfile_with(FT_FN_tmpfile);
}

EXPORT void *tmpfile64(void);
EXPORT void *tmpfile64(void)
{
    return tmpfile_with(FT_FN_tmpfile64);
}

/** A name that was found to be free: it was looked at. */
static char *note_free_name(char *name)
{
    if (name && name[0])
        ft_note_at(FT_OP_tmpnam, FT_READ, ENOENT, AT_FDCWD, name);
    return name;
}

#define NAME(function)                                                                             \
    EXPORT char *function(char *out);                                                              \
    EXPORT char *function(char *out)                                                               \
    {                                                                                              \
        char *(*next)(char *) = (char *(*)(char *))ft_next(FT_FN_##function);                      \
        return next ? note_free_name(next(out)) : (ft_no_such_function(), (char *)NULL);           \
    }
NAME(tmpnam)
NAME(tmpnam_r)
NAME(mktemp)

EXPORT char *tempnam(const char *folder, const char *prefix);
EXPORT char *tempnam(const char *folder, const char *prefix)
{
    char *(*next)(const char *, const char *) =
        (char *(*)(const char *, const char *))ft_next(FT_FN_tempnam);
    return next ? note_free_name(next(folder, prefix)) : (ft_no_such_function(), (char *)NULL);
}
