/* SPDX-License-Identifier: MIT */
/* What a notified system call is about to try, read out of the calling process. */
#ifndef TRACER_LINUX_NOTIFIED_H
#define TRACER_LINUX_NOTIFIED_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracer/linux/notified_exec.h"
#include "tracer/log.h"

#define FT_NOTIFIED_TIDS 1024u

/** One path of a call. */
struct ft_notified_path {
    unsigned access;
    size_t base_bytes, path_bytes;
    char base[FT_PATH_MAX], path[FT_PATH_MAX];
};

/** The accesses of the call that was read last. Zeroed: ready. */
struct ft_notified {
    uint32_t pid; /**< process of the calling thread */
    unsigned op;
    unsigned count;   /**< of paths, 0 to 2 */
    unsigned unknown; /**< of paths that could not be read */
    unsigned reason;  /**< enum ft_reason: the call makes the trace incomplete */
    struct ft_notified_path paths[2];
    struct ft_notified_exec exec; /**< its `count` is 0 for other calls */
    size_t cwd_bytes;             /**< for relative paths there */
    char cwd[FT_PATH_MAX];
    struct {
        uint32_t tid, pid;
        uint64_t checked_ns;
    } tids[FT_NOTIFIED_TIDS]; /**< which process a thread belongs to, as last seen */
};

/**
 * Read the paths of the call. The task may be gone: then what is read means nothing, which the
 * answer to the notification tells.
 * @return false for a call that is not in the table
 */
bool ft_notified_read(struct ft_notified *out, const struct seccomp_notif *notification);

/** Is the call to fail with ENOSYS instead of being let on? */
bool ft_notified_is_denied(const struct ft_notified *notified, const struct ft_log *log);

/** Record what was read. @error errno value, 0, or FT_ERROR_UNKNOWN */
void ft_notified_commit(const struct ft_notified *notified, unsigned error, struct ft_log *log);

#endif
