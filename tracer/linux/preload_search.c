/* SPDX-License-Identifier: MIT */
/* What ld.so tried before it found a library: it opens inside itself, where nothing is wrapped. */
#include "tracer/linux/preload.h"

#include <asm/stat.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/stat.h>

#include "tracer/linux/preload_allowed.h"
#include "tracer/linux/search.h"
#include "tracer/linux/sys.h"

#define LIBRARY_PATH_BYTES 16384u
#define FOLDERS_MAX 128u

bool ft_preload_searches;
const char *ft_preload_start_list;

/** Empty where it was not set. Touched by nobody else. */
static ROOM char library_path[LIBRARY_PATH_BYTES];

/**
 * The folders that ld.so has looked in, as hashes whose lowest bit says that it is there; 0: no
 * entry. ld.so looks at a folder when the first library is not in it, and leaves it out from then
 * on if it is none.
 */
static ROOM uint32_t folders[FOLDERS_MAX];

void ft_note_library_path(const char *value)
{
    uint32_t n = 0, whole = 0;
    while (n < sizeof(library_path) - 1 && value[n]) {
        if (value[n] == ':' || value[n] == ';')
            whole = n;
        library_path[n] = value[n];
        n++;
    }
    library_path[value[n] ? whole : n] = '\0'; /* cut where it does not fit */
    ft_preload_searches = true;
}

/** The entry of this folder; NULL when there is no room. @known it was there before */
static uint32_t *folder_entry(const char *folder, uint32_t size_bytes, bool *known)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (uint32_t i = 0; i < size_bytes; i++)
        hash = (hash ^ (unsigned char)folder[i]) * 16777619u;
    hash = (hash | 2u) & ~1u;
    *known = false;
    for (uint32_t i = 0; i < FOLDERS_MAX; i++) {
        uint32_t entry = __atomic_load_n(&folders[i], __ATOMIC_RELAXED);
        *known = (entry & ~1u) == hash;
        if (*known)
            return &folders[i];
        if (!entry) {
            __atomic_store_n(&folders[i], hash, __ATOMIC_RELAXED);
            return &folders[i];
        }
    }
    return NULL;
}

/** As ld.so does: is it a folder? */
static bool look_at_folder(const char *folder)
{
    struct stat status;
    long error = SYS4(__NR_newfstatat, AT_FDCWD, folder, &status, 0);
    ft_note_at(FT_OP_loader, FT_READ, error < 0 ? (int)-error : 0, AT_FDCWD, folder);
    return error == 0 && S_ISDIR(status.st_mode);
}

static bool is_there(const char *path)
{
    struct stat status;
    return SYS4(__NR_newfstatat, AT_FDCWD, path, &status, 0) == 0;
}

static bool tried(const struct ft_search *search, char *path, uint32_t folder_bytes, bool found)
{
    bool known;
    uint32_t *entry = folder_entry(path, folder_bytes, &known);
    if (known && !found && !(*entry & 1u))
        return false;
    if (search->ask && is_there(path))
        found = true;
    /* It takes a relative folder for granted. */
    bool there = found || known || path[0] != '/' || !ft_own_allowed(FT_OWN_STATUS);
    if (search->ask || !found)
        ft_note_at(FT_OP_loader, FT_READ, found ? 0 : ENOENT, AT_FDCWD, path);
    if (!there) {
        uint32_t end = folder_bytes > 1 ? folder_bytes - 1 : 1;
        char kept = path[end];
        path[end] = '\0';
        there = look_at_folder(path);
        path[end] = kept;
    }
    if (entry && there)
        __atomic_fetch_or(entry, 1u, __ATOMIC_RELAXED);
    return found;
}

static uint32_t program_folder(char *out, uint32_t room_bytes)
{
    static const char link[] = "/proc/self/exe";
    long n = ft_own_allowed(FT_OWN_DESCRIPTOR)
                 ? SYS4(__NR_readlinkat, AT_FDCWD, link, out, room_bytes)
                 : 0;
    if (n <= 0 || (uint32_t)n >= room_bytes || out[0] != '/')
        return 0;
    static bool noted;
    if (!noted)
        ft_note_at(FT_OP_loader, FT_READ, 0, AT_FDCWD, link);
    noted = true;
    while (n > 1 && out[n - 1] != '/')
        n--;
    return n > 1 ? (uint32_t)n - 1 : 1;
}

static struct ft_search search_from(const struct link_map *first)
{
    return (struct ft_search){
        .first = first,
        .library_path = ft_preload_searches ? library_path : "", /* else not touched */
        .preload = ft_preload_start_list,
        .program_folder = program_folder,
        .tried = tried,
    };
}

void ft_note_search(const struct link_map *first, const struct link_map *object)
{
    const struct ft_search search = search_from(first);
    ft_search_object(&search, object);
}

/**
 * The name that dlopen has been asked for, until it is known what came of it. Who cannot change
 * the state goes without: that search is not told.
 */
static ROOM struct {
    enum { ASKED_NONE, ASKED_BUSY, ASKED } state;
    const struct link_map *loader;
    char name[256];
} asked;

static bool asked_change(int from, int to)
{
    int expected = from;
    return __atomic_compare_exchange_n((int *)&asked.state, &expected, to, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

void ft_note_search_asked(const struct link_map *first, const char *name, const void *caller)
{
    const struct ft_search search = search_from(first);
    if (ft_length(name, sizeof(asked.name)) >= sizeof(asked.name) ||
        ft_search_is_loaded(&search, name) || !asked_change(ASKED_NONE, ASKED_BUSY))
        return;
    asked.loader = ft_search_holder(&search, caller);
    uint32_t n = 0;
    do
        asked.name[n] = name[n];
    while (name[n++]);
    (void)asked_change(ASKED_BUSY, ASKED);
}

void ft_note_search_ended(const struct link_map *first, const struct link_map *added)
{
    if (!asked_change(ASKED, ASKED_BUSY))
        return;
    struct ft_search search = search_from(first);
    while (added && !ft_search_same(ft_search_file_name(added->l_name), asked.name))
        added = added->l_next;
    /* It may be gone again, or was one of the loaded ones under another name. */
    search.ask = !added;
    /* The one who asked may be gone, too. */
    const struct link_map *loader = first;
    for (const struct link_map *map = first; map; map = map->l_next)
        if (map == asked.loader)
            loader = map;
    if (added || ft_own_allowed(FT_OWN_STATUS))
        ft_search_name(&search, loader, asked.name, added ? added->l_name : NULL);
    (void)asked_change(ASKED_BUSY, ASKED_NONE);
}
