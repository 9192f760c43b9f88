/* SPDX-License-Identifier: MIT */
/* fts(3): the library walks, and shows each entry. */
#include "tracer/linux/preload.h"

#include <linux/fcntl.h>

/** The start of FTS, which is part of the ABI. */
struct fts_stream {
    void *current, *child, **array;
    unsigned long device;
    char *path;
    int root_fd; /* the folder where the walk began, unless FTS_NOCHDIR */
    int path_length, item_count;
    void *compare;
    int options;
};

/** The start of FTSENT. */
struct fts_entry {
    void *cycle, *parent;
    struct fts_entry *link;
    long number;
    void *pointer;
    char *access_path, *path;
    int error, symbolic_fd;
    unsigned short path_length, name_length;
    unsigned long inode, device, link_count;
    short level;
    unsigned short info;
};

enum {
    INFO_FOLDER = 1,
    INFO_FOLDER_UNREADABLE = 4,
    INFO_FOLDER_AFTER = 6,
    INFO_ERROR = 7,
    INFO_NO_STAT = 10
};

#define FTS_NOCHDIR 0x0004
#define FTS_NAMEONLY 0x0100

static void note_entry(const struct fts_stream *stream, const struct fts_entry *entry)
{
    bool moves = !(stream->options & FTS_NOCHDIR) && stream->root_fd >= 0;
    int folder = moves ? stream->root_fd : AT_FDCWD;
    unsigned info = entry->info;
    unsigned access =
        info == INFO_FOLDER_AFTER || info == INFO_FOLDER_UNREADABLE ? FT_LIST : FT_READ;
    bool failed = info == INFO_FOLDER_UNREADABLE || info == INFO_ERROR || info == INFO_NO_STAT;
    ft_note_at(FT_OP_fts, access, failed ? entry->error | FT_PATH_WAS_READ : 0, folder,
               entry->path);
}

static void *open_with(enum ft_function function, char *const *paths, int options, void *compare)
{
    typedef void *open_function(char *const *, int, void *);
    open_function *next = (open_function *)ft_next(function);
    if (!next)
        return ft_no_such_function(), NULL;
    void *stream = next(paths, options, compare);
    for (char *const *path = paths; stream && *path; path++)
        ft_note_at(FT_OP_fts, FT_READ, 0, AT_FDCWD, *path);
    return stream;
}

static struct fts_entry *read_with(enum ft_function function, struct fts_stream *stream)
{
    typedef struct fts_entry *read_function(struct fts_stream *);
    read_function *next = (read_function *)ft_next(function);
    if (!next)
        return ft_no_such_function(), NULL;
    struct fts_entry *entry = next(stream);
    ft_note_cwd_changed();
    if (entry && ft_preload_log)
        note_entry(stream, entry);
    return entry;
}

static struct fts_entry *children_with(enum ft_function function, struct fts_stream *stream,
                                       int options)
{
    typedef struct fts_entry *children_function(struct fts_stream *, int);
    children_function *next = (children_function *)ft_next(function);
    if (!next)
        return ft_no_such_function(), NULL;
    struct fts_entry *first = next(stream, options);
    ft_note_cwd_changed();
    for (struct fts_entry *entry = first; entry && ft_preload_log && options != FTS_NAMEONLY;
         entry = entry->link)
        note_entry(stream, entry);
    return first;
}

static int close_with(enum ft_function function, struct fts_stream *stream)
{
    typedef int close_function(struct fts_stream *);
    close_function *next = (close_function *)ft_next(function);
    if (!next)
        return ft_no_such_function(), -1;
    int result = next(stream);
    ft_note_cwd_changed();
    return result;
}

/* The functions for large files are the same, with structures that are the same on 64 bits. */
#define FTS(prefix)                                                                                \
    EXPORT void *prefix##_open(char *const *paths, int options, void *compare);                    \
    EXPORT void *prefix##_open(char *const *paths, int options, void *compare)                     \
    {                                                                                              \
        return open_with(FT_FN_##prefix##_open, paths, options, compare);                          \
    }                                                                                              \
    EXPORT struct fts_entry *prefix##_read(struct fts_stream *stream);                             \
    EXPORT struct fts_entry *prefix##_read(struct fts_stream *stream)                              \
    {                                                                                              \
        return read_with(FT_FN_##prefix##_read, stream);                                           \
    }                                                                                              \
    EXPORT struct fts_entry *prefix##_children(struct fts_stream *stream, int options);            \
    EXPORT struct fts_entry *prefix##_children(struct fts_stream *stream, int options)             \
    {                                                                                              \
        return children_with(FT_FN_##prefix##_children, stream, options);                          \
    }                                                                                              \
    EXPORT int prefix##_close(struct fts_stream *stream);                                          \
    EXPORT int prefix##_close(struct fts_stream *stream)                                           \
    {                                                                                              \
        return close_with(FT_FN_##prefix##_close, stream);                                         \
    }
FTS(fts)
FTS(fts64)
