/* SPDX-License-Identifier: MIT */
/* What a Mach-O file says of itself: slices, load commands, code signature. */
#ifndef TRACER_MACOS_MACHO_H
#define TRACER_MACOS_MACHO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracer/image.h"

/* Part of the injected library too: no allocation. Knows no header of the system, so that it is
 * built and tested on others; layouts as in Apple's <mach-o/loader.h>, <mach-o/fat.h> and
 * <kern/cs_blobs.h> (https://github.com/apple-oss-distributions/xnu). */

/* Kinds of slices; bits. */
#define FT_CPU_ARM64 1u
#define FT_CPU_ARM64E 2u /**< with signed pointers: the system's own programs */
#define FT_CPU_X86_64 4u
#define FT_CPU_OTHER 8u

/** The kind that this is compiled for. */
#if defined(__aarch64__)
#define FT_CPU_OWN FT_CPU_ARM64
#else
#define FT_CPU_OWN FT_CPU_X86_64
#endif

/* Of a code signature's flags. */
#define FT_CODE_RESTRICT 0x800u        /**< dyld takes no variables */
#define FT_CODE_LIBRARIES 0x2000u      /**< libraries must be signed by the same team, or Apple */
#define FT_CODE_RUNTIME 0x10000u       /**< hardened runtime */
#define FT_CODE_FORCED_LIBRARIES 0x10u /**< as FT_CODE_LIBRARIES, of old */

/** What was found; of the slice that runs, but for `cpus`. */
struct ft_macho {
    unsigned cpus;         /**< FT_CPU_* of every slice; 0: no Mach-O file that we can read */
    unsigned cpu;          /**< of the slice that the kernel takes; 0: none that we know */
    bool is_program;       /**< MH_EXECUTE */
    bool has_loader;       /**< dyld starts it */
    bool restrict_section; /**< it has a segment __RESTRICT with a section __restrict */
    bool is_platform;      /**< its signature names the system as its platform */
    uint32_t code_flags;   /**< FT_CODE_*, 0 without a signature */
    bool
        allows_variables; /**< entitled to com.apple.security.cs.allow-dyld-environment-variables */
    bool allows_libraries; /**< and to com.apple.security.cs.disable-library-validation */
};

/**
 * Read a file's headers, the load commands and signature of the slice that runs.
 * @own the kind that programs start as when a file has several: a process's children run as it does
 * itself (FT_CPU_ARM64 stands for the system's arm64e, too, which it prefers) What cannot be read
 * or makes no sense is no error: `cpu` is 0 then. Pure but for @read; async-signal-safe when @read
 * is; 1.5 KiB of stack.
 */
void ft_macho_inspect(ft_image_read *read, void *context, unsigned own, struct ft_macho *out);

#endif
