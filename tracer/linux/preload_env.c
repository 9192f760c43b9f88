/* SPDX-License-Identifier: MIT */
/* Lists for exec: what Linux has for them. */
#include "tracer/linux/preload_env.h"

#include <linux/errno.h>
#include <linux/mman.h>
#include <linux/uio.h>

#include "tracer/linux/preload_allowed.h"
#include "tracer/linux/sys.h"

#define ATTACH_NAME FT_ENV "="
#define LIST_STEP 64u

void *ft_preload_map(size_t size_bytes)
{
    if (!ft_own_allowed(FT_OWN_PAGES))
        return NULL;
    long map = sys6(__NR_mmap, 0, (long)size_bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return sys_failed(map) ? NULL : (void *)map;
}

void ft_preload_unmap(void *pages, size_t size_bytes)
{
    SYS2(__NR_munmap, pages, size_bytes);
}

char *const *ft_preload_environment(void)
{
    static char *const none[] = {NULL};
    char ***place = (char ***)ft_next(FT_FN___environ);
    return place && *place ? *place : none;
}

static bool first_bytes_readable(char *const *strings, uint32_t count)
{
    char bytes[LIST_STEP];
    struct iovec here = {bytes, 0}, there[LIST_STEP];

    for (uint32_t i = 0; i < count; i++) {
        if (ft_memory_is_initial(strings[i]))
            continue;
        there[here.iov_len].iov_base = strings[i];
        there[here.iov_len++].iov_len = 1;
    }
    if (!here.iov_len)
        return true;
    long ret = ft_own_allowed(FT_OWN_MEMORY)
                   ? sys6(__NR_process_vm_readv, ft_preload_pid(), (long)&here, 1, (long)there,
                          (long)here.iov_len, 0)
                   : -EPERM;
    if (ret >= 0 || ret == -EFAULT)
        return ret == (long)here.iov_len;
    for (size_t i = 0; i < here.iov_len; i++)
        if (!ft_memory_read(there[i].iov_base, bytes, 1))
            return false;
    return true;
}

static bool read_list(char *const *list, char **to, uint32_t count)
{
    if (!ft_memory_is_initial(list) || !ft_memory_is_initial(list + count))
        return ft_memory_read(list, to, count * (uint32_t)sizeof(*to));
    for (uint32_t i = 0; i < count; i++)
        to[i] = list[i];
    return true;
}

/** Can it be told whether memory may be read? */
static bool can_look(void)
{
    return ft_own_allowed(FT_OWN_MEMORY) || ft_own_allowed(FT_OWN_PROBE);
}

/** Can the list and the start of each of its strings be read? If not, the kernel will say so. */
static bool is_readable_list(char *const *list)
{
    char *part[LIST_STEP];
    for (;; list += LIST_STEP) {
        /* Up to the end of the page at least, entry by entry beyond. */
        uint32_t count = LIST_STEP;
        if (!read_list(list, part, LIST_STEP))
            for (count = 0; count < LIST_STEP && read_list(list + count, part + count, 1);)
                if (!part[count++])
                    break;
        uint32_t strings = 0;
        while (strings < count && part[strings])
            strings++;
        if (!first_bytes_readable(part, strings))
            return false;
        if (strings < count)
            return true;
        if (count < LIST_STEP)
            return false;
    }
}

void ft_preload_env_make(struct ft_preload_env *env, char *const *envp, bool watched)
{
    static char *const none[] = {NULL};
    static char attach[sizeof(ATTACH_NAME) + sizeof(ft_preload_env) + sizeof(":4294967295")];
    struct ft_preload_variables variables;

    bool given = envp != NULL;
    if (!given)
        envp = none; /* Linux takes it for an empty one */
    env->entries = envp;
    env->list.mapped = NULL;
    env->text = NULL;
    if (!ft_preload_log || !ft_preload_path[0])
        return;
    /* The program's own, which the C library reads all the time, is taken for readable. */
    bool taken = !given || (!can_look() && envp == ft_preload_environment());
    if (!taken && !is_readable_list(envp))
        return;
    uint32_t n = ft_put_text(attach, 0, sizeof(attach), ATTACH_NAME);
    n = ft_put_text(attach, n, sizeof(attach), ft_preload_env);
    uint32_t denied = __atomic_load_n(&ft_own_denied, __ATOMIC_RELAXED);
    if (denied) {
        n = ft_put_text(attach, n, sizeof(attach), ":");
        (void)ft_put_number(attach, n, sizeof(attach), denied);
    }
    variables.libraries = "LD_PRELOAD=";
    variables.separators = ": ";
    variables.library = ft_preload_path;
    variables.attach = attach;
    ft_preload_env_edit(env, envp, watched, &variables);
}

const char *ft_search_folders(void)
{
    const char *path = ft_preload_env_get(ft_preload_environment(), "PATH=");
    return path ? path : "/bin:/usr/bin"; /* as glibc's confstr(_CS_PATH) */
}

bool ft_search_next(const char **folders, const char *file, char *out)
{
    return ft_search_next_in(folders, file, out, FT_PATH_MAX);
}
