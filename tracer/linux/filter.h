/* SPDX-License-Identifier: MIT */
/* The seccomp filter that notifies the tracer of every call on a path. */
#ifndef TRACER_LINUX_FILTER_H
#define TRACER_LINUX_FILTER_H

#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>

#include "tracer/linux/syscalls.h"

/* Part of the injected library too: no C library behind this. */

#define FT_FILTER_MAX 320 /**< instructions */

/**
 * A process asks prctl(FT_FILTER_PROBE) whether our filter is on it: the filter answers
 * with this error, a kernel without it with EINVAL.
 */
#define FT_FILTER_PROBE 0x46545243 /* "FTRC" */
#define FT_FILTER_PROBE_ERROR 18   /* EXDEV, which prctl(2) never gives */

/** What a filter does besides notifying the tracer of calls on paths. */
enum ft_filter_kind {
    FT_FILTER_PLAIN,
    /** Lets calls from the payload's text pass, parks new images (arch_prctl with ARCH_SET_FS),
     * and notifies of what decides how the payload must work (linux/inject.h). x86-64 only. */
    FT_FILTER_INJECT,
};

/**
 * Write the filter for a kernel of this machine: its own calls and, on x86-64, those of i386
 * and x32. Any other architecture's calls are allowed, never killed.
 * @kernel FT_MACHINE_X86_64 or FT_MACHINE_AARCH64
 * @action what to answer for a call on a path (SECCOMP_RET_USER_NOTIF, SECCOMP_RET_TRACE)
 * @out    room for FT_FILTER_MAX instructions
 * @return their number. Pure.
 */
size_t ft_filter_build(enum ft_machine kernel, uint32_t action, enum ft_filter_kind kind,
                       struct sock_filter *out);

/**
 * Put the filter on the calling thread and what it starts, setting no_new_privs only
 * where the kernel asks for it.
 * @action as for ft_filter_build()
 * @return with SECCOMP_RET_USER_NOTIF the listener's descriptor, close-on-exec; else 0; -EBUSY (an
 * ancestor holds one), -EINVAL or -ENOSYS (not in this kernel), -EACCES, ... Async-signal-safe.
 */
int ft_filter_install(uint32_t action, enum ft_filter_kind kind);

#endif
