/* SPDX-License-Identifier: MIT */
/* dlsym: who asks a library for one of its functions gets the wrapper of it. */
#include "tracer/linux/preload.h"

#include "tracer/linux/preload_jump.h"

typedef void *dlsym_function(void *handle, const char *name);
typedef void *dlvsym_function(void *handle, const char *name, const char *version);

/** RTLD_DEFAULT and RTLD_NEXT, for which ld.so looks at who calls it, and which find us where it
 * should. */
static bool is_search(const void *handle)
{
    return handle == NULL || handle == (void *)-1L;
}

/** Where this library is loaded, and not the one whose functions these are. */
static void *no_function(void)
{
    return NULL;
}

/* Called from the wrappers below alone. */
HIDDEN void *ft_dlsym_enter(const void *handle);
HIDDEN void *ft_dlvsym_enter(const void *handle);

static void *dlsym_of(void *handle, const char *name)
{
    void *found = ((dlsym_function *)ft_next(FT_FN_dlsym))(handle, name);
    return found ? ft_next_wrapper(name, found) : NULL;
}

static void *dlvsym_of(void *handle, const char *name, const char *version)
{
    void *found = ((dlvsym_function *)ft_next(FT_FN_dlvsym))(handle, name, version);
    return found ? ft_next_wrapper(name, found) : NULL;
}

__attribute__((used)) void *ft_dlsym_enter(const void *handle)
{
    void *next = ft_next(FT_FN_dlsym);
    if (!next)
        return (void *)no_function;
    return ft_preload_log && !is_search(handle) ? (void *)dlsym_of : next;
}

__attribute__((used)) void *ft_dlvsym_enter(const void *handle)
{
    void *next = ft_next(FT_FN_dlvsym);
    if (!next)
        return (void *)no_function;
    return ft_preload_log && !is_search(handle) ? (void *)dlvsym_of : next;
}
FT_JUMP_ON(dlsym, ft_dlsym_enter);
FT_JUMP_ON(dlvsym, ft_dlvsym_enter);
