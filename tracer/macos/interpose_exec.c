/* SPDX-License-Identifier: MIT */
/* Following exec. */
#include "tracer/macos/interpose_exec.h"

#include <crt_externs.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

#define LIST_ENTRIES_MAX 262144u /* more than the kernel takes */

char *const *ft_interpose_environment(void)
{
    static char *const none[] = {NULL};
    char ***place = _NSGetEnviron();
    return place && *place ? *place : none;
}

const char *ft_interpose_folders(void)
{
    const char *path = ft_preload_env_get(ft_interpose_environment(), "PATH=");
    return path ? path : FT_DEFAULT_FOLDERS;
}

struct ft_preload_variables ft_interpose_variables(void)
{
    return (struct ft_preload_variables){
        .libraries = "DYLD_INSERT_LIBRARIES=",
        .separators = ":",
        .library = ft_interpose_run.library,
        .attach = ft_interpose_run.attach,
    };
}

/** Can the list and its strings be read? If not, the kernel will say so. */
static bool is_readable_list(char *const *list)
{
    for (uint32_t i = 0; i < LIST_ENTRIES_MAX; i++) {
        char *entry;
        if (!ft_memory_read(list + i, &entry, sizeof(entry)))
            return false;
        if (!entry)
            return true;
        if (!ft_path_readable(entry, EINVAL))
            return false;
    }
    return false;
}

static void on_loaded(const char *path, int error)
{
    ft_note_at(FT_OP_loader, FT_READ, error | FT_PATH_WAS_READ, AT_FDCWD, path);
}

bool ft_image_start_make(struct ft_image_start *start, unsigned own, const char *path,
                         char *const *argv, char *const *envp)
{
    static char *const none[] = {NULL};
    struct ft_plan_options options = ft_interpose_run.plan;
    const struct ft_preload_variables variables = ft_interpose_variables();

    if (!envp)
        envp = none;
    if (!ft_path_readable(path, EINVAL) || (argv && !is_readable_list(argv)) ||
        !is_readable_list(envp))
        return false;
    options.own = own;
    options.loaded = on_loaded;
    const char *folders = ft_preload_env_get(envp, "PATH=");
    ft_plan_make(&options, path, argv, folders ? folders : FT_DEFAULT_FOLDERS, &start->plan);
    start->watched = start->plan.reason == FT_REASON_NONE;
    if (!start->watched)
        ft_note_reason(start->plan.reason, start->plan.image);
    ft_preload_env_edit(&start->env, envp, start->watched, &variables);
    return true;
}

void ft_image_start_fini(struct ft_image_start *start)
{
    int kept = errno;
    ft_preload_env_fini(&start->env);
    ft_plan_fini(&start->plan);
    errno = kept;
}

FT_ORIGINAL(int, execve, (const char *path, char *const *argv, char *const *envp));

/** Try one image. Where nothing is recorded this is execve(2) and no more. */
static int try_exec(const char *path, char *const *argv, char *const *envp)
{
    struct ft_image_start start;

    if (!ft_preload_log ||
        !ft_image_start_make(&start, ft_interpose_run.plan.own, path, argv, envp))
        return ft_real_execve(path, argv, envp);
    uint16_t id = ft_note_attempt(FT_OP_execve, path, start.watched);
    (void)ft_real_execve(start.plan.path, start.plan.argv, start.env.entries);
    ft_note_failure(id, errno);
    ft_image_start_fini(&start);
    return -1;
}

static int ft_our_execve(const char *path, char *const *argv, char *const *envp)
{
    return try_exec(path, argv, envp);
}
FT_INTERPOSE(execve);

FT_ORIGINAL(int, execv, (const char *path, char *const *argv));
static int ft_our_execv(const char *path, char *const *argv)
{
    return try_exec(path, argv, ft_interpose_environment());
}
FT_INTERPOSE(execv);

/** What the kernel does not know is a shell's script. */
static void try_exec_or_shell(const char *path, char *const *argv, char *const *envp)
{
    static char shell[] = FT_SYSTEM_SHELL, name[] = "sh";
    struct ft_preload_list list;
    uint32_t count = 0;

    (void)try_exec(path, argv, envp);
    if (errno != ENOEXEC)
        return;
    while (argv[count])
        count++;
    if (!ft_preload_list_make(&list, count + 3)) {
        errno = ENOMEM;
        return;
    }
    list.entries[0] = name;
    list.entries[1] = (char *)(uintptr_t)path;
    for (uint32_t i = 1; i < count; i++)
        list.entries[i + 1] = argv[i];
    list.entries[count ? count + 1 : 2] = NULL;
    (void)try_exec(shell, list.entries, envp);
    int kept = errno;
    ft_preload_list_fini(&list);
    errno = kept;
}

/** As execvP(3): the folders one after the other, each attempt recorded. */
static int exec_search(const char *file, const char *folders, char *const *argv, char *const *envp)
{
    char candidate[FT_IMAGE_PATH_MAX];
    bool forbidden = false;

    if (!file[0]) {
        errno = ENOENT;
        return -1;
    }
    if (strchr(file, '/')) {
        try_exec_or_shell(file, argv, envp);
        return -1;
    }
    errno = ENOENT;
    while (ft_search_next_in(&folders, file, candidate, sizeof(candidate))) {
        try_exec_or_shell(candidate, argv, envp);
        if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP && errno != ENAMETOOLONG &&
            errno != EACCES)
            return -1;
        forbidden |= errno == EACCES;
    }
    errno = forbidden ? EACCES : ENOENT;
    return -1;
}

FT_ORIGINAL(int, execvp, (const char *file, char *const *argv));
static int ft_our_execvp(const char *file, char *const *argv)
{
    if (!ft_preload_log)
        return ft_real_execvp(file, argv);
    return exec_search(file, ft_interpose_folders(), argv, ft_interpose_environment());
}
FT_INTERPOSE(execvp);

FT_ORIGINAL(int, execvP, (const char *file, const char *folders, char *const *argv));
static int ft_our_execvP(const char *file, const char *folders, char *const *argv)
{
    if (!ft_preload_log)
        return ft_real_execvP(file, folders, argv);
    return exec_search(file, folders, argv, ft_interpose_environment());
}
FT_INTERPOSE(execvP);

/** What the three functions with an argument list do once they have an array. */
enum list_exec { LIST_EXEC, LIST_EXEC_ENV, LIST_EXEC_SEARCH };

static int exec_list(enum list_exec what, const char *path, const char *first, va_list args)
{
    struct ft_preload_list list;
    va_list again;
    uint32_t count = 0;

    va_copy(again, args);
    for (const char *arg = first; arg; arg = va_arg(again, const char *))
        count++;
    va_end(again);
    if (!ft_preload_list_make(&list, count + 1)) {
        errno = ENOMEM;
        return -1;
    }
    list.entries[0] = (char *)(uintptr_t)first;
    for (uint32_t i = 1; i <= count; i++)
        list.entries[i] = va_arg(args, char *);
    if (what == LIST_EXEC_ENV)
        (void)try_exec(path, list.entries, va_arg(args, char **));
    else if (what == LIST_EXEC)
        (void)try_exec(path, list.entries, ft_interpose_environment());
    else
        (void)exec_search(path, ft_interpose_folders(), list.entries, ft_interpose_environment());
    int kept = errno;
    ft_preload_list_fini(&list);
    errno = kept;
    return -1;
}

#define EXEC_LIST(name, what)                                                                      \
    FT_ORIGINAL(int, name, (const char *path, const char *first, ...));                            \
    static int ft_our_##name(const char *path, const char *first, ...)                             \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, first);                                                                     \
        int ret = exec_list(what, path, first, args);                                              \
        va_end(args);                                                                              \
        return ret;                                                                                \
    }                                                                                              \
    FT_INTERPOSE(name);
EXEC_LIST(execl, LIST_EXEC)
EXEC_LIST(execle, LIST_EXEC_ENV)
EXEC_LIST(execlp, LIST_EXEC_SEARCH)
