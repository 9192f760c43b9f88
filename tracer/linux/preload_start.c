/* SPDX-License-Identifier: MIT */
/* What the kernel and ld.so have loaded before anything of the program runs. */
#include "tracer/linux/preload.h"

#include <elf.h>
#include <link.h>
#include <linux/fcntl.h>

extern struct r_debug _r_debug __attribute__((weak));
extern ElfW(Dyn) _DYNAMIC[] HIDDEN;

static bool has_folder(const char *name)
{
    for (; *name; name++)
        if (*name == '/')
            return true;
    return false;
}

/** The name that exec was called with, from the auxiliary vector behind the environment. */
static const char *image_name(char *const *envp)
{
    while (*envp)
        envp++;
    for (const ElfW(auxv_t) *entry = (const ElfW(auxv_t) *)(envp + 1); entry->a_type != AT_NULL;
         entry++)
        if (entry->a_type == AT_EXECFN)
            return (const char *)entry->a_un.a_val;
    return "";
}

void ft_note_start(char *const *envp)
{
    ft_note_image(image_name(envp));
    if (!&_r_debug)
        return;
    /* The program itself has no name here, the vDSO no folder; our library is no access of the
     * program's. */
    for (const struct link_map *map = _r_debug.r_map; map; map = map->l_next)
        if (map->l_name && has_folder(map->l_name) && map->l_ld != _DYNAMIC)
            ft_note_at(FT_OP_loader, FT_READ, 0, AT_FDCWD, map->l_name);
}
