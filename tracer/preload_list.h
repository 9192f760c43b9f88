/* SPDX-License-Identifier: MIT */
/* Lists for exec, as the injected libraries make them: argument arrays, and environments with our
 * two variables. Nothing is allocated but by mapping pages, and only for lists that are longer than
 * usual. */
#ifndef TRACER_PRELOAD_LIST_H
#define TRACER_PRELOAD_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"

#define FT_LIST_INLINE 64u

/* What each system's library has for this. */

/** Zeroed pages. @return NULL without memory */
HIDDEN void *ft_preload_map(size_t size_bytes);
HIDDEN void ft_preload_unmap(void *pages, size_t size_bytes);

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

/** What the two variables are on this system, and what they say in this run. All borrowed. */
struct ft_preload_variables {
    const char *libraries;  /**< the system's variable of libraries to load, with its '=' */
    const char *separators; /**< between its entries */
    const char *library;    /**< path of ours */
    const char *attach;     /**< our variable, "FILETRACE=...", whole */
};

/** An environment for the next image. */
struct ft_preload_env {
    char *const *entries; /**< what to pass on */
    struct ft_preload_list list;
    void *text; /**< mapped: the joined list of libraries; NULL when not needed */
    size_t text_bytes;
};

/**
 * Make @envp carry our variables, or, for an image that our library does not get into, none of
 * them; other libraries of the user's keep their place. An environment that is right already is
 * passed on as it is. Without memory too: the program then runs unwatched, which its missing
 * start tells.
 * @envp readable; its strings must outlive @env
 */
HIDDEN void ft_preload_env_edit(struct ft_preload_env *env, char *const *envp, bool watched,
                                const struct ft_preload_variables *variables);
HIDDEN void ft_preload_env_fini(struct ft_preload_env *env);

/** Value of a variable ("NAME=" with its '='), or NULL. */
HIDDEN const char *ft_preload_env_get(char *const *envp, const char *name);

/**
 * The next place where a program may be, as execvp(3) looks. Names that are too long are passed
 * over.
 * @folders moved on; NULL after the last
 * @out     @room_bytes bytes
 * @return false when there is none any more
 */
HIDDEN bool ft_search_next_in(const char **folders, const char *file, char *out,
                              uint32_t room_bytes);

/** Append text, or decimal digits, at to[n]; NUL-terminated. @return the new end */
HIDDEN uint32_t ft_put_text(char *to, uint32_t n, uint32_t room_bytes, const char *text);
HIDDEN uint32_t ft_put_number(char *to, uint32_t n, uint32_t room_bytes, uint64_t value);

#endif
