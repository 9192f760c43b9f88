/* SPDX-License-Identifier: MIT */
/* Following posix_spawn: always the real function, so that file actions, attributes and errors stay
 * what they are. */
#include <fcntl.h>
#include <mach/machine.h>
#include <spawn.h>
#include <string.h>
#include <unistd.h>

#include "tracer/macos/interpose_exec.h"
#include "tracer/macos/macho.h"

FT_ORIGINAL(int, posix_spawn,
            (pid_t * pid, const char *path, const posix_spawn_file_actions_t *actions,
             const posix_spawnattr_t *attributes, char *const *argv, char *const *envp));
FT_ORIGINAL(int, posix_spawnp,
            (pid_t * pid, const char *file, const posix_spawn_file_actions_t *actions,
             const posix_spawnattr_t *attributes, char *const *argv, char *const *envp));

/** The kind of processor that the attributes ask for, or ours. */
static unsigned wanted_cpu(const posix_spawnattr_t *attributes)
{
    cpu_type_t wanted[1] = {CPU_TYPE_ANY};
    size_t count = 0;

    if (!attributes || posix_spawnattr_getbinpref_np((posix_spawnattr_t *)(uintptr_t)attributes, 1,
                                                     wanted, &count))
        return ft_interpose_run.plan.own;
    if (wanted[0] == CPU_TYPE_X86_64)
        return FT_CPU_X86_64;
    return wanted[0] == CPU_TYPE_ARM64 ? FT_CPU_ARM64 : ft_interpose_run.plan.own;
}

/** Is it an exec in a spawn's clothes? */
static bool replaces_us(const posix_spawnattr_t *attributes)
{
    short flags = 0;
    return attributes && !posix_spawnattr_getflags(attributes, &flags) &&
           (flags & POSIX_SPAWN_SETEXEC);
}

/** Spawn what stands at @found, which is what the real function would find. */
static int spawn_found(pid_t *pid, const char *found, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const *argv, char *const *envp)
{
    struct ft_image_start start;
    pid_t child = 0;
    uint16_t id = 0;

    if (!ft_image_start_make(&start, wanted_cpu(attributes), found, argv, envp))
        return ft_real_posix_spawn(pid, found, actions, attributes, argv, envp);
    bool exec = replaces_us(attributes);
    if (exec)
        id = ft_note_attempt(FT_OP_posix_spawn, found, start.watched);
    int result = ft_real_posix_spawn(&child, start.plan.path, actions, attributes, start.plan.argv,
                                     start.env.entries);
    if (exec)
        ft_note_failure(id, result);
    else
        ft_note_at(FT_OP_posix_spawn, FT_READ, result, AT_FDCWD, found);
    if (!result && start.watched && !exec)
        ft_note_expect((uint32_t)child, start.plan.image);
    ft_image_start_fini(&start);
    if (!result && pid)
        *pid = child;
    return result;
}

static int ft_our_posix_spawn(pid_t *pid, const char *path,
                              const posix_spawn_file_actions_t *actions,
                              const posix_spawnattr_t *attributes, char *const *argv,
                              char *const *envp)
{
    if (!ft_preload_log || !ft_path_readable(path, EINVAL))
        return ft_real_posix_spawn(pid, path, actions, attributes, argv, envp);
    return spawn_found(pid, path, actions, attributes, argv, envp);
}
FT_INTERPOSE(posix_spawn);

/** Where posix_spawnp(2) will find @file; the attempts before it are recorded as they fail. */
static const char *search(const char *file, char *out)
{
    const char *folders = ft_interpose_folders();
    int kept = errno;
    while (ft_search_next_in(&folders, file, out, FT_IMAGE_PATH_MAX)) {
        if (!access(out, X_OK)) {
            errno = kept;
            return out;
        }
        ft_note_at(FT_OP_posix_spawn, FT_READ, errno, AT_FDCWD, out);
    }
    errno = kept;
    return NULL;
}

static int ft_our_posix_spawnp(pid_t *pid, const char *file,
                               const posix_spawn_file_actions_t *actions,
                               const posix_spawnattr_t *attributes, char *const *argv,
                               char *const *envp)
{
    char room[FT_IMAGE_PATH_MAX];

    if (!ft_preload_log || !ft_path_readable(file, EINVAL) || !file[0])
        return ft_real_posix_spawnp(pid, file, actions, attributes, argv, envp);
    const char *found = strchr(file, '/') ? file : search(file, room);
    int result = found ? spawn_found(pid, found, actions, attributes, argv, envp) : ENOENT;
    /* What it does about a script without "#!", and about nothing found, is its own affair. */
    return !found || result == ENOEXEC
               ? ft_real_posix_spawnp(pid, file, actions, attributes, argv, envp)
               : result;
}
FT_INTERPOSE(posix_spawnp);
