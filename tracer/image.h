/* SPDX-License-Identifier: MIT */
/* What an executable file is, before it is executed, and so how it can be watched. */
#ifndef TRACER_IMAGE_H
#define TRACER_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"

/* Part of the injected library too: no C library behind this. */

/** What a file is to execve(2). */
enum ft_image_kind {
    FT_IMAGE_OTHER, /**< nothing that we know: the kernel will say */
    FT_IMAGE_ELF,
    FT_IMAGE_SCRIPT, /**< "#!": the interpreter is what runs */
};

/** How a program made from the image can be watched. */
enum ft_way {
    FT_WAY_PRELOAD,   /**< ld.so loads our library into it */
    FT_WAY_KERNEL,    /**< the kernel's filter notifies the tracer */
    FT_WAY_TRACE,     /**< ptrace, because it may want to be a notification supervisor itself */
    FT_WAY_UNTOUCHED, /**< it gains privileges, which watching would take away */
};

/** Why a trace is incomplete; the names are in docs/format.md. */
enum ft_reason {
    FT_REASON_NONE,
    FT_REASON_SETUID,       /**< gains privileges by its mode or file capabilities */
    FT_REASON_NOT_ENTERED,  /**< an image was executed and never began to be watched */
    FT_REASON_NO_FILTER,    /**< the kernel refused the filter */
    FT_REASON_KILLED,       /**< killed while it wrote a record */
    FT_REASON_LOST,         /**< records found no room */
    FT_REASON_OUTLIVED,     /**< still ran when the root command had ended */
    FT_REASON_PATH_UNKNOWN, /**< an access whose path or folder could not be read */
    FT_REASON_INTERRUPTED,  /**< the tracer was told to stop */
    FT_REASON_IO_URING,     /**< set up io_uring, whose opens nobody sees */
    FT_REASON_NAMESPACE,    /**< loads libraries apart (dlmopen, RTLD_DEEPBIND) */
    FT_REASON_CHROOT,       /**< changed its root: its paths are as it sees them */
    FT_REASON_SETUID_BELOW, /**< would have gained privileges, but for the filter's no_new_privs */
    FT_REASON_ENTERED_LATE, /**< Windows: its libraries had begun before it was entered */
    FT_REASON_POLICY,       /**< Windows: a policy of the process keeps our library out */
    FT_REASON_ARCHITECTURE, /**< Windows: there is no library for its processor */
    FT_REASON_NOT_HOOKED,   /**< Windows: a call whose entry looks like none that we know */
    FT_REASON_PROTECTED,    /**< macOS: a program of the system's, which takes no library */
    FT_REASON_HARDENED,     /**< macOS: its signature allows no library of others */
    FT_REASON_RESTRICTED,   /**< macOS: it asks dyld to take no variables */
    FT_REASON_NO_SLICE,     /**< macOS: it runs on a processor that our library has no code for */
    FT_REASON_UNREADABLE,   /**< macOS: it may not be read, so nobody can tell */
    FT_REASON_COUNT
};

/** Name of a reason as in docs/format.md ("setuid"); "unknown" outside the table. */
const char *ft_reason_name(unsigned reason);

#define FT_INTERPRETER_MAX 256 /**< as the kernel's BINPRM_BUF_SIZE */

/** Where the loader of dynamic programs stands on most systems. */
#if defined(__aarch64__)
#define FT_IMAGE_USUAL_LOADER "/lib/ld-linux-aarch64.so.1"
#else
#define FT_IMAGE_USUAL_LOADER "/lib64/ld-linux-x86-64.so.2"
#endif

/** What ft_image_inspect() found. */
struct ft_image {
    enum ft_image_kind kind;
    enum ft_way way;
    uint64_t code_offset, code_bytes;     /**< of an ELF file's first executable segment */
    char interpreter[FT_INTERPRETER_MAX]; /**< of a script, or PT_INTERP; empty when none */
};

/**
 * Where an image's bytes come from: as pread(2), the number of bytes read or < 0.
 */
typedef long ft_image_read(void *context, void *to, size_t size_bytes, uint64_t offset);

/**
 * Look at a file's head, program headers and needed libraries.
 * Unreadable or senseless bytes are no error: the kernel has the last word, and
 * FT_WAY_KERNEL sees whatever comes of it.
 * Pure but for @read. Async-signal-safe when @read is.
 */
void ft_image_inspect(ft_image_read *read, void *context, struct ft_image *out);

/** Is it FT_IMAGE_USUAL_LOADER? Pure. */
HIDDEN bool ft_image_is_usual_loader(const char *interpreter);

#endif
