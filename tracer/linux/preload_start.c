/* SPDX-License-Identifier: MIT */
/* What the kernel and ld.so have loaded before anything of the program runs. */
#include "tracer/linux/preload.h"

#include <elf.h>
#include <link.h>

/** The name that exec was called with, from the auxiliary vector behind the environment. */
START static const char *image_name(char *const *envp)
{
    while (*envp)
        envp++;
    for (const ElfW(auxv_t) *entry = (const ElfW(auxv_t) *)(envp + 1); entry->a_type != AT_NULL;
         entry++)
        if (entry->a_type == AT_EXECFN)
            return (const char *)entry->a_un.a_val;
    return "";
}

/** From the list of arguments to the last string on the initial stack, the image's name. */
static struct {
    uintptr_t start, end;
} initial;

bool ft_memory_is_initial(const void *address)
{
    return (uintptr_t)address >= initial.start && (uintptr_t)address < initial.end;
}

START void ft_note_start(char *const *argv, char *const *envp, const char *preload,
                         const char *library_path)
{
    const char *image = image_name(envp);
    initial.start = (uintptr_t)argv;
    initial.end = (uintptr_t)image;
    ft_note_image(image);
    if (UNLIKELY(library_path && library_path[0]))
        ft_note_library_path(library_path);
    ft_preload_start_list = preload;
    ft_note_new_libraries();
    ft_preload_start_list = NULL;
}
