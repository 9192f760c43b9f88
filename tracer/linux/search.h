/* SPDX-License-Identifier: MIT */
/*
 * The folders in which ld.so looked for a library, from what it keeps of the objects: pure, of
 * small frames, without a C library. The order is that of ld.so(8) and of glibc's elf/dl-load.c:
 * DT_RPATH of the object that needs it and of those that it was loaded for, the program's too,
 * unless the first has DT_RUNPATH; LD_LIBRARY_PATH; the object's DT_RUNPATH. What comes after
 * that (the cache, the system's folders) is no part of this.
 */
#ifndef TRACER_LINUX_SEARCH_H
#define TRACER_LINUX_SEARCH_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/** What is known of a process's searches. */
struct ft_search {
    const struct link_map *first; /**< ld.so's list: the program */
    const char *library_path;     /**< LD_LIBRARY_PATH, or NULL */
    const char *preload;          /**< LD_PRELOAD, or NULL once its objects are known */
    /** The program's own folder into @out, for $ORIGIN. @return its length, 0: unknown */
    uint32_t (*program_folder)(char *out, uint32_t room_bytes);
    /**
     * ld.so tried this path.
     * @path         writable, relative when the folder is; a NUL behind it
     * @folder_bytes length of the folder with its last '/'
     * @found        it is known to be here
     * @return the search ends here; ignored when @found is true
     */
    bool (*tried)(const struct ft_search *search, char *path, uint32_t folder_bytes, bool found);
    bool ask; /**< for tried(): the object that was found is not known */
};

/** The address that a dynamic section gives: ld.so relocates most in place, not the vDSO's. */
static inline const void *ft_table_address(const struct link_map *map, ElfW(Addr) value)
{
    return (const void *)(value < map->l_addr ? value + map->l_addr : value);
}

/** Does the object bring folders of its own (DT_RPATH, DT_RUNPATH)? */
bool ft_search_has_folders(const struct link_map *object);

/** Is there an object of this file name or DT_SONAME, so that ld.so would not look for it? */
bool ft_search_is_loaded(const struct ft_search *search, const char *name);

/** The object that holds this address; the program when none does. */
const struct link_map *ft_search_holder(const struct ft_search *search, const void *address);

/** Do two texts have the same bytes? */
bool ft_search_same(const char *a, const char *b);

/** The part of a path behind the last '/'. */
const char *ft_search_file_name(const char *path);

/**
 * Tell where ld.so looked for an object of its list, as far as it did: not for one that was
 * loaded by a path.
 */
void ft_search_object(const struct ft_search *search, const struct link_map *object);

/**
 * Tell where ld.so looked for @name on behalf of @loader.
 * @found path of the object, where the search ended; NULL when there is none
 */
void ft_search_name(const struct ft_search *search, const struct link_map *loader, const char *name,
                    const char *found);

#endif
