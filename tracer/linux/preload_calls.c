/* SPDX-License-Identifier: MIT */
/* The wrappers: those that calls.def generates, and those of variadic functions. */
#include "tracer/linux/preload.h"

#include <linux/errno.h>
#include <linux/fcntl.h>
#include <stdarg.h>

#include "tracer/image.h"
#include "tracer/linux/preload_env.h"

#ifndef O_TMPFILE
#define O_TMPFILE (020000000 | O_DIRECTORY)
#endif

void ft_no_such_function(void)
{
    *ft_errno_place() = ENOSYS;
}

void ft_note_root_changed(int error, const char *path)
{
    if (!error)
        ft_note_reason(FT_REASON_CHROOT, path);
}

/** Access of a stream's mode, as fopen(3): the first letter, and '+' anywhere before ','. */
static unsigned mode_access(const char *mode)
{
    unsigned access = mode[0] == 'r' ? FT_READ : FT_WRITE;
    for (uint32_t i = 1; mode[0] && mode[i] && mode[i] != ',' && i < 8; i++)
        if (mode[i] == '+')
            access = FT_READ | FT_WRITE;
    return access;
}

/** A catalogue's name without '/' is looked for along NLSPATH. */
static void note_catalogue(enum ft_op op, int error, const char *name)
{
    if (!ft_path_readable(name, error ? EINVAL : 0))
        return;
    for (uint32_t i = 0; name[i]; i++)
        if (name[i] == '/')
            return ft_note_at(op, FT_READ, error | (error ? FT_PATH_WAS_READ : 0), AT_FDCWD, name);
}

/** chdir(2) and its like have come back. */
static void note_moved(int error)
{
    if (error)
        return;
    ft_note_cwd_changed();
    ft_note_cwd_known();
}

/** The C library reads a database of its own; when it fails, it does not say where. */
static __attribute__((noinline)) void note_database(enum ft_op op, int error, const char *path)
{
    static const char configuration[] = "/etc/nsswitch.conf";
    error |= FT_PATH_WAS_READ;
    ft_note_below(op, FT_READ, error, NULL, 0, "/"); /* has the root been changed since? */
    ft_note_below(op, FT_READ, error, NULL, 0, configuration);
    ft_note_below(op, FT_READ, error, NULL, 0, path);
    ft_preload_libraries_changed = true; /* a service may be a library */
}

/** Where shm_open(3) keeps its names. */
static void note_shared_memory(enum ft_op op, unsigned access, int error, const char *name)
{
    static const char folder[] = "/dev/shm";
    if (ft_path_readable(name, error))
        while (*name == '/')
            name++;
    ft_note_below(op, access, error, folder, sizeof(folder) - 1, name);
}

/** Where sem_open(3) keeps its names: with "sem." in front. */
static void note_semaphore(enum ft_op op, unsigned access, int error, const char *name)
{
    static const char folder[] = "/dev/shm/sem.";
    char path[sizeof(folder) + 256];
    if (!ft_preload_log || !ft_path_readable(name, error ? EINVAL : 0))
        return;
    while (*name == '/')
        name++;
    uint32_t n = ft_put_text(path, 0, sizeof(path), folder);
    (void)ft_put_text(path, n, sizeof(path), name);
    ft_note_at(op, access, error ? error | FT_PATH_WAS_READ : 0, AT_FDCWD, path);
}

#define AT(dirfd, path, access) ft_note_at(op, access, error, dirfd, path);
#define AT_KNOWN(dirfd, path, access)                                                              \
    ft_note_at(op, access, error ? error | FT_PATH_WAS_READ : 0, dirfd, path);
#define SHM(name, access) note_shared_memory(op, access, error, name);
#define SEMAPHORE(name, access) note_semaphore(op, access, error, name);
#define CATALOGUE(name) note_catalogue(op, error, name);
#define MOUNT_OPTION(command, value, dirfd)                                                        \
    if ((command) == 3 || (command) == 4) /* FSCONFIG_SET_PATH, FSCONFIG_SET_PATH_EMPTY */         \
        ft_note_at(op, FT_READ, error, dirfd, value);
#define MOVED note_moved(error);
#define DATABASE(path) note_database(op, error ? FT_ERROR_UNKNOWN : 0, path);
#define FD(fd, access) ft_note_fd(op, access, error, fd);

/* A type and statements cannot stand in parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */
#define FT_CALL(name, type, failed, function, parameters, arguments, notes)                        \
    EXPORT type function parameters;                                                               \
    EXPORT type function parameters                                                                \
    {                                                                                              \
        const enum ft_op op = FT_OP_##name;                                                        \
        type(*next) parameters = (type(*) parameters)ft_next(FT_FN_##function);                    \
        if (UNLIKELY(!next))                                                                       \
            return ft_no_such_function(), failed;                                                  \
        if (ft_op_moves_folders(op))                                                               \
            ft_note_cwd_known();                                                                   \
        type result = next arguments;                                                              \
        int error = ft_error_of(result == (failed));                                               \
        (void)op, (void)error;                                                                     \
        notes return result;                                                                       \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
#include "tracer/calls.def"

static inline bool has_mode(int flags)
{
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
}

/** The mode is only there when the flags ask for it. */
#define TAKE_MODE(flags)                                                                           \
    unsigned mode = 0;                                                                             \
    if (has_mode(flags)) {                                                                         \
        va_list args;                                                                              \
        va_start(args, flags);                                                                     \
        mode = va_arg(args, unsigned);                                                             \
        va_end(args);                                                                              \
    }

#define OPEN(name)                                                                                 \
    EXPORT int name(const char *path, int flags, ...);                                             \
    EXPORT int name(const char *path, int flags, ...)                                              \
    {                                                                                              \
        TAKE_MODE(flags)                                                                           \
        int (*next)(const char *, int, ...) =                                                      \
            (int (*)(const char *, int, ...))ft_next(FT_FN_##name);                                \
        if (UNLIKELY(!next))                                                                       \
            return ft_no_such_function(), -1;                                                      \
        int fd = next(path, flags, mode);                                                          \
        ft_note_at(FT_OP_open, ft_flags_access((unsigned)flags), ft_error_of(fd < 0), AT_FDCWD,    \
                   path);                                                                          \
        return fd;                                                                                 \
    }
OPEN(open)
OPEN(open64)
OPEN(__open)
OPEN(__open64)

#define OPENAT(name)                                                                               \
    EXPORT int name(int dirfd, const char *path, int flags, ...);                                  \
    EXPORT int name(int dirfd, const char *path, int flags, ...)                                   \
    {                                                                                              \
        TAKE_MODE(flags)                                                                           \
        int (*next)(int, const char *, int, ...) =                                                 \
            (int (*)(int, const char *, int, ...))ft_next(FT_FN_##name);                           \
        if (UNLIKELY(!next))                                                                       \
            return ft_no_such_function(), -1;                                                      \
        int fd = next(dirfd, path, flags, mode);                                                   \
        ft_note_at(FT_OP_openat, ft_flags_access((unsigned)flags), ft_error_of(fd < 0), dirfd,     \
                   path);                                                                          \
        return fd;                                                                                 \
    }
OPENAT(openat)
OPENAT(openat64)

/* What <fcntl.h> calls with _FORTIFY_SOURCE: no mode argument, aborts when one is needed. */
#define OPEN_2(name)                                                                               \
    EXPORT int name(const char *path, int flags);                                                  \
    EXPORT int name(const char *path, int flags)                                                   \
    {                                                                                              \
        int (*next)(const char *, int) = (int (*)(const char *, int))ft_next(FT_FN_##name);        \
        if (UNLIKELY(!next))                                                                       \
            return ft_no_such_function(), -1;                                                      \
        int fd = next(path, flags);                                                                \
        ft_note_at(FT_OP_open, ft_flags_access((unsigned)flags), ft_error_of(fd < 0), AT_FDCWD,    \
                   path);                                                                          \
        return fd;                                                                                 \
    }
OPEN_2(__open_2)
OPEN_2(__open64_2)

#define OPENAT_2(name)                                                                             \
    EXPORT int name(int dirfd, const char *path, int flags);                                       \
    EXPORT int name(int dirfd, const char *path, int flags)                                        \
    {                                                                                              \
        int (*next)(int, const char *, int) =                                                      \
            (int (*)(int, const char *, int))ft_next(FT_FN_##name);                                \
        if (UNLIKELY(!next))                                                                       \
            return ft_no_such_function(), -1;                                                      \
        int fd = next(dirfd, path, flags);                                                         \
        ft_note_at(FT_OP_openat, ft_flags_access((unsigned)flags), ft_error_of(fd < 0), dirfd,     \
                   path);                                                                          \
        return fd;                                                                                 \
    }
OPENAT_2(__openat_2)
OPENAT_2(__openat64_2)

#define FOPEN(name)                                                                                \
    EXPORT void *name(const char *path, const char *mode);                                         \
    EXPORT void *name(const char *path, const char *mode)                                          \
    {                                                                                              \
        void *(*next)(const char *, const char *) =                                                \
            (void *(*)(const char *, const char *))ft_next(FT_FN_##name);                          \
        if (UNLIKELY(!next))                                                                       \
            return ft_no_such_function(), NULL;                                                    \
        void *stream = next(path, mode);                                                           \
        ft_note_at(FT_OP_fopen, mode_access(mode), ft_error_of(!stream), AT_FDCWD, path);          \
        return stream;                                                                             \
    }
FOPEN(fopen)
FOPEN(fopen64)

#define FREOPEN(name)                                                                              \
    EXPORT void *name(const char *path, const char *mode, void *stream);                           \
    EXPORT void *name(const char *path, const char *mode, void *stream)                            \
    {                                                                                              \
        void *(*next)(const char *, const char *, void *) =                                        \
            (void *(*)(const char *, const char *, void *))ft_next(FT_FN_##name);                  \
        if (UNLIKELY(!next))                                                                       \
            return ft_no_such_function(), NULL;                                                    \
        void *result = next(path, mode, stream);                                                   \
        ft_note_at(FT_OP_freopen, mode_access(mode), ft_error_of(!result), AT_FDCWD, path);        \
        return result;                                                                             \
    }
FREOPEN(freopen)
FREOPEN(freopen64)

EXPORT void *sem_open(const char *name, int flags, ...);
EXPORT void *sem_open(const char *name, int flags, ...)
{
    void *(*next)(const char *, int, unsigned, unsigned) =
        (void *(*)(const char *, int, unsigned, unsigned))ft_next(FT_FN_sem_open);
    va_list args;
    va_start(args, flags);
    unsigned mode = va_arg(args, unsigned), value = va_arg(args, unsigned);
    va_end(args);
    if (!next)
        return ft_no_such_function(), NULL;
    void *semaphore = next(name, flags, mode, value);
    note_semaphore(FT_OP_shm_open, FT_READ | FT_WRITE, ft_error_of(!semaphore), name);
    return semaphore;
}

#define UPDATE(name)                                                                               \
    EXPORT void name(const char *path, const void *entry);                                         \
    EXPORT void name(const char *path, const void *entry)                                          \
    {                                                                                              \
        void (*next)(const char *, const void *) =                                                 \
            (void (*)(const char *, const void *))ft_next(FT_FN_##name);                           \
        if (!next)                                                                                 \
            return;                                                                                \
        next(path, entry);                                                                         \
        ft_note_at(FT_OP_open, FT_WRITE, FT_ERROR_UNKNOWN | FT_PATH_WAS_READ, AT_FDCWD, path);     \
    }
UPDATE(updwtmp)
UPDATE(updwtmpx)

typedef int chdir_function(const char *path);

/** Where no folder is kept (threads with their own, a vfork child): asked for before it is left. */
static __attribute__((noinline)) int chdir_asked(chdir_function *next, const char *path)
{
    char folder[FT_PATH_MAX];
    uint32_t folder_bytes = ft_note_cwd(folder);
    int result = next(path);
    int error = ft_error_of(result < 0);
    if (error != ENOENT || path[0]) /* which names nothing */
        ft_note_below(FT_OP_chdir, FT_READ, error, folder, folder_bytes, path);
    note_moved(error);
    return result;
}

EXPORT int chdir(const char *path);
EXPORT int chdir(const char *path)
{
    chdir_function *next = (chdir_function *)ft_next(FT_FN_chdir);
    if (!next)
        return ft_no_such_function(), -1;
    ft_note_cwd_known();
    if (ft_preload_log && !ft_note_cwd_is_kept())
        return chdir_asked(next, path);
    int result = next(path);
    int error = ft_error_of(result < 0);
    ft_note_at(FT_OP_chdir, FT_READ, error, AT_FDCWD, path);
    note_moved(error);
    return result;
}
