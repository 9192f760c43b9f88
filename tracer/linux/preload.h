/* SPDX-License-Identifier: MIT */
/*
 * The injected library's own parts. It lives inside foreign programs: no C library, no
 * allocation, no lock, no system call for an absolute path, small frames, errno kept.
 */
#ifndef TRACER_LINUX_PRELOAD_H
#define TRACER_LINUX_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "tracer/linux/syscalls.h"
#include "tracer/ops.h"
#include "tracer/preload_list.h"
#include "tracer/record.h"

#define EXPORT __attribute__((visibility("default")))

/*
 * The first touch of a page is what watching costs a short process. What every process runs and
 * writes lies together: START marks the functions; ROOM the large arrays, of which little or
 * nothing is used and which stand behind all small variables (-z sort-section).
 */
#define START __attribute__((hot))
#define ROOM __attribute__((section(".bss.room")))

/** The functions that are wrapped, in the order of calls.def. */
enum ft_function {
#define FT_CALL(op, type, failed, function, parameters, arguments, notes) FT_FN_##function,
#define FT_HAND(op, function) FT_FN_##function,
#define FT_HELPER(function) FT_FN_##function,
#include "tracer/calls.def"
    FT_FUNCTION_COUNT
};

/* preload_attach.c */

/** Where the C library keeps the kernel's restartable-sequence area of each thread, from the
 * thread's control block on; 0 where there is none. */
extern HIDDEN long ft_preload_rseq_offset;

/** The log, or NULL where this process is not watched. */
extern HIDDEN struct ft_log_head *ft_preload_log;

/** The FILETRACE variable's value as it was when this process attached. */
extern HIDDEN char ft_preload_env[96];

/** Path of this library, as LD_PRELOAD named it; empty when unknown. */
extern HIDDEN char ft_preload_path[FT_PATH_MAX];

/** This process's id, right after fork, vfork and clone too. */
HIDDEN uint32_t ft_preload_pid(void);

/** From now on records make no system call of their own: before a program allows itself only some,
 * and once a process has made a few records. */
HIDDEN void ft_preload_settle(void);

/** From now on other processes may run on this one's memory: each record asks for its pid. */
HIDDEN void ft_preload_memory_shared(void);

/** The pid of the vfork child that runs on this thread's memory; 0 for none. */
HIDDEN void ft_preload_set_vfork_pid(uint32_t pid);

/** Is this a vfork child? */
HIDDEN bool ft_preload_in_vfork(void);

/* preload_load.c */

/** ld.so may have loaded libraries that are not recorded yet. */
extern HIDDEN bool ft_preload_libraries_changed;

/** Record them. */
HIDDEN void ft_note_new_libraries(void);

/* preload_search.c */

/** Some object, or LD_LIBRARY_PATH, names folders in which ld.so looks for libraries. */
extern HIDDEN bool ft_preload_searches;

/** LD_PRELOAD's value while the start is recorded, NULL later. */
extern HIDDEN const char *ft_preload_start_list;

/** Keep LD_LIBRARY_PATH's value, as ld.so does: the program may change it. */
HIDDEN void ft_note_library_path(const char *value);

struct link_map;

/** Record where ld.so looked for this object, of its list from @first on, before it found it. */
HIDDEN void ft_note_search(const struct link_map *first, const struct link_map *object);

/** dlopen is about to look for a name without a folder, called from @caller. */
HIDDEN void ft_note_search_asked(const struct link_map *first, const char *name,
                                 const void *caller);

/** dlopen has come back. @added the objects since then, NULL: none */
HIDDEN void ft_note_search_ended(const struct link_map *first, const struct link_map *added);

/* preload_start.c */

/**
 * Record the start of this image: its name, and what ld.so has loaded.
 * @argv, @envp  as main has them
 * @preload      LD_PRELOAD's value, @library_path LD_LIBRARY_PATH's; NULL without
 */
HIDDEN void ft_note_start(char *const *argv, char *const *envp, const char *preload,
                          const char *library_path);

/** Is this address where exec has put arguments, environment and their strings? Such memory can be
 * read without asking. */
HIDDEN bool ft_memory_is_initial(const void *address);

/* preload_next.c */

/** The next definition of a wrapped function behind ours, as RTLD_NEXT; NULL when there is none. */
HIDDEN void *ft_next_find(enum ft_function function);

/** The wrapper of what dlsym(3) has @found by this name, where there is one and that is what it
 * calls; else @found. */
HIDDEN void *ft_next_wrapper(const char *name, void *found);

extern HIDDEN void *ft_next_found[FT_FUNCTION_COUNT];

/** The calling thread's errno; a place of ours where there is no C library. */
HIDDEN int *ft_errno_place(void);

/** errno of a call that has just failed, 0 of one that has not. */
static inline int ft_error_of(bool failed)
{
    return UNLIKELY(failed) ? *ft_errno_place() : 0;
}

/** What a wrapper does whose function no library behind ours defines: errno = ENOSYS. */
HIDDEN void ft_no_such_function(void);

static inline void *ft_next(enum ft_function function)
{
    void *found = __atomic_load_n(&ft_next_found[function], __ATOMIC_RELAXED);
    return LIKELY(found != NULL) ? found : ft_next_find(function);
}

/* preload_note.c */

/**
 * Record that @path was tried.
 * @error errno of the call, 0 when it succeeded
 * @dirfd folder that a relative path starts from, or AT_FDCWD
 * @path  as the program gave it; NULL is ignored
 * Makes no system call for an absolute path, nor for a relative one while the working
 * folder is known. Async-signal-safe; leaves errno alone.
 */
HIDDEN void ft_note_at(enum ft_op op, unsigned access, int error, int dirfd, const char *path);

/** Added to an error: the call has read its path whatever the error says. */
#define FT_PATH_WAS_READ 0x10000

/** As ft_note_at(), below a folder that is known by name. */
HIDDEN void ft_note_below(enum ft_op op, unsigned access, int error, const char *base,
                          uint32_t base_bytes, const char *path);

/**
 * The working folder's name into @out of FT_PATH_MAX bytes.
 * @return its length, 0 when it has none (deleted, out of reach)
 */
HIDDEN uint32_t ft_note_cwd(char *out);

/** Name of what @fd is open on, into @out of FT_PATH_MAX bytes, with a NUL. @return its length; 0:
 * unknown */
HIDDEN uint32_t ft_fd_path(int fd, char *out);

/** unshare(2) with these flags: with CLONE_FS threads no longer share a folder. */
HIDDEN void ft_note_folders_part(int flags);

/** clone(2) with these flags is about to be called. */
HIDDEN void ft_note_clone(uint64_t flags);

/** chroot(2) has come back. */
HIDDEN void ft_note_root_changed(int error, const char *path);

/** The trace is incomplete for this reason (enum ft_reason). @image NULL: nothing to name */
HIDDEN void ft_note_reason(unsigned reason, const char *image);

/** Record an access to what @fd is open on. */
HIDDEN void ft_note_fd(enum ft_op op, unsigned access, int error, int fd);

/**
 * As ft_note_at(), for an exec that is about to be tried.
 * @watched the new image will record its start; a trace without it is incomplete
 * @return the attempt's id
 */
HIDDEN uint16_t ft_note_attempt(enum ft_op op, int dirfd, const char *path, bool watched);

/** A child without an exec of its own has begun. */
HIDDEN void ft_note_fork(uint32_t child);

/** This process begins to be watched as this image, as exec named it. */
HIDDEN void ft_note_image(const char *path);

/** A child has been spawned from this image, which must record its start. */
HIDDEN void ft_note_expect(uint32_t child, const char *path);

/** The attempt of this id failed. */
HIDDEN void ft_note_failure(uint16_t id, int error);

/** The working folder may have changed: look again before the next relative path. */
HIDDEN void ft_note_cwd_changed(void);

/** Ask for the working folder now, before the program can remove it or lose sight of it. */
HIDDEN void ft_note_cwd_known(void);

/** Is it known, and does it stay so until it is changed? */
HIDDEN bool ft_note_cwd_is_kept(void);

/** May such a call change where its own path starts? Then that must be known before. */
static inline bool ft_op_moves_folders(enum ft_op op)
{
    switch (op) {
    case FT_OP_chdir:
    case FT_OP_chroot:
    case FT_OP_rmdir:
    case FT_OP_unlinkat:
    case FT_OP_remove:
    case FT_OP_rename:
    case FT_OP_renameat:
    case FT_OP_renameat2:
    case FT_OP_mount:
    case FT_OP_umount:
    case FT_OP_move_mount:
    case FT_OP_pivot_root:
        return true;
    default:
        return false;
    }
}

/** A vfork child has run on our memory and is gone. */
HIDDEN void ft_note_vfork_returned(void);

/** Copy memory that may not be there. @return false without all of it; where that cannot be told
 * the trace is incomplete */
HIDDEN bool ft_memory_read(const void *from, void *to, uint32_t size_bytes);

/** May the whole path be read, after a call that gave @error (EINVAL: one that tells nothing)? */
HIDDEN bool ft_path_readable(const char *path, int error);

/** Bytes before the NUL, at most @limit. */
HIDDEN uint32_t ft_length(const char *text, uint32_t limit);

#endif
