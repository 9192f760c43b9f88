/* SPDX-License-Identifier: MIT */
/* Calls that walk folders or resolve names inside the C library, where nothing can be wrapped:
 * recorded from what goes in and what comes out. */
#include "tracer/linux/preload.h"

#include <linux/errno.h>
#include <linux/fcntl.h>

/* glob: the folder of the pattern's fixed part, and those of the matches, are listed. */

/** The start of glob_t, which is part of the ABI. */
struct glob_result {
    size_t count;
    char **paths;
    size_t offset;
    int flags;
};

#define GLOB_ALTDIRFUNC (1 << 9)
#define GLOB_DOOFFS (1 << 3)
#define WRDE_DOOFFS (1 << 0)

/** Record the folder that holds @path's last name, as listed. */
static void note_parent(const char *path, uint32_t length)
{
    char folder[FT_PATH_MAX];
    uint32_t end = 0;

    for (uint32_t i = 0; i < length && i < sizeof(folder) - 1; i++)
        if (path[i] == '/')
            end = i ? i : 1;
    for (uint32_t i = 0; i < end; i++)
        folder[i] = path[i];
    folder[end] = '\0';
    ft_note_at(FT_OP_glob, FT_LIST, 0, AT_FDCWD, end ? folder : ".");
}

static uint32_t fixed_length(const char *pattern)
{
    uint32_t n = 0;
    while (n < FT_PATH_MAX && pattern[n] && pattern[n] != '*' && pattern[n] != '?' &&
           pattern[n] != '[' && pattern[n] != '{' && pattern[n] != '\\')
        n++;
    return n;
}

static int glob_with(enum ft_function function, const char *pattern, int flags, void *on_error,
                     struct glob_result *out)
{
    int (*next)(const char *, int, void *, void *) =
        (int (*)(const char *, int, void *, void *))ft_next(function);
    if (!next)
        return ft_no_such_function(), 1 /* GLOB_NOSPACE */;
    int result = next(pattern, flags, on_error, out);
    if (!ft_preload_log || (flags & GLOB_ALTDIRFUNC))
        return result;
    uint32_t fixed = fixed_length(pattern);
    if (pattern[fixed])
        note_parent(pattern, fixed);
    size_t first = flags & GLOB_DOOFFS ? out->offset : 0;
    for (size_t i = 0; result == 0 && i < out->count; i++) {
        const char *path = out->paths[first + i];
        note_parent(path, ft_length(path, FT_PATH_MAX));
        ft_note_at(FT_OP_glob, FT_READ, 0, AT_FDCWD, path);
    }
    return result;
}

EXPORT int glob(const char *pattern, int flags, void *on_error, void *out);
EXPORT int glob(const char *pattern, int flags, void *on_error, void *out)
{
    return glob_with(FT_FN_glob, pattern, flags, on_error, out);
}

EXPORT int glob64(const char *pattern, int flags, void *on_error, void *out);
EXPORT int glob64(const char *pattern, int flags, void *on_error, void *out)
{
    return glob_with(FT_FN_glob64, pattern, flags, on_error, out);
}

/** wordexp(3) globs each word inside the library; the results tell which. */
EXPORT int wordexp(const char *words, void *out, int flags);
EXPORT int wordexp(const char *words, void *out, int flags)
{
    int (*next)(const char *, void *, int) =
        (int (*)(const char *, void *, int))ft_next(FT_FN_wordexp);
    if (!next)
        return ft_no_such_function(), 1 /* WRDE_NOSPACE */;
    int result = next(words, out, flags);
    const struct glob_result *found = out; /* wordexp_t begins alike */
    for (size_t i = 0; ft_preload_log && result == 0 && i < found->count; i++) {
        const char *path = found->paths[(flags & WRDE_DOOFFS ? found->offset : 0) + i];
        for (uint32_t k = 0; path[k]; k++)
            if (path[k] == '/') {
                note_parent(path, ft_length(path, FT_PATH_MAX));
                ft_note_at(FT_OP_glob, FT_READ, FT_ERROR_UNKNOWN | FT_PATH_WAS_READ, AT_FDCWD,
                           path);
                break;
            }
    }
    return result;
}

/* ftw and nftw: the library calls us for each entry, and we the program. */

typedef int ftw_entry(const char *path, const void *status, int type);
typedef int nftw_entry(const char *path, const void *status, int type, void *place);

enum { TYPE_FOLDER = 1, TYPE_UNREADABLE = 2, TYPE_UNKNOWN = 3, TYPE_FOLDER_AFTER = 5 };

#define FTW_CHDIR 4

/** A walk under way on this thread. */
struct walk {
    enum ft_op op;
    bool changes_folder;
    ftw_entry *ftw;
    nftw_entry *nftw;
    struct walk *outer;
    uint32_t base_bytes;
    char base[FT_PATH_MAX]; /* the working folder when it began */
};

static __thread struct walk *walk __attribute__((tls_model("initial-exec")));

static void note_entry(const struct walk *at, const char *path, int type)
{
    bool folder = type == TYPE_FOLDER || type == TYPE_FOLDER_AFTER;
    unsigned access = folder ? FT_READ | FT_LIST : FT_READ;
    int error = type == TYPE_UNREADABLE ? EACCES : 0;
    ft_note_below(at->op, access, error, at->base, path[0] == '/' ? 0 : at->base_bytes, path);
}

static int on_ftw(const char *path, const void *status, int type)
{
    note_entry(walk, path, type);
    return walk->ftw(path, status, type);
}

static int on_nftw(const char *path, const void *status, int type, void *place)
{
    struct walk *at = walk;
    note_entry(at, path, type);
    /* The library changes folders by itself, unseen. */
    if (at->changes_folder)
        ft_note_cwd_changed();
    int result = at->nftw(path, status, type, place);
    if (at->changes_folder)
        ft_note_cwd_changed();
    return result;
}

static void walk_begin(struct walk *at)
{
    at->base_bytes = ft_note_cwd(at->base);
    at->outer = walk;
    walk = at;
}

static __attribute__((noinline)) int ftw_with(enum ft_function function, const char *path,
                                              ftw_entry *entry, int descriptors)
{
    typedef int ftw_function(const char *, ftw_entry *, int);
    ftw_function *next = (ftw_function *)ft_next(function);
    struct walk at;

    if (!next)
        return ft_no_such_function(), -1;
    if (!ft_preload_log)
        return next(path, entry, descriptors);
    at.op = FT_OP_ftw;
    at.changes_folder = false;
    at.ftw = entry;
    walk_begin(&at);
    int result = next(path, on_ftw, descriptors);
    walk = at.outer;
    ft_note_at(FT_OP_ftw, FT_READ, ft_error_of(result == -1), AT_FDCWD, path);
    return result;
}

EXPORT int ftw(const char *path, ftw_entry *entry, int descriptors);
EXPORT int ftw(const char *path, ftw_entry *entry, int descriptors)
{
    return ftw_with(FT_FN_ftw, path, entry, descriptors);
}

EXPORT int ftw64(const char *path, ftw_entry *entry, int descriptors);
EXPORT int ftw64(const char *path, ftw_entry *entry, int descriptors)
{
    return ftw_with(FT_FN_ftw64, path, entry, descriptors);
}

static __attribute__((noinline)) int nftw_with(enum ft_function function, const char *path,
                                               nftw_entry *entry, int descriptors, int flags)
{
    typedef int nftw_function(const char *, nftw_entry *, int, int);
    nftw_function *next = (nftw_function *)ft_next(function);
    struct walk at;

    if (!next)
        return ft_no_such_function(), -1;
    if (!ft_preload_log)
        return next(path, entry, descriptors, flags);
    at.op = FT_OP_nftw;
    at.changes_folder = (flags & FTW_CHDIR) != 0;
    at.nftw = entry;
    walk_begin(&at);
    int result = next(path, on_nftw, descriptors, flags);
    walk = at.outer;
    ft_note_at(FT_OP_nftw, FT_READ, ft_error_of(result == -1), AT_FDCWD, path);
    return result;
}

EXPORT int nftw(const char *path, nftw_entry *entry, int descriptors, int flags);
EXPORT int nftw(const char *path, nftw_entry *entry, int descriptors, int flags)
{
    return nftw_with(FT_FN_nftw, path, entry, descriptors, flags);
}

EXPORT int nftw64(const char *path, nftw_entry *entry, int descriptors, int flags);
EXPORT int nftw64(const char *path, nftw_entry *entry, int descriptors, int flags)
{
    return nftw_with(FT_FN_nftw64, path, entry, descriptors, flags);
}
