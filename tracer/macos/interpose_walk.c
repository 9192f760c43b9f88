/* SPDX-License-Identifier: MIT */
/* Calls that walk folders inside the C library: recorded from what goes in and what comes out. */
#include "tracer/macos/interpose.h"

#include <fcntl.h>
#include <ftw.h>
#include <fts.h>
#include <glob.h>
#include <string.h>
#include <sys/param.h>

/* fts(3): the library walks, and shows each entry. */

static void note_entry(const FTS *stream, const FTSENT *entry)
{
    bool moves = !(stream->fts_options & FTS_NOCHDIR) && stream->fts_rfd >= 0;
    unsigned info = entry->fts_info;
    bool listed = info == FTS_DP || info == FTS_DNR;
    bool failed = info == FTS_DNR || info == FTS_ERR || info == FTS_NS;
    ft_note_at(FT_OP_fts, listed ? FT_LIST : FT_READ,
               failed ? entry->fts_errno | FT_PATH_WAS_READ : 0, moves ? stream->fts_rfd : AT_FDCWD,
               entry->fts_path);
}

#define FTS_OPEN(name)                                                                             \
    FT_ORIGINAL(FTS *, name, (char *const *paths, int options, void *compare));                    \
    static FTS *ft_our_##name(char *const *paths, int options, void *compare)                      \
    {                                                                                              \
        FTS *stream = ft_real_##name(paths, options, compare);                                     \
        for (char *const *path = paths; stream && ft_preload_log && *path; path++)                 \
            ft_note_at(FT_OP_fts, FT_READ, 0, AT_FDCWD, *path);                                    \
        return stream;                                                                             \
    }                                                                                              \
    FT_INTERPOSE(name);

#define FTS_WALK(suffix)                                                                           \
    FTS_OPEN(fts_open##suffix)                                                                     \
    FTS_OPEN(fts_open_b##suffix)                                                                   \
    FT_ORIGINAL(FTSENT *, fts_read##suffix, (FTS * stream));                                       \
    static FTSENT *ft_our_fts_read##suffix(FTS *stream)                                            \
    {                                                                                              \
        FTSENT *entry = ft_real_fts_read##suffix(stream);                                          \
        ft_note_cwd_changed();                                                                     \
        if (entry && ft_preload_log)                                                               \
            note_entry(stream, entry);                                                             \
        return entry;                                                                              \
    }                                                                                              \
    FT_INTERPOSE(fts_read##suffix);                                                                \
    FT_ORIGINAL(FTSENT *, fts_children##suffix, (FTS * stream, int options));                      \
    static FTSENT *ft_our_fts_children##suffix(FTS *stream, int options)                           \
    {                                                                                              \
        FTSENT *first = ft_real_fts_children##suffix(stream, options);                             \
        ft_note_cwd_changed();                                                                     \
        for (FTSENT *entry = first; entry && ft_preload_log && options != FTS_NAMEONLY;            \
             entry = entry->fts_link)                                                              \
            note_entry(stream, entry);                                                             \
        return first;                                                                              \
    }                                                                                              \
    FT_INTERPOSE(fts_children##suffix);                                                            \
    FT_ORIGINAL(int, fts_close##suffix, (FTS * stream));                                           \
    static int ft_our_fts_close##suffix(FTS *stream)                                               \
    {                                                                                              \
        int result = ft_real_fts_close##suffix(stream);                                            \
        ft_note_cwd_changed();                                                                     \
        return result;                                                                             \
    }                                                                                              \
    FT_INTERPOSE(fts_close##suffix);

/* Intel's older entries have inode numbers of 32 bits in the middle. */
#if defined(__x86_64__)
FTS_WALK($INODE64)
#else
FTS_WALK()
#endif

/* ftw and nftw: the library calls us for each entry, and we the program. */

typedef int ftw_entry(const char *path, const void *status, int type);
typedef int nftw_entry(const char *path, const void *status, int type, void *place);

/** A walk under way on this thread. */
struct walk {
    enum ft_op op;
    bool changes_folder;
    ftw_entry *ftw;
    nftw_entry *nftw;
    struct walk *outer;
    uint32_t base_bytes;
    char base[MAXPATHLEN]; /* the working folder when it began */
};

static _Thread_local struct walk *walk;

static void note_walked(const struct walk *at, const char *path, int type)
{
    bool folder = type == FTW_D || type == FTW_DP;
    ft_note_below(at->op, folder ? FT_READ | FT_LIST : FT_READ, type == FTW_DNR ? EACCES : 0,
                  at->base, path[0] == '/' ? 0 : at->base_bytes, path);
}

static int on_ftw(const char *path, const void *status, int type)
{
    struct walk *at = walk;
    note_walked(at, path, type);
    return at->ftw(path, status, type);
}

static int on_nftw(const char *path, const void *status, int type, void *place)
{
    struct walk *at = walk;
    note_walked(at, path, type);
    if (at->changes_folder) /* the library changes it by itself, unseen */
        ft_note_cwd_changed();
    int result = at->nftw(path, status, type, place);
    if (at->changes_folder)
        ft_note_cwd_changed();
    return result;
}

static void walk_begin(struct walk *at)
{
    char base[FT_PATH_MAX];
    at->base_bytes = ft_note_cwd(base);
    if (at->base_bytes >= sizeof(at->base))
        at->base_bytes = 0;
    memcpy(at->base, base, at->base_bytes);
    at->outer = walk;
    walk = at;
}

#define FTW_WALK(suffix)                                                                           \
    FT_ORIGINAL(int, ftw##suffix, (const char *path, ftw_entry *entry, int descriptors));          \
    static int ft_our_ftw##suffix(const char *path, ftw_entry *entry, int descriptors)             \
    {                                                                                              \
        struct walk at = {.op = FT_OP_ftw, .ftw = entry};                                          \
        if (!ft_preload_log)                                                                       \
            return ft_real_ftw##suffix(path, entry, descriptors);                                  \
        walk_begin(&at);                                                                           \
        int result = ft_real_ftw##suffix(path, on_ftw, descriptors);                               \
        walk = at.outer;                                                                           \
        ft_note_at(FT_OP_ftw, FT_READ, ft_error_of(result == -1), AT_FDCWD, path);                 \
        return result;                                                                             \
    }                                                                                              \
    FT_INTERPOSE(ftw##suffix);                                                                     \
    FT_ORIGINAL(int, nftw##suffix,                                                                 \
                (const char *path, nftw_entry *entry, int descriptors, int flags));                \
    static int ft_our_nftw##suffix(const char *path, nftw_entry *entry, int descriptors,           \
                                   int flags)                                                      \
    {                                                                                              \
        struct walk at = {.op = FT_OP_nftw, .changes_folder = flags & FTW_CHDIR, .nftw = entry};   \
        if (!ft_preload_log)                                                                       \
            return ft_real_nftw##suffix(path, entry, descriptors, flags);                          \
        walk_begin(&at);                                                                           \
        int result = ft_real_nftw##suffix(path, on_nftw, descriptors, flags);                      \
        walk = at.outer;                                                                           \
        ft_note_at(FT_OP_nftw, FT_READ, ft_error_of(result == -1), AT_FDCWD, path);                \
        return result;                                                                             \
    }                                                                                              \
    FT_INTERPOSE(nftw##suffix);
FTW_WALK()
FT_IF_INODE64(FTW_WALK($INODE64))

/* glob: the folder of the pattern's fixed part, and those of the matches, are listed. */

/** Record the folder that holds @path's last name, as listed. */
static void note_parent(const char *path, size_t length)
{
    char folder[MAXPATHLEN];
    size_t end = 0;

    for (size_t i = 0; i < length && i < sizeof(folder) - 1; i++)
        if (path[i] == '/')
            end = i ? i : 1;
    memcpy(folder, path, end);
    folder[end] = '\0';
    ft_note_at(FT_OP_glob, FT_LIST, 0, AT_FDCWD, end ? folder : ".");
}

static void note_glob(const char *pattern, int flags, int result, const glob_t *out)
{
    if (!ft_preload_log || (flags & GLOB_ALTDIRFUNC))
        return;
    size_t fixed = strcspn(pattern, "*?[{\\");
    if (pattern[fixed])
        note_parent(pattern, fixed);
    size_t first = flags & GLOB_DOOFFS ? out->gl_offs : 0;
    for (size_t i = 0; result == 0 && i < out->gl_pathc; i++) {
        const char *path = out->gl_pathv[first + i];
        note_parent(path, strnlen(path, MAXPATHLEN));
        ft_note_at(FT_OP_glob, FT_READ, 0, AT_FDCWD, path);
    }
}

#define GLOB(name)                                                                                 \
    FT_ORIGINAL(int, name, (const char *pattern, int flags, void *on_error, glob_t *out));         \
    static int ft_our_##name(const char *pattern, int flags, void *on_error, glob_t *out)          \
    {                                                                                              \
        int result = ft_real_##name(pattern, flags, on_error, out);                                \
        note_glob(pattern, flags, result, out);                                                    \
        return result;                                                                             \
    }                                                                                              \
    FT_INTERPOSE(name);
GLOB(glob)
GLOB(glob_b)
FT_IF_INODE64(GLOB(glob$INODE64) GLOB(glob_b$INODE64))

FT_ORIGINAL(void *, tmpfile, (void));
static void *ft_our_tmpfile(void)
{
    void *stream = ft_real_tmpfile();
    ft_note_at(FT_OP_tmpfile, FT_READ | FT_WRITE, ft_error_of(!stream), AT_FDCWD,
               FT_TEMPORARY_FOLDER);
    return stream;
}
FT_INTERPOSE(tmpfile);

/* dlopen looks for "@loader_path" beside its caller: a jump keeps who that is, and nothing comes
 * back here. What it has loaded the image callback tells. */
FT_ORIGINAL(void *, dlopen, (const char *path, int mode));
static void *ft_our_dlopen(const char *path, int mode)
{
    if (path && path[0] == '/')
        ft_note_at(FT_OP_loader, FT_READ, FT_ERROR_UNKNOWN | FT_PATH_WAS_READ, AT_FDCWD, path);
    __attribute__((musttail)) return ft_real_dlopen(path, mode);
}
FT_INTERPOSE(dlopen);
