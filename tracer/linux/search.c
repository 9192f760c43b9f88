/* SPDX-License-Identifier: MIT */
/* Which folders ld.so looked in, and in which order. */
#include "tracer/linux/search.h"

#include <elf.h>
#include <stddef.h>

#include "tracer/record.h"

#define SHORT_PATH_BYTES 256u /* stacks may be small, and most folders have short names */
#define FOLDERS_MAX 256u      /* of one list */

/** The entries of a dynamic section that a search needs; each list may be NULL. */
struct lists {
    const char *rpath, *runpath;
};

static struct lists lists_of(const struct link_map *object)
{
    const char *strings = NULL;
    ElfW(Xword) rpath = 0, runpath = 0;
    for (const ElfW(Dyn) *entry = object->l_ld; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_STRTAB)
            strings = ft_table_address(object, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_RPATH)
            rpath = entry->d_un.d_val;
        else if (entry->d_tag == DT_RUNPATH)
            runpath = entry->d_un.d_val;
    }
    struct lists lists = {NULL, NULL};
    if (strings && runpath)
        lists.runpath = strings + runpath; /* and DT_RPATH counts for nothing */
    else if (strings && rpath)
        lists.rpath = strings + rpath;
    return lists;
}

__attribute__((hot)) bool ft_search_has_folders(const struct link_map *object)
{
    for (const ElfW(Dyn) *entry = object->l_ld; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_RUNPATH || entry->d_tag == DT_RPATH)
            return true;
    return false;
}

bool ft_search_same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

const char *ft_search_file_name(const char *path)
{
    const char *name = path;
    for (; *path; path++)
        if (*path == '/')
            name = path + 1;
    return name;
}

/** Does the dynamic section have this name in an entry of this kind? */
static bool names(const struct link_map *object, ElfW(Sxword) tag, const char *name)
{
    const char *strings = NULL;
    for (const ElfW(Dyn) *entry = object->l_ld; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_STRTAB)
            strings = ft_table_address(object, entry->d_un.d_ptr);
    if (!strings)
        return false;
    for (const ElfW(Dyn) *entry = object->l_ld; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == tag && ft_search_same(strings + entry->d_un.d_val, name))
            return true;
    return false;
}

bool ft_search_is_loaded(const struct ft_search *search, const char *name)
{
    for (const struct link_map *map = search->first; map; map = map->l_next)
        if (ft_search_same(ft_search_file_name(map->l_name), name) || names(map, DT_SONAME, name))
            return true;
    return false;
}

const struct link_map *ft_search_holder(const struct ft_search *search, const void *address)
{
    /* How far an object reaches is not told; but they do not overlap. */
    const struct link_map *holder = search->first;
    for (const struct link_map *map = search->first; map; map = map->l_next)
        if (map->l_addr <= (ElfW(Addr))address &&
            (map->l_addr > holder->l_addr || holder->l_addr > (ElfW(Addr))address))
            holder = map;
    return holder;
}

/** The object for which ld.so loaded @object: it loads in the order of its list, so that is the
 * first that needs it. NULL: none, it was asked for by name. */
static const struct link_map *loader_of(const struct ft_search *search,
                                        const struct link_map *object)
{
    const char *name = ft_search_file_name(object->l_name);
    for (const struct link_map *map = search->first; map && map != object; map = map->l_next)
        if (names(map, DT_NEEDED, name))
            return map;
    return NULL;
}

/** A path being written. */
struct text {
    char *bytes;
    uint32_t used, room;
    bool failed; /* it does not fit, or has a part that is not known */
};

static void put(struct text *text, const char *from, uint32_t count)
{
    if (text->failed || count >= text->room - text->used) {
        text->failed = true;
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        text->bytes[text->used++] = from[i];
}

static uint32_t length(const char *text)
{
    uint32_t n = 0;
    /* The text ends by its NUL before that. */
    /* cppcheck-suppress arrayIndexOutOfBoundsCond */
    while (n < FT_PATH_MAX && text[n])
        n++;
    return n;
}

/** $ORIGIN: the folder of the object that has the list. */
static void put_origin(struct text *text, const struct ft_search *search,
                       const struct link_map *object)
{
    if (object == search->first) {
        uint32_t n = text->failed ? 0
                                  : search->program_folder(text->bytes + text->used,
                                                           text->room - text->used);
        text->used += n;
        text->failed = !n;
    } else if (object->l_name[0] == '/')
        put(text, object->l_name,
            (uint32_t)(ft_search_file_name(object->l_name) - object->l_name) - 1);
    else
        text->failed = true; /* below a folder that was the working folder then */
}

/** $LIB, which is built into ld.so: where the C library is, without /usr. */
static void put_lib(struct text *text, const struct ft_search *search)
{
    for (const struct link_map *map = search->first; map; map = map->l_next) {
        const char *name = ft_search_file_name(map->l_name);
        if (map->l_name[0] != '/' || !ft_search_same(name, "libc.so.6"))
            continue;
        const char *folder = map->l_name + 1, *usr = "usr/";
        uint32_t n = 0;
        while (n < 4 && folder[n] == usr[n])
            n++;
        folder += n == 4 ? n : 0;
        put(text, folder, folder < name ? (uint32_t)(name - folder) - 1 : 0);
        return;
    }
    text->failed = true;
}

/** Is this "$WORD" or "${WORD}"? @return its length, 0 for no */
static uint32_t word_length(const char *at, uint32_t count, const char *word)
{
    if (at[0] != '$')
        return 0;
    uint32_t n = length(word);
    bool braces = count > 1 && at[1] == '{';
    uint32_t first = braces ? 2 : 1;
    if (first + n + (braces ? 1 : 0) > count)
        return 0;
    for (uint32_t i = 0; i < n; i++)
        if (at[first + i] != word[i])
            return 0;
    if (braces && at[first + n] != '}')
        return 0;
    return first + n + (braces ? 1 : 0);
}

static void put_folder(struct text *text, const struct ft_search *search,
                       const struct link_map *object, const char *folder, uint32_t count)
{
    if (!count)
        put(text, "./", 2);
    for (uint32_t i = 0, word; i < count && !text->failed; i += word ? word : 1) {
        const char *at = folder + i;
        if ((word = word_length(at, count - i, "ORIGIN")))
            put_origin(text, search, object);
        else if ((word = word_length(at, count - i, "LIB")))
            put_lib(text, search);
        else if ((word = word_length(at, count - i, "PLATFORM")))
            text->failed = true; /* it depends on ld.so's version what that is */
        else
            put(text, at, 1);
    }
    while (text->used > 1 && text->bytes[text->used - 1] == '/')
        text->used--;
    if (text->used && text->bytes[text->used - 1] != '/')
        put(text, "/", 1);
}

/** What one look into a folder is about. */
struct look {
    const struct ft_search *search;
    const struct link_map *object; /* whose list it is */
    const char *name, *found;
    const char *folder;
    uint32_t folder_bytes;
};

/** @return 1: it is here, the search ends; 0: go on; -1: does not fit, or is not known */
static int try_in(const struct look *look, char *bytes, uint32_t room)
{
    struct text text = {.bytes = bytes, .room = room};
    put_folder(&text, look->search, look->object, look->folder, look->folder_bytes);
    uint32_t folder_bytes = text.used;
    put(&text, look->name, length(look->name));
    if (text.failed)
        return -1;
    bytes[text.used] = '\0';
    bool found = look->found && ft_search_same(bytes, look->found);
    return look->search->tried(look->search, bytes, folder_bytes, found) || found;
}

static __attribute__((noinline)) int try_long(const struct look *look)
{
    char path[FT_PATH_MAX];
    return try_in(look, path, sizeof(path));
}

static __attribute__((noinline)) int try_short(const struct look *look)
{
    char path[SHORT_PATH_BYTES];
    return try_in(look, path, sizeof(path));
}

/** Look through a list. @return it was found there */
static bool try_list(struct look *look, const struct link_map *object, const char *list, char other)
{
    if (!list || !list[0])
        return false;
    look->object = object;
    for (uint32_t count = 0; count < FOLDERS_MAX; count++) {
        uint32_t n = 0;
        while (list[n] && list[n] != ':' && list[n] != other)
            n++;
        look->folder = list;
        look->folder_bytes = n;
        int end = try_short(look);
        if (end < 0)
            end = try_long(look);
        if (end > 0)
            return true;
        if (!list[n])
            return false;
        list += n + 1;
    }
    return false;
}

void ft_search_name(const struct ft_search *search, const struct link_map *loader, const char *name,
                    const char *found)
{
    struct look look = {.search = search, .name = name, .found = found};
    const char *runpath = lists_of(loader).runpath;
    if (!runpath) {
        bool program_too = true;
        for (const struct link_map *map = loader; map; map = loader_of(search, map)) {
            program_too = program_too && map != search->first;
            if (try_list(&look, map, lists_of(map).rpath, ':'))
                return;
        }
        if (program_too && try_list(&look, search->first, lists_of(search->first).rpath, ':'))
            return;
    }
    if (!try_list(&look, search->first, search->library_path, ';'))
        (void)try_list(&look, loader, runpath, ':');
}

/** Was it asked for by LD_PRELOAD? @return 0: no; 1: by this path, without a search; 2: by name */
static int is_preloaded(const char *list, const char *path, const char *name)
{
    while (list && *list) {
        uint32_t n = 0;
        bool is_path = true, is_name = true;
        for (; list[n] && list[n] != ':' && list[n] != ' '; n++) {
            is_path = is_path && path[n] == list[n];
            is_name = is_name && name[n] == list[n];
        }
        if (n && is_path && !path[n])
            return 1;
        if (n && is_name && !name[n])
            return 2;
        list += n + (list[n] != '\0');
    }
    return 0;
}

void ft_search_object(const struct ft_search *search, const struct link_map *object)
{
    const char *name = ft_search_file_name(object->l_name);
    int preloaded = is_preloaded(search->preload, object->l_name, name);
    const struct link_map *loader = preloaded ? search->first : loader_of(search, object);
    if (loader && preloaded != 1)
        ft_search_name(search, loader, name, object->l_name);
}
