/* SPDX-License-Identifier: MIT */
/* realpath and its kin, which read links inside the C library. */
#include "tracer/linux/preload.h"

#include <linux/errno.h>
#include <linux/fcntl.h>

#include "tracer/image.h"
#include "tracer/linux/preload_allowed.h"
#include "tracer/linux/preload_env.h"
#include "tracer/linux/sys.h"

/* The library reads each name on the way as a link, and so do we, after it: what it
 * met on the way cannot be told from the result. */

#define LINKS_MAX 40 /* as the kernel's limit */

/** Working memory, in mapped pages: stacks may be small. */
struct resolution {
    char done[FT_PATH_MAX];     /* the names so far, resolved */
    char rest[2 * FT_PATH_MAX]; /* the names still to come */
    char link[FT_PATH_MAX];
    char joined[2 * FT_PATH_MAX];
    uint32_t done_bytes;
    uint32_t links;
};

static void drop_last(struct resolution *at)
{
    while (at->done_bytes && at->done[--at->done_bytes] != '/')
        ;
    at->done[at->done_bytes] = '\0';
}

/** Put a link's target in front of the rest. @return false when that is too long */
static bool follow_link(struct resolution *at, uint32_t link_bytes)
{
    at->link[link_bytes] = '\0';
    uint32_t rest_bytes = ft_length(at->rest, sizeof(at->rest));
    if (++at->links > LINKS_MAX || link_bytes + rest_bytes + 2 > sizeof(at->joined))
        return false;
    uint32_t n = ft_put_text(at->joined, 0, sizeof(at->joined), at->link);
    n = ft_put_text(at->joined, n, sizeof(at->joined), "/");
    (void)ft_put_text(at->joined, n, sizeof(at->joined), at->rest);
    (void)ft_put_text(at->rest, 0, sizeof(at->rest), at->joined);
    if (at->link[0] == '/')
        at->done_bytes = 0;
    else
        drop_last(at);
    at->done[at->done_bytes] = '\0';
    return true;
}

/** Take the next name of the rest and read it as a link. @return false at the end */
static bool resolve_step(struct resolution *at)
{
    const char *rest = at->rest;
    uint32_t length = 0;
    while (*rest == '/')
        rest++;
    while (rest[length] && rest[length] != '/')
        length++;
    if (!length || at->done_bytes + length + 2 > sizeof(at->done))
        return false;
    bool dot = rest[0] == '.' && length == 1;
    bool dots = rest[0] == '.' && rest[1] == '.' && length == 2;
    if (!dot && !dots) {
        at->done[at->done_bytes++] = '/';
        for (uint32_t i = 0; i < length; i++)
            at->done[at->done_bytes++] = rest[i];
        at->done[at->done_bytes] = '\0';
    }
    (void)ft_put_text(at->joined, 0, sizeof(at->joined), rest + length);
    (void)ft_put_text(at->rest, 0, sizeof(at->rest), at->joined);
    if (dots)
        drop_last(at);
    if (dot || dots)
        return true;
    long n = SYS4(__NR_readlinkat, AT_FDCWD, at->done, at->link, sizeof(at->link) - 1);
    ft_note_at(FT_OP_realpath, FT_READ, n < 0 ? (int)-n | FT_PATH_WAS_READ : 0, AT_FDCWD, at->done);
    return n >= 0 ? follow_link(at, (uint32_t)n) : n == -EINVAL;
}

static __attribute__((noinline)) void note_realpath(const char *path, int error)
{
    if (!ft_preload_log || !ft_path_readable(path, error))
        return;
    ft_note_at(FT_OP_realpath, FT_READ, error | (error ? FT_PATH_WAS_READ : 0), AT_FDCWD, path);
    /* Where the program filters its own calls, it may not make this one (it has readlink). */
    struct resolution *at = ft_own_allowed(FT_OWN_DESCRIPTOR) ? ft_preload_map(sizeof(*at)) : NULL;
    if (!at)
        return ft_note_reason(FT_REASON_PATH_UNKNOWN, NULL);
    if (path[0] != '/')
        at->done_bytes = ft_note_cwd(at->done);
    if (at->done_bytes == 1)
        at->done_bytes = 0; /* the root */
    at->done[at->done_bytes] = '\0';
    (void)ft_put_text(at->rest, 0, sizeof(at->rest), path);
    while (resolve_step(at))
        ;
    ft_preload_unmap(at, sizeof(*at));
}

EXPORT char *realpath(const char *path, char *resolved);
EXPORT char *realpath(const char *path, char *resolved)
{
    char *(*next)(const char *, char *) = (char *(*)(const char *, char *))ft_next(FT_FN_realpath);
    if (!next)
        return ft_no_such_function(), NULL;
    char *result = next(path, resolved);
    note_realpath(path, ft_error_of(!result));
    return result;
}

EXPORT char *__realpath_chk(const char *path, char *resolved, size_t room);
EXPORT char *__realpath_chk(const char *path, char *resolved, size_t room)
{
    char *(*next)(const char *, char *, size_t) =
        (char *(*)(const char *, char *, size_t))ft_next(FT_FN___realpath_chk);
    if (!next)
        return ft_no_such_function(), NULL;
    char *result = next(path, resolved, room);
    note_realpath(path, ft_error_of(!result));
    return result;
}

EXPORT char *canonicalize_file_name(const char *path);
EXPORT char *canonicalize_file_name(const char *path)
{
    char *(*next)(const char *) = (char *(*)(const char *))ft_next(FT_FN_canonicalize_file_name);
    if (!next)
        return ft_no_such_function(), NULL;
    char *result = next(path);
    note_realpath(path, ft_error_of(!result));
    return result;
}
