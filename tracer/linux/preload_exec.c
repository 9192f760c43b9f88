/* SPDX-License-Identifier: MIT */
/* Following exec: the attempt is recorded, the new image enters the log or gets the filter. */
#include "tracer/linux/preload.h"

#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/prctl.h>
#include <stdarg.h>

#include "tracer/linux/filter.h"
#include "tracer/linux/preload_allowed.h"
#include "tracer/linux/preload_env.h"
#include "tracer/linux/preload_request.h"
#include "tracer/linux/route.h"
#include "tracer/linux/sys.h"

typedef int exec_function(const char *path, char *const *argv, char *const *envp);
typedef int fexec_function(int fd, char *const *argv, char *const *envp);
typedef int execat_function(int dirfd, const char *path, char *const *argv, char *const *envp,
                            int flags);

static void note_loaded(void *context, const char *path, int error)
{
    (void)context;
    ft_note_at(FT_OP_loader, FT_READ, error, AT_FDCWD, path);
}

/** Everything that an exec needs before it is tried. */
struct attempt {
    bool noted;
    uint16_t id;
    enum ft_way way;
    struct ft_preload_env env;
};

/** Would the exec fail for want of a right? Then nothing need be left behind that cannot be taken
 * back. */
static bool may_be_executed(const char *openable)
{
    return !ft_own_allowed(FT_OWN_ENTER) ||
           SYS4(__NR_faccessat2, AT_FDCWD, openable, 1 /* X_OK */, AT_EACCESS) != -EACCES;
}

/** @path as it is recorded; NULL when it cannot be told whether it can be read */
static void attempt_begin(struct attempt *attempt, enum ft_op op, int dirfd, const char *path,
                          const char *openable, char *const *envp)
{
    attempt->noted = path;
    attempt->way = FT_WAY_PRELOAD;
    if (path) {
        if (ft_own_allowed(FT_OWN_ROUTE))
            attempt->way = ft_route_file(openable, ft_preload_log, note_loaded, NULL);
        attempt->id = ft_note_attempt(op, dirfd, path, attempt->way == FT_WAY_PRELOAD);
    }
    if (attempt->way == FT_WAY_UNTOUCHED)
        ft_note_reason(FT_REASON_SETUID, openable);
    else if (attempt->way != FT_WAY_PRELOAD && may_be_executed(openable))
        ft_preload_enter_filter(openable, attempt->way == FT_WAY_TRACE);
    ft_preload_env_make(&attempt->env, envp, attempt->way == FT_WAY_PRELOAD);
}

/** Our variables may be what makes the list too long: once more without them. That the image was
 * not entered the trace will say, as it lacks its start. @return whether to try again */
static bool attempt_again(struct attempt *attempt, char *const *envp)
{
    if (*ft_errno_place() != E2BIG || attempt->way != FT_WAY_PRELOAD)
        return false;
    ft_preload_env_fini(&attempt->env);
    ft_preload_env_make(&attempt->env, envp, false);
    return true;
}

/** The exec has come back: it failed. @return -1, with errno as the exec left it */
static int attempt_failed(struct attempt *attempt)
{
    int error = *ft_errno_place();
    ft_preload_env_fini(&attempt->env);
    if (attempt->noted)
        ft_note_failure(attempt->id, error);
    *ft_errno_place() = error;
    return -1;
}

/** Try one image. Where nothing is recorded this is the next execve and no more. */
static int try_exec(const char *path, char *const *argv, char *const *envp)
{
    exec_function *next = (exec_function *)ft_next(FT_FN_execve);
    struct attempt attempt;

    if (!next)
        return ft_no_such_function(), -1;
    const char *readable = ft_preload_log && ft_path_readable(path, EINVAL) ? path : NULL;
    if (!ft_preload_log || !(readable || ft_own_filtered()))
        return next(path, argv, envp);
    attempt_begin(&attempt, FT_OP_execve, AT_FDCWD, readable, readable, envp);
    (void)next(path, argv, attempt.env.entries);
    if (attempt_again(&attempt, envp))
        (void)next(path, argv, attempt.env.entries);
    return attempt_failed(&attempt);
}

EXPORT int execve(const char *path, char *const *argv, char *const *envp);
EXPORT int execve(const char *path, char *const *argv, char *const *envp)
{
    return try_exec(path, argv, envp);
}

EXPORT int execv(const char *path, char *const *argv);
EXPORT int execv(const char *path, char *const *argv)
{
    return try_exec(path, argv, ft_preload_environment());
}

/** A path below a descriptor as one that can be opened: through /proc for all but the plain ones.
 */
static const char *openable_at(int dirfd, const char *path, char *room, uint32_t room_bytes)
{
    uint32_t n = 0;
    if (path[0] == '/' || dirfd == AT_FDCWD)
        return path;
    n = ft_put_text(room, n, room_bytes, "/proc/self/fd/");
    n = ft_put_number(room, n, room_bytes, (uint64_t)(uint32_t)dirfd);
    if (path[0]) {
        n = ft_put_text(room, n, room_bytes, "/");
        (void)ft_put_text(room, n, room_bytes, path);
    }
    return room;
}

EXPORT int execveat(int dirfd, const char *path, char *const *argv, char *const *envp, int flags);
EXPORT int execveat(int dirfd, const char *path, char *const *argv, char *const *envp, int flags)
{
    execat_function *next = (execat_function *)ft_next(FT_FN_execveat);
    struct attempt attempt;
    char room[512];

    if (!next)
        return ft_no_such_function(), -1;
    bool readable = ft_preload_log && ft_path_readable(path, EINVAL);
    if (!ft_preload_log || !(readable || ft_own_filtered()))
        return next(dirfd, path, argv, envp, flags);
    const char *openable = readable ? openable_at(dirfd, path, room, sizeof(room)) : NULL;
    attempt_begin(&attempt, FT_OP_execveat, dirfd, readable && path[0] ? path : openable, openable,
                  envp);
    (void)next(dirfd, path, argv, attempt.env.entries, flags);
    if (attempt_again(&attempt, envp))
        (void)next(dirfd, path, argv, attempt.env.entries, flags);
    return attempt_failed(&attempt);
}

EXPORT int fexecve(int fd, char *const *argv, char *const *envp);
EXPORT int fexecve(int fd, char *const *argv, char *const *envp)
{
    fexec_function *next = (fexec_function *)ft_next(FT_FN_fexecve);
    struct attempt attempt;
    char room[64];

    if (!next)
        return ft_no_such_function(), -1;
    if (!ft_preload_log)
        return next(fd, argv, envp);
    const char *openable = openable_at(fd, "", room, sizeof(room));
    ft_note_fd(FT_OP_fexecve, FT_READ, 0, fd);
    attempt_begin(&attempt, FT_OP_fexecve, AT_FDCWD, openable, openable, envp);
    (void)next(fd, argv, attempt.env.entries);
    if (attempt_again(&attempt, envp))
        (void)next(fd, argv, attempt.env.entries);
    return attempt_failed(&attempt);
}

/** A failure after which execvp(3) looks in the next folder. */
static bool look_further(int error)
{
    return error == ENOENT || error == ESTALE || error == ENOTDIR || error == ENODEV ||
           error == ETIMEDOUT || error == EACCES;
}

/** As execvp(3): what the kernel does not know is a shell's script. */
static int try_exec_or_shell(const char *path, char *const *argv, char *const *envp)
{
    static const char shell[] = "/bin/sh";
    uint32_t count = 0;

    (void)try_exec(path, argv, envp);
    if (*ft_errno_place() != ENOEXEC)
        return -1;
    while (argv[count])
        count++;
    struct ft_preload_list list;
    if (!ft_preload_list_make(&list, count + 3))
        return -1;
    list.entries[0] = (char *)(uintptr_t)shell;
    list.entries[1] = (char *)(uintptr_t)path;
    for (uint32_t i = 1; i < count + 1; i++)
        list.entries[i + 1] = i < count ? argv[i] : NULL;
    if (!count)
        list.entries[2] = NULL;
    (void)try_exec(shell, list.entries, envp);
    ft_preload_list_fini(&list);
    return -1;
}

/** Look for @file in PATH, each attempt recorded. */
static int exec_search(const char *file, char *const *argv, char *const *envp)
{
    char candidate[FT_PATH_MAX];
    bool forbidden = false;
    uint32_t file_bytes = ft_length(file, FT_PATH_MAX);

    if (!file_bytes) {
        *ft_errno_place() = ENOENT;
        return -1;
    }
    for (uint32_t i = 0; i < file_bytes; i++)
        if (file[i] == '/')
            return try_exec_or_shell(file, argv, envp);

    const char *folders = ft_search_folders();
    while (ft_search_next(&folders, file, candidate)) {
        (void)try_exec_or_shell(candidate, argv, envp);
        if (!look_further(*ft_errno_place()))
            return -1;
        forbidden |= *ft_errno_place() == EACCES;
    }
    *ft_errno_place() = forbidden ? EACCES : ENOENT;
    return -1;
}

EXPORT int execvp(const char *file, char *const *argv);
EXPORT int execvp(const char *file, char *const *argv)
{
    return exec_search(file, argv, ft_preload_environment());
}

EXPORT int execvpe(const char *file, char *const *argv, char *const *envp);
EXPORT int execvpe(const char *file, char *const *argv, char *const *envp)
{
    return exec_search(file, argv, envp);
}

/** Count the arguments up to the NULL, the first included. */
static uint32_t count_arguments(const char *first, va_list args)
{
    uint32_t count = 0;
    for (const char *arg = first; arg; arg = va_arg(args, const char *))
        count++;
    return count;
}

/** What the three functions with an argument list do once they have an array. */
enum list_exec { LIST_EXEC, LIST_EXEC_ENV, LIST_EXEC_SEARCH };

static int exec_list(enum list_exec what, const char *path, const char *first, va_list args)
{
    va_list again;
    struct ft_preload_list list;

    va_copy(again, args);
    uint32_t count = count_arguments(first, again);
    va_end(again);
    if (!ft_preload_list_make(&list, count + 1)) {
        *ft_errno_place() = ENOMEM;
        return -1;
    }
    list.entries[0] = (char *)(uintptr_t)first;
    for (uint32_t i = 1; i <= count; i++)
        list.entries[i] = va_arg(args, char *);
    if (!count)
        list.entries[0] = NULL;
    if (what == LIST_EXEC_ENV)
        (void)try_exec(path, list.entries, va_arg(args, char **));
    else if (what == LIST_EXEC)
        (void)try_exec(path, list.entries, ft_preload_environment());
    else
        (void)exec_search(path, list.entries, ft_preload_environment());
    ft_preload_list_fini(&list);
    return -1;
}

#define EXEC_LIST(name, what)                                                                      \
    EXPORT int name(const char *path, const char *first, ...);                                     \
    EXPORT int name(const char *path, const char *first, ...)                                      \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, first);                                                                     \
        int ret = exec_list(what, path, first, args);                                              \
        va_end(args);                                                                              \
        return ret;                                                                                \
    }
EXEC_LIST(execl, LIST_EXEC)
EXEC_LIST(execle, LIST_EXEC_ENV)
EXEC_LIST(execlp, LIST_EXEC_SEARCH)
