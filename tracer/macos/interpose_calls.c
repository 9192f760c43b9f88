/* SPDX-License-Identifier: MIT */
/* The replacements: those that the tables generate, and those of variadic functions. */
#include "tracer/macos/interpose.h"

#include <fcntl.h>
#include <stdarg.h>

#include "tracer/macos/shared.h"

/* What the rows' notes are made of. */
#define AT(dirfd, path, access) ft_note_at(op, access, error, dirfd, path);
#define AT_KNOWN(dirfd, path, access)                                                              \
    ft_note_at(op, access, error ? error | FT_PATH_WAS_READ : 0, dirfd, path);
/* Of several accesses inside the C library: the path was read, the outcome is of all together. */
#define AT_UNSURE(dirfd, path, access) AT(dirfd, path, access)
#define LATER(path, access)                                                                        \
    ft_note_at(op, access, FT_ERROR_UNKNOWN | FT_PATH_WAS_READ, AT_FDCWD, path);
#define FD(fd, access) ft_note_fd(op, access, error, fd);
#define MOVED ft_note_moved(error);
#define PARTED ft_note_parted(error);
#define flags_access ft_flags_access

/** A function, and what its callers get. */
#define REPLACE(name, type, failed, function, parameters, arguments, notes)                        \
    FT_ORIGINAL(type, function, parameters);                                                       \
    static type ft_our_##function parameters                                                       \
    {                                                                                              \
        const enum ft_op op = FT_OP_##name;                                                        \
        type result = ft_real_##function arguments;                                                \
        int error = ft_error_of(result == (failed));                                               \
        (void)op, (void)error;                                                                     \
        notes return result;                                                                       \
    }                                                                                              \
    FT_INTERPOSE(function);

#define FT_CALL(name, type, failed, function, parameters, arguments, notes)                        \
    FT_IF_ON_MACOS(function, REPLACE(name, type, failed, function, parameters, arguments, notes))
#include "tracer/calls.def"

#define FT_CALL REPLACE
#define FT_CALL_INODE64(name, type, failed, function, parameters, arguments, notes)                \
    FT_IF_INODE64(REPLACE(name, type, failed, function##$INODE64, parameters, arguments, notes))
#include "tracer/macos/calls.def"

/* Opening. The mode is read always: Apple's arm64 passes it on the stack and Intel's in a register,
 * and where the caller has given none, what stands there is passed on as it would have been. */

#define OPEN(name)                                                                                 \
    FT_ORIGINAL(int, name, (const char *path, int flags, ...));                                    \
    static int ft_our_##name(const char *path, int flags, ...)                                     \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, flags);                                                                     \
        int mode = va_arg(args, int);                                                              \
        va_end(args);                                                                              \
        int fd = ft_real_##name(path, flags, mode);                                                \
        ft_note_at(FT_OP_open, ft_flags_access(flags), ft_error_of(fd < 0), AT_FDCWD, path);       \
        return fd;                                                                                 \
    }                                                                                              \
    FT_INTERPOSE(name);
OPEN(open)
OPEN(open$NOCANCEL)

#define OPENAT(name)                                                                               \
    FT_ORIGINAL(int, name, (int dirfd, const char *path, int flags, ...));                         \
    static int ft_our_##name(int dirfd, const char *path, int flags, ...)                          \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, flags);                                                                     \
        int mode = va_arg(args, int);                                                              \
        va_end(args);                                                                              \
        int fd = ft_real_##name(dirfd, path, flags, mode);                                         \
        ft_note_at(FT_OP_openat, ft_flags_access(flags), ft_error_of(fd < 0), dirfd, path);        \
        return fd;                                                                                 \
    }                                                                                              \
    FT_INTERPOSE(name);
OPENAT(openat)
OPENAT(openat$NOCANCEL)

FT_ORIGINAL(int, open_dprotected_np, (const char *path, int flags, int class, int protection, ...));
static int ft_our_open_dprotected_np(const char *path, int flags, int class, int protection, ...)
{
    va_list args;
    va_start(args, protection);
    int mode = va_arg(args, int);
    va_end(args);
    int fd = ft_real_open_dprotected_np(path, flags, class, protection, mode);
    ft_note_at(FT_OP_open, ft_flags_access(flags), ft_error_of(fd < 0), AT_FDCWD, path);
    return fd;
}
FT_INTERPOSE(open_dprotected_np);

FT_ORIGINAL(int, guarded_open_np,
            (const char *path, const void *guard, unsigned guard_flags, int flags, ...));
static int ft_our_guarded_open_np(const char *path, const void *guard, unsigned guard_flags,
                                  int flags, ...)
{
    va_list args;
    va_start(args, flags);
    int mode = va_arg(args, int);
    va_end(args);
    int fd = ft_real_guarded_open_np(path, guard, guard_flags, flags, mode);
    ft_note_at(FT_OP_open, ft_flags_access(flags), ft_error_of(fd < 0), AT_FDCWD, path);
    return fd;
}
FT_INTERPOSE(guarded_open_np);

#define FOPEN(name)                                                                                \
    FT_ORIGINAL(void *, name, (const char *path, const char *mode));                               \
    static void *ft_our_##name(const char *path, const char *mode)                                 \
    {                                                                                              \
        void *stream = ft_real_##name(path, mode);                                                 \
        ft_note_at(FT_OP_fopen, ft_mode_access(mode), ft_error_of(!stream), AT_FDCWD, path);       \
        return stream;                                                                             \
    }                                                                                              \
    FT_INTERPOSE(name);
FOPEN(fopen)
FOPEN(fopen$DARWIN_EXTSN)

FT_ORIGINAL(void *, freopen, (const char *path, const char *mode, void *stream));
static void *ft_our_freopen(const char *path, const char *mode, void *stream)
{
    void *result = ft_real_freopen(path, mode, stream);
    ft_note_at(FT_OP_freopen, ft_mode_access(mode), ft_error_of(!result), AT_FDCWD, path);
    return result;
}
FT_INTERPOSE(freopen);

/** What accessx_np() takes: names at offsets into one buffer. */
struct access_item {
    unsigned name_offset;
    int mode;
    int reserved[2];
};

FT_ORIGINAL(int, accessx_np,
            (const struct access_item *items, size_t size, int *results, unsigned user));
static int ft_our_accessx_np(const struct access_item *items, size_t size, int *results,
                             unsigned user)
{
    int result = ft_real_accessx_np(items, size, results, user);
    /* The items end where the first one's name begins; an offset of 0 repeats the name before. */
    size_t count =
        result == 0 && size >= sizeof(*items) ? items[0].name_offset / sizeof(*items) : 0;
    for (size_t i = 0; i < count && i < size / sizeof(*items); i++)
        if (items[i].name_offset && items[i].name_offset < size)
            ft_note_at(FT_OP_access, FT_READ, results[i], AT_FDCWD,
                       (const char *)items + items[i].name_offset);
    return result;
}
FT_INTERPOSE(accessx_np);
