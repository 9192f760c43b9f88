/* SPDX-License-Identifier: MIT */
/* dlopen: ld.so looks at who calls it, so the wrappers jump on instead of calling, and what
 * was loaded is found in ld.so's list at the next access or at the end. */
#include "tracer/linux/preload.h"

#include <link.h>
#include <linux/fcntl.h>

#include "tracer/image.h"
#include "tracer/linux/search.h"

#define DEEPBIND 0x8 /* RTLD_DEEPBIND, whose header is not for us */

bool ft_preload_libraries_changed;

extern struct r_debug _r_debug __attribute__((weak));
extern ElfW(Dyn) _DYNAMIC[] HIDDEN;

START static bool has_folder(const char *name)
{
    for (; *name; name++)
        if (*name == '/')
            return true;
    return false;
}

/** What ld.so lets debuggers see of further name spaces (dlmopen), from version 2 on. */
struct debug_extended {
    struct r_debug base;
    struct debug_extended *next;
};

/** The last object of the first name space at the start. Objects are appended, and up to here they
 * are never unloaded. */
static const struct link_map *last_at_start;

/** What has been recorded behind it: how many, and a hash of their names. The program may close
 * them again, and the next one may get the same address. */
static struct {
    uint32_t count, hash;
} noted;

static void add_name(const char *name)
{
    for (; *name; name++)
        noted.hash = (noted.hash ^ (unsigned char)*name) * 16777619u; /* FNV-1a */
    noted.hash *= 31;
    noted.count++;
}

/** The first object that has not been recorded; all since the start where some of them are gone. */
static const struct link_map *first_new(void)
{
    const struct link_map *map = last_at_start->l_next;
    uint32_t count = noted.count, hash = noted.hash;
    noted.count = noted.hash = 0;
    for (; map && noted.count < count; map = map->l_next)
        add_name(map->l_name);
    if (noted.count == count && noted.hash == hash)
        return map;
    noted.count = noted.hash = 0;
    return last_at_start->l_next;
}

/** Record the objects from @map on. @first of their list, or NULL: searches are not told. @return
 * the last one */
START static const struct link_map *note_objects(const struct link_map *first,
                                                 const struct link_map *map)
{
    const struct link_map *last = map;
    /* The program itself has no name here, the vDSO no folder; our library is no access of the
     * program's. The kernel has loaded ld.so. */
    for (; map; map = map->l_next) {
        last = map;
        bool is_program = !map->l_name || !map->l_name[0];
        if (!is_program && !has_folder(map->l_name))
            continue; /* the vDSO may name folders all the same */
        if (!is_program && map->l_ld != _DYNAMIC) {
            if (UNLIKELY(ft_preload_searches) && first && map->l_addr != _r_debug.r_ldbase)
                ft_note_search(first, map);
            ft_note_at(FT_OP_loader, FT_READ, 0, AT_FDCWD, map->l_name);
        }
        if (UNLIKELY(ft_search_has_folders(map)))
            ft_preload_searches = true;
    }
    return last;
}

START void ft_note_new_libraries(void)
{
    if (!&_r_debug)
        return;
    /* While ld.so changes the list it says so; it will be asked again. */
    ft_preload_libraries_changed = _r_debug.r_state != RT_CONSISTENT;
    if (ft_preload_libraries_changed)
        return;
    const struct link_map *map = _r_debug.r_map;
    if (last_at_start)
        map = first_new();
    if (UNLIKELY(ft_preload_searches))
        ft_note_search_ended(_r_debug.r_map, map);
    const struct link_map *last = note_objects(_r_debug.r_map, map);
    if (!last_at_start)
        last_at_start = last;
    else
        for (; map; map = map != last ? map->l_next : NULL)
            add_name(map->l_name);
    if (_r_debug.r_version < 2)
        return;
    /* The header declares less than there is: hide from the compiler what it thinks it knows. */
    const void *debug = &_r_debug;
    __asm__("" : "+r"(debug));
    for (const struct debug_extended *space = ((const struct debug_extended *)debug)->next; space;
         space = space->next)
        (void)note_objects(NULL, space->base.r_map);
}

/* Called from the wrappers below alone; the result is where they jump. */
HIDDEN void *ft_dlopen_enter(const char *file, int mode, long unused, const void *caller);
HIDDEN void *ft_dlmopen_enter(long name_space, const char *file, int mode, const void *caller);

/** Without a folder in its name: ld.so searches. */
static void note_name(const char *file, const void *caller)
{
    if (!&_r_debug)
        return;
    if (ft_preload_libraries_changed)
        ft_note_new_libraries(); /* what came of the last one; it may bring folders */
    if (ft_preload_searches)
        ft_note_search_asked(_r_debug.r_map, file, caller);
}

static void note_library(const char *file, int mode, bool apart, const void *caller)
{
    if (!ft_preload_log || !file || !file[0])
        return;
    if (apart || (mode & DEEPBIND))
        ft_note_reason(FT_REASON_NAMESPACE, file);
    if (has_folder(file))
        ft_note_at(FT_OP_loader, FT_READ, FT_ERROR_UNKNOWN | FT_PATH_WAS_READ, AT_FDCWD, file);
    else if (!apart)
        note_name(file, caller);
    ft_preload_libraries_changed = true;
}

__attribute__((used)) void *ft_dlopen_enter(const char *file, int mode, long unused,
                                            const void *caller)
{
    (void)unused; /* the other function's third argument */
    note_library(file, mode, false, caller);
    return ft_next(FT_FN_dlopen);
}

__attribute__((used)) void *ft_dlmopen_enter(long name_space, const char *file, int mode,
                                             const void *caller)
{
    note_library(file, mode, name_space != 0, caller);
    return ft_next(FT_FN_dlmopen);
}

#if defined(__x86_64__)
#define JUMP_ON(name)                                                                              \
    __asm__(".text\n"                                                                              \
            ".globl " #name "\n"                                                                   \
            ".type " #name ", @function\n" #name ":\n"                                             \
            "    push %rdi\n"                                                                      \
            "    push %rsi\n"                                                                      \
            "    push %rdx\n"                                                                      \
            "    mov 24(%rsp), %rcx\n"                                                             \
            "    call ft_" #name "_enter\n"                                                        \
            "    pop %rdx\n"                                                                       \
            "    pop %rsi\n"                                                                       \
            "    pop %rdi\n"                                                                       \
            "    test %rax, %rax\n"                                                                \
            "    jz 1f\n"                                                                          \
            "    jmp *%rax\n"                                                                      \
            "1:  ret\n"                                                                            \
            ".size " #name ", . - " #name "\n")
#elif defined(__aarch64__)
#define JUMP_ON(name)                                                                              \
    __asm__(".text\n"                                                                              \
            ".globl " #name "\n"                                                                   \
            ".type " #name ", %function\n" #name ":\n"                                             \
            "    stp x0, x1, [sp, #-32]!\n"                                                        \
            "    stp x2, x30, [sp, #16]\n"                                                         \
            "    mov x3, x30\n"                                                                    \
            "    bl ft_" #name "_enter\n"                                                          \
            "    mov x16, x0\n"                                                                    \
            "    ldp x2, x30, [sp, #16]\n"                                                         \
            "    ldp x0, x1, [sp], #32\n"                                                          \
            "    cbz x16, 1f\n"                                                                    \
            "    br x16\n"                                                                         \
            "1:  mov x0, #0\n"                                                                     \
            "    ret\n"                                                                            \
            ".size " #name ", . - " #name "\n")
#endif
JUMP_ON(dlopen);
JUMP_ON(dlmopen);

/** At the end, for what was loaded after the last access. */
__attribute__((destructor)) static void note_last(void)
{
    if (ft_preload_log && ft_preload_libraries_changed)
        ft_note_new_libraries();
}
