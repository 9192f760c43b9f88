/* SPDX-License-Identifier: MIT */
/* The FILETRACE variable on macOS: how a watched process attaches, and what it must know. */
#ifndef TRACER_MACOS_ATTACH_H
#define TRACER_MACOS_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracer/record.h"

/* Part of the injected library too: no allocation. */

#define FT_IMAGE_PATH_MAX ((size_t)1024) /**< as macOS's PATH_MAX, NUL included */
#define FT_ATTACH_MAX (sizeof(FT_ENV) + sizeof("18446744073709551615:") * 4 + 2 * FT_IMAGE_PATH_MAX)

/** What the variable tells. */
struct ft_attach {
    uint64_t nonce;      /**< the log's */
    unsigned library;    /**< FT_CPU_* that our library has code for */
    bool protection_off; /**< System Integrity Protection is off */
    const char *shell;   /**< path that stands in for /bin/sh; empty: none */
    const char *log;     /**< path of the log's file */
};

/**
 * The variable, whole: FILETRACE=NONCE:LIBRARY:PROTECTION_OFF:LENGTH:SHELL LOG, the shell being
 * LENGTH bytes long and nothing between it and the log's path.
 * @out at least FT_ATTACH_MAX bytes
 * @return false when it does not fit
 */
bool ft_attach_write(const struct ft_attach *attach, char out[FT_ATTACH_MAX]);

/**
 * Read its value (what stands behind the '=').
 * @shell, @log at least FT_IMAGE_PATH_MAX bytes; out->shell and out->log point there
 * @return false when it is not one of ours
 */
bool ft_attach_read(const char *value, char shell[FT_IMAGE_PATH_MAX], char log[FT_IMAGE_PATH_MAX],
                    struct ft_attach *out);

#endif
