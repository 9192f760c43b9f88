/* SPDX-License-Identifier: MIT */
/* Lists for exec: environments with our two variables, argument arrays. Nothing is allocated but
 * by mapping pages, and only for lists that are longer than usual. */
#ifndef TRACER_LINUX_PRELOAD_ENV_H
#define TRACER_LINUX_PRELOAD_ENV_H

#include "tracer/linux/preload.h"

#define FT_LIST_INLINE 64u

/** A list of strings, in place up to a length, in mapped pages beyond. */
struct ft_preload_list {
    char **entries;
    void *mapped; /**< NULL when in place */
    size_t mapped_bytes;
    char *place[FT_LIST_INLINE];
};

/** Room for @count entries, the NULL included. @return false without memory */
HIDDEN bool ft_preload_list_make(struct ft_preload_list *list, uint32_t count);
HIDDEN void ft_preload_list_fini(struct ft_preload_list *list);

/** An environment for the next image. */
struct ft_preload_env {
    char *const *entries; /**< what to pass on */
    struct ft_preload_list list;
    void *text; /**< mapped: the joined LD_PRELOAD; NULL when not needed */
    size_t text_bytes;
};

/**
 * Make @envp carry our variables, or, for an image that ld.so does not load us into, none of
 * them. An environment that is right already is passed on as it is. Without memory too:
 * the program then runs unwatched, which its missing start tells.
 */
HIDDEN void ft_preload_env_make(struct ft_preload_env *env, char *const *envp, bool watched);
HIDDEN void ft_preload_env_fini(struct ft_preload_env *env);

/** Value of a variable ("NAME=" with its '='), or NULL. */
HIDDEN const char *ft_preload_env_get(char *const *envp, const char *name);

/** The program's environment as it is now; never NULL. */
HIDDEN char *const *ft_preload_environment(void);

/** The folders that a program without '/' in its name is looked for in, as execvp(3) takes them. */
HIDDEN const char *ft_search_folders(void);

/**
 * The next place where a program may be. Names that are too long are passed over.
 * @folders moved on; NULL after the last
 * @out     FT_PATH_MAX bytes
 * @return false when there is none any more
 */
HIDDEN bool ft_search_next(const char **folders, const char *file, char *out);

/** Append text, or decimal digits, at to[n]; NUL-terminated. @return the new end */
HIDDEN uint32_t ft_put_text(char *to, uint32_t n, uint32_t room_bytes, const char *text);
HIDDEN uint32_t ft_put_number(char *to, uint32_t n, uint32_t room_bytes, uint64_t value);

#endif
