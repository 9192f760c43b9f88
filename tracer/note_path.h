/* SPDX-License-Identifier: MIT */
/*
 * What every injected library needs to know of a path before it records it: may it be read, and in
 * which folder does it start? To be included by the one file that records, after it has declared
 *
 *   static uint32_t ask_cwd(char *out, uint32_t room_bytes)   the working folder's name; its
 * length, 0 for none bool ft_memory_read(const void *, void *, uint32_t)       copy memory that may
 * not be there bool ft_preload_in_vfork(void)                            is this a vfork child, on
 * its parent's memory?
 */
#ifndef TRACER_NOTE_PATH_H
#define TRACER_NOTE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef EFAULT
#error "include the system's errno.h first"
#endif

#ifndef START
#define START /* where a system keeps together what each process runs as it starts */
#endif

#define FT_NOTE_SHORT_BYTES 256u

bool ft_path_readable(const char *path, int error)
{
    if (!path || error == EFAULT)
        return false;
    if (LIKELY(error != EINVAL && error != EBADF && error != ENOSYS && error != ENOMEM))
        return true;
    /* The kernel may have given up before it looked at the path: look without a fault. */
    char part[FT_NOTE_SHORT_BYTES];
    for (uint32_t done = 0; done < FT_PATH_MAX;) {
        uint32_t size = sizeof(part) - (uint32_t)((uintptr_t)(path + done) % sizeof(part));
        if (!ft_memory_read(path + done, part, size))
            return false;
        for (uint32_t i = 0; i < size; i++)
            if (!part[i])
                return true;
        done += size;
    }
    return true;
}

/** May the path be read after a call that ended so? */
static inline bool readable_after(const char *path, int error)
{
    if (LIKELY(error == 0))
        return path != NULL;
    if (error & FT_PATH_WAS_READ)
        return path && (error & ~FT_PATH_WAS_READ) != EFAULT;
    return ft_path_readable(path, error);
}

/*
 * The working folder, so that a relative path costs no system call. Two places and a
 * count of changes: even, it is known and in place count / 2 % 2; odd, it is not. A
 * reader copies and then checks that the count is still the same.
 */
static struct {
    uint32_t length; /* 0: unknown, or too long to keep: then each access asks */
    char path[FT_NOTE_SHORT_BYTES];
} cwd_place[2];
static uint32_t cwd_count = 1;
static bool cwd_changed_by_vfork;

void ft_note_cwd_changed(void)
{
    if (ft_preload_in_vfork())
        cwd_changed_by_vfork = true; /* its folder, told to its parent's memory */
    uint32_t count = __atomic_load_n(&cwd_count, __ATOMIC_RELAXED);
    /* To the other place when it was known; away from a refresh under way when it was not. */
    __atomic_store_n(&cwd_count, count + (count & 1u ? 2 : 1), __ATOMIC_RELEASE);
}

/** Ask the kernel, and keep the answer if nobody changed folders meanwhile. */
START static __attribute__((noinline)) void cwd_refresh(void)
{
    uint32_t count = __atomic_load_n(&cwd_count, __ATOMIC_ACQUIRE);
    if (!(count & 1u))
        return;
    uint32_t place = (count + 1) / 2 % 2;
    cwd_place[place].length = ask_cwd(cwd_place[place].path, sizeof(cwd_place[place].path));
    __atomic_compare_exchange_n(&cwd_count, &count, count + 1, false, __ATOMIC_RELEASE,
                                __ATOMIC_RELAXED);
}

#endif
