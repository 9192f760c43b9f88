/* SPDX-License-Identifier: MIT */
/* What the kernel tells of another task, and its memory. */
#ifndef TRACER_LINUX_TASK_H
#define TRACER_LINUX_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "common/compiler.h"

#define FT_TASK_PATH_BYTES 64u

/** Write the name of a task's file in /proc ("exe") to @out, FT_TASK_PATH_BYTES. */
void ft_task_path(uint32_t tid, const char *name, char *out);

/** Open such a file. @return a descriptor, or a negative errno value */
MUST_USE int ft_task_open(uint32_t tid, const char *name, int flags);

/** Does a process still run? A zombie does not. */
bool ft_task_is_running(uint32_t pid);

/** Is it the only thread of its process? The process has its number then. */
bool ft_task_is_alone(uint32_t tid);

/** What /proc/TID/status says. */
struct ft_task_status {
    uint32_t pid, threads;
    unsigned long filters; /**< 0: the kernel does not say (before 5.9) */
    bool is_renumbered;    /**< the process has numbers in more than one name space */
    bool gains_nothing;    /**< no_new_privs: an exec does not gain what the image's mode gives */
};

/** @return 0, or a negative errno value */
MUST_USE int ft_task_status(uint32_t tid, struct ft_task_status *out);

/**
 * Where a position-independent image has been loaded, against where it is linked.
 * @entry as linked
 * @return 0, or a negative errno value
 */
MUST_USE int ft_task_shift(uint32_t tid, uint64_t entry, uint64_t *out);

/** A word of its memory. @return whether it could be read */
bool ft_task_word(uint32_t tid, uint64_t address, uint64_t *out);

/** All of it, through an open /proc/TID/mem. @return 0, or a negative errno value */
MUST_USE int ft_memory_read(int memory, void *to, size_t size_bytes, uint64_t address);
MUST_USE int ft_memory_write(int memory, const void *from, size_t size_bytes, uint64_t address);

#endif
