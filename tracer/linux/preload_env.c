/* SPDX-License-Identifier: MIT */
/* Lists for exec. */
#include "tracer/linux/preload_env.h"

#include <linux/mman.h>
#include <linux/uio.h>

#include "tracer/linux/sys.h"

#define PRELOAD_NAME "LD_PRELOAD="
#define ATTACH_NAME FT_ENV "="
#define LIST_STEP 64u
#define TEXT_MAX 131072u /* the kernel's limit of one string */

static void *map_pages(size_t size_bytes)
{
    long map = sys6(__NR_mmap, 0, (long)size_bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return sys_failed(map) ? NULL : (void *)map;
}

bool ft_preload_list_make(struct ft_preload_list *list, uint32_t count)
{
    list->mapped = NULL;
    list->entries = list->place;
    if (count <= FT_LIST_INLINE)
        return true;
    list->mapped_bytes = (size_t)count * sizeof(char *);
    list->mapped = map_pages(list->mapped_bytes);
    list->entries = list->mapped;
    return list->mapped != NULL;
}

void ft_preload_list_fini(struct ft_preload_list *list)
{
    if (list->mapped)
        SYS2(__NR_munmap, list->mapped, list->mapped_bytes);
    list->mapped = NULL;
}

static bool starts_with(const char *text, const char *prefix)
{
    while (*prefix && *text == *prefix)
        text++, prefix++;
    return !*prefix;
}

const char *ft_preload_env_get(char *const *envp, const char *name)
{
    uint32_t length = ft_length(name, 64);
    for (; envp && *envp; envp++)
        if (starts_with(*envp, name))
            return *envp + length;
    return NULL;
}

char *const *ft_preload_environment(void)
{
    static char *const none[] = {NULL};
    char ***place = (char ***)ft_next(FT_FN___environ);
    return place && *place ? *place : none;
}

uint32_t ft_put_text(char *to, uint32_t n, uint32_t room_bytes, const char *text)
{
    while (*text && n + 1 < room_bytes)
        to[n++] = *text++;
    to[n] = '\0';
    return n;
}

uint32_t ft_put_number(char *to, uint32_t n, uint32_t room_bytes, uint64_t value)
{
    char digits[21];
    uint32_t first = sizeof(digits) - 1;
    digits[first] = '\0';
    do
        digits[--first] = (char)('0' + value % 10);
    while (value /= 10);
    return ft_put_text(to, n, room_bytes, digits + first);
}

/** Length of the list's entry at @list. */
static uint32_t entry_length(const char *list)
{
    uint32_t n = 0;
    while (list[n] && list[n] != ':' && list[n] != ' ')
        n++;
    return n;
}

static bool is_our_library(const char *entry, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++)
        if (entry[i] != ft_preload_path[i])
            return false;
    return length && ft_preload_path[length] == '\0';
}

static bool names_our_library(const char *list)
{
    while (*list) {
        uint32_t length = entry_length(list);
        if (is_our_library(list, length))
            return true;
        list += length;
        list += *list != '\0';
    }
    return false;
}

/** "LD_PRELOAD=" with our library first, or without it, and the others in their order. */
static char *join_preload(struct ft_preload_env *env, const char *users, bool watched)
{
    uint32_t users_bytes = ft_length(users, TEXT_MAX);
    env->text_bytes = sizeof(PRELOAD_NAME) + FT_PATH_MAX + users_bytes + 2;
    env->text = map_pages(env->text_bytes);
    if (!env->text)
        return NULL;
    char *text = env->text;
    uint32_t room = (uint32_t)env->text_bytes;
    uint32_t n = ft_put_text(text, 0, room, PRELOAD_NAME);
    uint32_t first = n;
    if (watched)
        n = ft_put_text(text, n, room, ft_preload_path);
    for (const char *list = users; *list;) {
        uint32_t length = entry_length(list);
        if (length && !is_our_library(list, length)) {
            if (n > first)
                text[n++] = ':';
            for (uint32_t i = 0; i < length; i++)
                text[n++] = list[i];
        }
        list += length;
        list += *list != '\0';
    }
    text[n] = '\0';
    return text;
}

static bool first_bytes_readable(char *const *strings, uint32_t count)
{
    char bytes[LIST_STEP];
    struct iovec here = {bytes, count}, there[LIST_STEP];

    for (uint32_t i = 0; i < count; i++) {
        there[i].iov_base = strings[i];
        there[i].iov_len = 1;
    }
    return !count || sys6(__NR_process_vm_readv, ft_preload_pid(), (long)&here, 1, (long)there,
                          (long)count, 0) == (long)count;
}

/** Can the list and the start of each of its strings be read? If not, the kernel will say so. */
static bool is_readable_list(char *const *list)
{
    char *part[LIST_STEP];
    for (;; list += LIST_STEP) {
        /* Up to the end of the page at least, entry by entry beyond. */
        uint32_t count = LIST_STEP;
        if (!ft_memory_read(list, part, sizeof(part)))
            for (count = 0;
                 count < LIST_STEP && ft_memory_read(list + count, part + count, sizeof(*part));)
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
    static char attach[sizeof(ATTACH_NAME) + sizeof(ft_preload_env)];
    uint32_t count = 0, used = 0;

    if (!envp)
        envp = none; /* Linux takes it for an empty one */
    env->entries = envp;
    env->list.mapped = NULL;
    env->text = NULL;
    if (!ft_preload_log || !ft_preload_path[0] || !is_readable_list(envp))
        return;

    const char *users = ft_preload_env_get(envp, PRELOAD_NAME);
    const char *ours = ft_preload_env_get(envp, ATTACH_NAME);
    bool ours_is_right = ours && starts_with(ours, ft_preload_env);
    bool loads_us = users && names_our_library(users);
    if (watched ? ours_is_right && loads_us : !ours && !loads_us)
        return;

    while (envp[count])
        count++;
    if (!ft_preload_list_make(&env->list, count + 3))
        return;
    char *preload = (char *)(uintptr_t)(users ? users - (sizeof(PRELOAD_NAME) - 1) : NULL);
    if (loads_us != watched)
        preload = join_preload(env, users ? users : "", watched);
    for (uint32_t i = 0; i < count; i++)
        if (!starts_with(envp[i], PRELOAD_NAME) && !starts_with(envp[i], ATTACH_NAME))
            env->list.entries[used++] = envp[i];
    if (preload && preload[sizeof(PRELOAD_NAME) - 1])
        env->list.entries[used++] = preload;
    if (watched) {
        uint32_t n = ft_put_text(attach, 0, sizeof(attach), ATTACH_NAME);
        (void)ft_put_text(attach, n, sizeof(attach), ft_preload_env);
        env->list.entries[used++] = attach;
    }
    env->list.entries[used] = NULL;
    env->entries = env->list.entries;
}

void ft_preload_env_fini(struct ft_preload_env *env)
{
    ft_preload_list_fini(&env->list);
    if (env->text)
        SYS2(__NR_munmap, env->text, env->text_bytes);
    env->text = NULL;
}

const char *ft_search_folders(void)
{
    const char *path = ft_preload_env_get(ft_preload_environment(), "PATH=");
    return path ? path : "/bin:/usr/bin"; /* as glibc's confstr(_CS_PATH) */
}

bool ft_search_next(const char **folders, const char *file, char *out)
{
    uint32_t file_bytes = ft_length(file, FT_PATH_MAX);

    while (*folders) {
        const char *folder = *folders;
        uint32_t length = 0, n = 0;
        while (folder[length] && folder[length] != ':')
            length++;
        *folders = folder[length] ? folder + length + 1 : NULL;
        if (length + file_bytes + 2 > FT_PATH_MAX)
            continue;
        for (; n < length; n++)
            out[n] = folder[n];
        if (length)
            out[n++] = '/';
        (void)ft_put_text(out, n, FT_PATH_MAX, file);
        return true;
    }
    return false;
}
