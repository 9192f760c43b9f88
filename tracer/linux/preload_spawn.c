/* SPDX-License-Identifier: MIT */
/* Following posix_spawn, system and popen: always the real function, so that file actions,
 * attributes and errors stay what they are. */
#include "tracer/linux/preload.h"

#include <linux/errno.h>
#include <linux/fcntl.h>

#include "tracer/image.h"
#include "tracer/linux/preload_actions.h"
#include "tracer/linux/preload_allowed.h"
#include "tracer/linux/preload_env.h"
#include "tracer/linux/preload_request.h"
#include "tracer/linux/route.h"
#include "tracer/linux/sys.h"

typedef int spawn_function(int *pid, const char *path, const void *actions, const void *attributes,
                           char *const *argv, char *const *envp);

/** A spawn under way. */
struct spawn {
    spawn_function *next;
    const char *path; /* as the program gave it */
    const void *actions, *attributes;
    char *const *argv;
    char *const *envp; /* ours, once made */
    int child;         /* its number, or a descriptor of it */
    int result;
    bool by_descriptor; /* pidfd_spawn */
    bool by_ptrace;
};

static void note_loaded(void *context, const char *path, int error)
{
    (void)context;
    ft_note_at(FT_OP_loader, FT_READ, error, AT_FDCWD, path);
}

static void *call_next(void *argument)
{
    struct spawn *spawn = argument;
    spawn->result = spawn->next(&spawn->child, spawn->path, spawn->actions, spawn->attributes,
                                spawn->argv, spawn->envp);
    return NULL;
}

static void *call_next_filtered(void *argument)
{
    struct spawn *spawn = argument;
    ft_preload_enter_filter(spawn->path, spawn->by_ptrace);
    return call_next(argument);
}

/**
 * The child needs the kernel's filter, which nobody can take off again: a thread of its own
 * puts it on, spawns and ends. Where there is no thread to be had the child runs unwatched.
 */
static void call_next_in_thread(struct spawn *spawn)
{
    typedef int create_function(unsigned long *, const void *, void *(*)(void *), void *);
    typedef int join_function(unsigned long, void **);
    create_function *create = (create_function *)ft_next(FT_FN_pthread_create);
    join_function *join = (join_function *)ft_next(FT_FN_pthread_join);
    unsigned long thread;

    if (create && join && ft_own_allowed(FT_OWN_ENTER) &&
        create(&thread, NULL, call_next_filtered, spawn) == 0) {
        (void)join(thread, NULL);
        return;
    }
    ft_note_reason(FT_REASON_NO_FILTER, spawn->path);
    (void)call_next(spawn);
}

/** @folder/@path when an action changes folders, else @path. */
static const char *seen_from_child(const struct ft_spawn_folder *folder, const char *path,
                                   char *room)
{
    if (path[0] == '/' || !folder->changed || !folder->path_bytes)
        return path;
    uint32_t n = ft_put_text(room, 0, FT_PATH_MAX, folder->path);
    n = ft_put_text(room, n, FT_PATH_MAX, "/");
    (void)ft_put_text(room, n, FT_PATH_MAX, path);
    return room;
}

/** The number behind @key; 0 when there is none. */
static uint32_t number_behind(const char *text, const char *key)
{
    for (; *text; text++) {
        uint32_t n = 0, number = 0;
        while (key[n] && text[n] == key[n])
            n++;
        if (key[n])
            continue;
        for (text += n; *text >= '0' && *text <= '9'; text++)
            number = number * 10 + (uint32_t)(*text - '0');
        return number;
    }
    return 0;
}

/** The child's number; 0 when it cannot be told. */
static uint32_t number_of(const struct spawn *spawn)
{
    char text[512];
    if (!spawn->by_descriptor)
        return (uint32_t)spawn->child;
    uint32_t n = ft_put_text(text, 0, sizeof(text), "/proc/self/fdinfo/");
    (void)ft_put_number(text, n, sizeof(text), (uint64_t)spawn->child);
    int fd = (int)SYS4(__NR_openat, AT_FDCWD, text, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return 0;
    long bytes = SYS3(__NR_read, fd, text, sizeof(text) - 1);
    SYS1(__NR_close, fd);
    text[bytes > 0 ? bytes : 0] = '\0';
    return number_behind(text, "\nPid:\t");
}

/** Spawn what stands at @found, which is what the real function will find. */
static int spawn_found(struct spawn *spawn, const char *found, int *pid)
{
    struct ft_spawn_folder folder;
    struct ft_preload_env env;
    char room[FT_PATH_MAX];

    ft_spawn_actions_read(spawn->actions, true, &folder);
    const char *image = seen_from_child(&folder, found, room);
    enum ft_way way = ft_own_allowed(FT_OWN_ROUTE)
                          ? ft_route_file(image, ft_preload_log, note_loaded, NULL)
                          : FT_WAY_PRELOAD;
    bool watched = way == FT_WAY_PRELOAD;
    spawn->by_ptrace = way == FT_WAY_TRACE;
    if (way == FT_WAY_UNTOUCHED)
        ft_note_reason(FT_REASON_SETUID, image);
    ft_preload_env_make(&env, spawn->envp, watched);
    char *const *given = spawn->envp;
    spawn->envp = env.entries;
    if (watched || way == FT_WAY_UNTOUCHED || ft_preload_has_filter())
        (void)call_next(spawn);
    else
        call_next_in_thread(spawn);
    ft_preload_env_fini(&env);
    if (watched && spawn->result == E2BIG) { /* for our variables, it may be */
        ft_preload_env_make(&env, given, false);
        spawn->envp = env.entries;
        (void)call_next(spawn);
        ft_preload_env_fini(&env);
    }
    ft_note_at(FT_OP_posix_spawn, FT_READ, spawn->result, AT_FDCWD, image);
    uint32_t number = !spawn->result && watched ? number_of(spawn) : 0;
    if (number)
        ft_note_expect(number, image);
    if (!spawn->result && pid)
        *pid = spawn->child;
    return spawn->result;
}

/** Spawn what is not watched, or may not be looked at: then the child may tell all the same. */
static int spawn_unseen(struct spawn *spawn, int *pid)
{
    struct ft_preload_env env;
    if (!ft_preload_log || !ft_own_filtered())
        return spawn->next(pid, spawn->path, spawn->actions, spawn->attributes, spawn->argv,
                           spawn->envp);
    ft_preload_env_make(&env, spawn->envp, true);
    int result =
        spawn->next(pid, spawn->path, spawn->actions, spawn->attributes, spawn->argv, env.entries);
    ft_preload_env_fini(&env);
    return result;
}

/** As posix_spawn(3): a path. */
static int spawn_path(struct spawn *spawn, int *pid)
{
    if (!spawn->next)
        return ENOSYS;
    if (ft_preload_log && ft_path_readable(spawn->path, EINVAL))
        return spawn_found(spawn, spawn->path, pid);
    return spawn_unseen(spawn, pid);
}

/** Where posix_spawnp(3) will find @file; the attempts before it are recorded as they fail. */
static const char *search(const char *file, char *out)
{
    const char *folders = ft_search_folders();
    while (ft_search_next(&folders, file, out)) {
        long error = -SYS3(__NR_faccessat, AT_FDCWD, out, 1 /* X_OK */);
        if (!error)
            return out;
        ft_note_at(FT_OP_posix_spawn, FT_READ, (int)error, AT_FDCWD, out);
    }
    return NULL;
}

/** As posix_spawnp(3): a name without a folder is looked for along PATH. */
static int spawn_name(struct spawn *spawn, int *pid)
{
    const char *file = spawn->path, *found = NULL;
    char room[FT_PATH_MAX];
    bool has_folder = false;

    if (!spawn->next)
        return ENOSYS;
    if (ft_preload_log && ft_path_readable(file, EINVAL) && file[0]) {
        for (uint32_t i = 0; file[i]; i++)
            has_folder |= file[i] == '/';
        if (has_folder || ft_own_allowed(FT_OWN_ROUTE))
            found = has_folder ? file : search(file, room);
        else
            ft_note_reason(FT_REASON_PATH_UNKNOWN, file);
    }
    return found ? spawn_found(spawn, found, pid) : spawn_unseen(spawn, pid);
}

#define SPAWN(name, spawn_it, gives_descriptor)                                                    \
    EXPORT int name(int *pid, const char *path, const void *actions, const void *attributes,       \
                    char *const *argv, char *const *envp);                                         \
    EXPORT int name(int *pid, const char *path, const void *actions, const void *attributes,       \
                    char *const *argv, char *const *envp)                                          \
    {                                                                                              \
        struct spawn spawn = {.next = (spawn_function *)ft_next(FT_FN_##name),                     \
                              .path = path,                                                        \
                              .actions = actions,                                                  \
                              .attributes = attributes,                                            \
                              .argv = argv,                                                        \
                              .envp = envp,                                                        \
                              .by_descriptor = (gives_descriptor)};                                \
        return spawn_it(&spawn, pid);                                                              \
    }
SPAWN(posix_spawn, spawn_path, false)
SPAWN(posix_spawnp, spawn_name, false)
SPAWN(pidfd_spawn, spawn_path, true)
SPAWN(pidfd_spawnp, spawn_name, true)

/* system and popen start /bin/sh with the program's own environment: where our variables are
 * gone from it (clearenv), it carries them for the length of the call. */

struct lent_environment {
    struct ft_preload_env env;
    char ***place;
    char **kept;
};

static void environment_lend(struct lent_environment *lent)
{
    lent->place = ft_preload_log ? (char ***)ft_next(FT_FN___environ) : NULL;
    if (!lent->place)
        return;
    lent->kept = *lent->place;
    ft_preload_env_make(&lent->env, lent->kept, true);
    if (lent->env.entries == (char *const *)lent->kept) {
        lent->place = NULL; /* nothing to do, nothing to undo */
        return;
    }
    *lent->place = (char **)(uintptr_t)lent->env.entries;
}

static void environment_take_back(struct lent_environment *lent)
{
    if (!lent->place)
        return;
    *lent->place = lent->kept;
    ft_preload_env_fini(&lent->env);
}

EXPORT int system(const char *command);
EXPORT int system(const char *command)
{
    int (*next)(const char *) = (int (*)(const char *))ft_next(FT_FN_system);
    struct lent_environment lent;
    if (!next)
        return ft_no_such_function(), -1;
    environment_lend(&lent);
    int result = next(command);
    environment_take_back(&lent);
    return result;
}

#define POPEN(name)                                                                                \
    EXPORT void *name(const char *command, const char *mode);                                      \
    EXPORT void *name(const char *command, const char *mode)                                       \
    {                                                                                              \
        void *(*next)(const char *, const char *) =                                                \
            (void *(*)(const char *, const char *))ft_next(FT_FN_##name);                          \
        struct lent_environment lent;                                                              \
        if (!next)                                                                                 \
            return ft_no_such_function(), NULL;                                                    \
        environment_lend(&lent);                                                                   \
        void *stream = next(command, mode);                                                        \
        environment_take_back(&lent);                                                              \
        return stream;                                                                             \
    }
POPEN(popen)
POPEN(_IO_popen)
