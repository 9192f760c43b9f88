/* SPDX-License-Identifier: MIT */
/*
 * The interposed library's own parts. It lives inside foreign programs: no allocation, no lock,
 * errno kept. It is linked with libSystem, whose plain names reach the originals: dyld leaves the
 * calls of an interposing image alone.
 */
#ifndef TRACER_MACOS_INTERPOSE_H
#define TRACER_MACOS_INTERPOSE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "tracer/library.h"
#include "tracer/macos/attach.h"
#include "tracer/macos/plan.h"
#include "tracer/ops.h"
#include "tracer/preload_list.h"
#include "tracer/record.h"

/* As macOS's <paths.h> has them, which not every tool-chain brings. */
#define FT_DEFAULT_FOLDERS "/usr/bin:/bin"
#define FT_SYSTEM_SHELL "/bin/sh"
#define FT_TEMPORARY_FOLDER "/tmp/"

/** What dyld reads: a pair for each function, ours and the one whose callers get it
 * (<mach-o/dyld-interposing.h>). */
struct ft_interposed {
    const void *ours, *original;
};

/** Declares ft_real_NAME(), the original, and puts ft_our_NAME() in its place. */
#define FT_ORIGINAL(type, name, parameters) extern type ft_real_##name parameters __asm("_" #name)
#define FT_INTERPOSE(name)                                                                         \
    __attribute__((                                                                                \
        used,                                                                                      \
        section("__DATA,__interpose"))) static const struct ft_interposed interposed_##name = {    \
        (const void *)(uintptr_t)&ft_our_##name, (const void *)(uintptr_t)&ft_real_##name}

/** On Intel's processors also the function's newer name, with inode numbers of 64 bits. */
#if defined(__x86_64__)
#define FT_IF_INODE64(...) __VA_ARGS__
#else
#define FT_IF_INODE64(...)
#endif

/* interpose_attach.c */

/** The log, or NULL where this process is not watched. */
extern HIDDEN struct ft_log_head *ft_preload_log;

/** How the tracer wants this run. */
struct ft_interpose_run {
    struct ft_plan_options plan; /**< its shell stands below */
    char attach[FT_ATTACH_MAX];  /**< our variable, whole */
    char shell[FT_IMAGE_PATH_MAX];
    char library[FT_IMAGE_PATH_MAX]; /**< path of this library */
};
extern HIDDEN struct ft_interpose_run ft_interpose_run;

/* interpose_note.c; as tracer/linux/preload.h describes them */

HIDDEN void ft_note_at(enum ft_op op, unsigned access, int error, int dirfd, const char *path);
HIDDEN void ft_note_below(enum ft_op op, unsigned access, int error, const char *base,
                          uint32_t base_bytes, const char *path);
HIDDEN void ft_note_fd(enum ft_op op, unsigned access, int error, int fd);
HIDDEN void ft_note_reason(unsigned reason, const char *image);
HIDDEN uint16_t ft_note_attempt(enum ft_op op, const char *path, bool watched);
HIDDEN void ft_note_failure(uint16_t id, int error);
HIDDEN void ft_note_image(const char *path);
HIDDEN void ft_note_expect(uint32_t child, const char *path);
HIDDEN void ft_note_fork(uint32_t child);
HIDDEN void ft_note_cwd_changed(void);
HIDDEN void ft_note_root_changed(int error, const char *path);
HIDDEN uint32_t ft_note_cwd(char *out);
HIDDEN bool ft_path_readable(const char *path, int error);
HIDDEN bool ft_memory_read(const void *from, void *to, uint32_t size_bytes);

/** chdir(2) and its like have come back. */
HIDDEN void ft_note_moved(int error);

/** A thread has a folder of its own from now on: none is kept any more. */
HIDDEN void ft_note_parted(int error);

/** Added to an error: the call has read its path whatever the error says. */
#define FT_PATH_WAS_READ 0x10000

/** errno of a call that has just failed, 0 of one that has not. */
static inline int ft_error_of(bool failed)
{
    return UNLIKELY(failed) ? errno : 0;
}

/** Access of an open with these flags; creating and cutting are changes. */
HIDDEN unsigned ft_flags_access(int flags);

/** Access of a stream's mode. */
HIDDEN unsigned ft_mode_access(const char *mode);

#endif
