/* SPDX-License-Identifier: MIT */
/* Which calls of the table are not recorded from inside a static program. */
#ifndef TRACER_LINUX_PAYLOAD_CALLS_H
#define TRACER_LINUX_PAYLOAD_CALLS_H

#include <asm/unistd.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * What a call changes may be what its path has to be read by (the working folder's name, the
 * root), or the tracer has to know of it: such a call is left to the notification, which comes
 * before it. Two more have a path with some commands only. None of these is frequent.
 */
#define FT_PAYLOAD_LEAVES(EACH)                                                                    \
    EACH(execve)                                                                                   \
    EACH(execveat)                                                                                 \
    EACH(io_uring_setup)                                                                           \
    EACH(chdir)                                                                                    \
    EACH(chroot)                                                                                   \
    EACH(pivot_root)                                                                               \
    EACH(mount)                                                                                    \
    EACH(umount2)                                                                                  \
    EACH(move_mount)                                                                               \
    EACH(fsconfig)                                                                                 \
    EACH(bpf)                                                                                      \
    EACH(rmdir)                                                                                    \
    EACH(rename)                                                                                   \
    EACH(renameat)                                                                                 \
    EACH(renameat2)

static inline bool ft_payload_leaves(uint32_t number)
{
    switch (number) {
#define FT_PAYLOAD_CASE(name) case __NR_##name:
        FT_PAYLOAD_LEAVES(FT_PAYLOAD_CASE)
#undef FT_PAYLOAD_CASE
        return true;
    default:
        return false;
    }
}

#endif
