/* SPDX-License-Identifier: MIT */
/* Would dyld load our library into a program, and would the program live? */
#ifndef TRACER_MACOS_INSERT_H
#define TRACER_MACOS_INSERT_H

#include <stdbool.h>
#include <stdint.h>

#include "tracer/image.h"

/** What besides the file's bytes decides. */
struct ft_insert_facts {
    uint32_t mode;       /**< st_mode */
    uint32_t flags;      /**< st_flags (chflags(2)) */
    uint32_t owner;      /**< st_uid */
    uint32_t group;      /**< st_gid */
    uint32_t user;       /**< geteuid() */
    uint32_t user_group; /**< getegid() */
    bool protection_off; /**< System Integrity Protection is switched off */
    unsigned own;        /**< FT_CPU_OWN of the process that executes it */
    unsigned library;    /**< FT_CPU_* of every slice of our library */
};

/**
 * Can our library be inserted into what an exec of this file makes?
 * @return FT_REASON_NONE when it can; else why the variables must not be given to it: in the
 *         best case dyld ignores them, in the worst it kills the program. A file that is no
 *         program at all gives FT_REASON_NOT_ENTERED, and the kernel has the last word.
 * Pure but for @read (see ft_image_read); async-signal-safe when @read is.
 */
enum ft_reason ft_can_insert(ft_image_read *read, void *context,
                             const struct ft_insert_facts *facts);

#endif
