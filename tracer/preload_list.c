/* SPDX-License-Identifier: MIT */
/* Lists for exec. */
#include "tracer/preload_list.h"

#define TEXT_MAX 131072u /* Linux's limit of one string; macOS's of all together is larger */

bool ft_preload_list_make(struct ft_preload_list *list, uint32_t count)
{
    list->mapped = NULL;
    list->entries = list->place;
    if (count <= FT_LIST_INLINE)
        return true;
    list->mapped_bytes = (size_t)count * sizeof(char *);
    list->mapped = ft_preload_map(list->mapped_bytes);
    list->entries = list->mapped;
    return list->mapped != NULL;
}

void ft_preload_list_fini(struct ft_preload_list *list)
{
    if (list->mapped)
        ft_preload_unmap(list->mapped, list->mapped_bytes);
    list->mapped = NULL;
}

static uint32_t text_length(const char *text, uint32_t limit)
{
    uint32_t n = 0;
    while (n < limit && text[n])
        n++;
    return n;
}

static bool starts_with(const char *text, const char *prefix)
{
    while (*prefix && *text == *prefix)
        text++, prefix++;
    return !*prefix;
}

const char *ft_preload_env_get(char *const *envp, const char *name)
{
    uint32_t length = text_length(name, 64);
    for (; envp && *envp; envp++)
        if (starts_with(*envp, name))
            return *envp + length;
    return NULL;
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

static bool is_separator(const struct ft_preload_variables *variables, char c)
{
    for (const char *one = variables->separators; *one; one++)
        if (c == *one)
            return true;
    return false;
}

/** Length of the list's entry at @list. */
static uint32_t entry_length(const struct ft_preload_variables *variables, const char *list)
{
    uint32_t n = 0;
    while (list[n] && !is_separator(variables, list[n]))
        n++;
    return n;
}

static bool is_our_library(const struct ft_preload_variables *variables, const char *entry,
                           uint32_t length)
{
    for (uint32_t i = 0; i < length; i++)
        if (entry[i] != variables->library[i])
            return false;
    return length && variables->library[length] == '\0';
}

static bool names_our_library(const struct ft_preload_variables *variables, const char *list)
{
    while (*list) {
        uint32_t length = entry_length(variables, list);
        if (is_our_library(variables, list, length))
            return true;
        list += length;
        list += *list != '\0';
    }
    return false;
}

/** The variable with our library first, or without it, and the others in their order. */
static char *join_libraries(struct ft_preload_env *env, const char *users, bool watched,
                            const struct ft_preload_variables *variables)
{
    uint32_t users_bytes = text_length(users, TEXT_MAX);
    env->text_bytes = (size_t)text_length(variables->libraries, 64) +
                      text_length(variables->library, TEXT_MAX) + users_bytes + 3;
    env->text = ft_preload_map(env->text_bytes);
    if (!env->text)
        return NULL;
    char *text = env->text;
    uint32_t room = (uint32_t)env->text_bytes;
    uint32_t n = ft_put_text(text, 0, room, variables->libraries);
    uint32_t first = n;
    if (watched)
        n = ft_put_text(text, n, room, variables->library);
    for (const char *list = users; *list;) {
        uint32_t length = entry_length(variables, list);
        if (length && !is_our_library(variables, list, length)) {
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

void ft_preload_env_edit(struct ft_preload_env *env, char *const *envp, bool watched,
                         const struct ft_preload_variables *variables)
{
    static const char attach_name[] = "FILETRACE=";
    uint32_t count = 0, used = 0;
    uint32_t name_bytes = text_length(variables->libraries, 64);

    env->entries = envp;
    env->list.mapped = NULL;
    env->text = NULL;
    const char *users = ft_preload_env_get(envp, variables->libraries);
    const char *ours = ft_preload_env_get(envp, attach_name);
    bool ours_is_right = ours && starts_with(ours, variables->attach + sizeof(attach_name) - 1);
    bool loads_us = users && names_our_library(variables, users);
    if (watched ? ours_is_right && loads_us : !ours && !loads_us)
        return;

    while (envp && envp[count])
        count++;
    if (!ft_preload_list_make(&env->list, count + 3))
        return;
    char *libraries = (char *)(uintptr_t)(users ? users - name_bytes : NULL);
    if (loads_us != watched)
        libraries = join_libraries(env, users ? users : "", watched, variables);
    for (uint32_t i = 0; i < count; i++)
        if (!starts_with(envp[i], variables->libraries) && !starts_with(envp[i], attach_name))
            env->list.entries[used++] = envp[i];
    if (libraries && libraries[name_bytes])
        env->list.entries[used++] = libraries;
    if (watched)
        env->list.entries[used++] = (char *)(uintptr_t)variables->attach;
    env->list.entries[used] = NULL;
    env->entries = env->list.entries;
}

void ft_preload_env_fini(struct ft_preload_env *env)
{
    ft_preload_list_fini(&env->list);
    if (env->text)
        ft_preload_unmap(env->text, env->text_bytes);
    env->text = NULL;
}

bool ft_search_next_in(const char **folders, const char *file, char *out, uint32_t room_bytes)
{
    uint32_t file_bytes = text_length(file, room_bytes);

    while (*folders) {
        const char *folder = *folders;
        uint32_t length = 0, n = 0;
        while (folder[length] && folder[length] != ':')
            length++;
        *folders = folder[length] ? folder + length + 1 : NULL;
        if (length + file_bytes + 2 > room_bytes)
            continue;
        for (; n < length; n++)
            out[n] = folder[n];
        if (length)
            out[n++] = '/';
        (void)ft_put_text(out, n, room_bytes, file);
        return true;
    }
    return false;
}
