/* SPDX-License-Identifier: MIT */
/* The system calls that take a path: their numbers, and which arguments name what. */
#ifndef TRACER_LINUX_SYSCALLS_H
#define TRACER_LINUX_SYSCALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracer/record.h"

/* Part of the injected library too: no C library behind this. */

/** Which arguments of a call name what. A number is the place of the first path. */
enum ft_rule {
    FT_RULE_OPEN,      /**< path, flags */
    FT_RULE_OPENAT,    /**< dirfd, path, flags */
    FT_RULE_OPENAT2,   /**< dirfd, path, struct open_how */
    FT_RULE_READ_0,    /**< path */
    FT_RULE_READ_1,    /**< -, path */
    FT_RULE_READ_AT,   /**< dirfd, path */
    FT_RULE_READ_AT_3, /**< -, -, -, dirfd, path */
    FT_RULE_READ_AT_4,
    FT_RULE_WRITE_0,
    FT_RULE_WRITE_1,
    FT_RULE_WRITE_AT,
    FT_RULE_WRITE_AT_1, /**< -, dirfd, path */
    FT_RULE_LINK,       /**< path read, path written */
    FT_RULE_LINKAT,     /**< dirfd, path read, dirfd, path written */
    FT_RULE_RENAME,     /**< path written, path written */
    FT_RULE_RENAMEAT,
    FT_RULE_LIST_FD,      /**< descriptor whose folder is listed */
    FT_RULE_EXEC,         /**< path, argv, envp */
    FT_RULE_EXECAT,       /**< dirfd, path, argv, envp, flags */
    FT_RULE_IO_URING,     /**< no path: what it sets up opens paths unseen */
    FT_RULE_MOUNT_OPTION, /**< -, command, -, path, dirfd: fsconfig(2); some commands have a path */
    FT_RULE_BPF,          /**< command, union bpf_attr; two commands have a path there */
};

/** Machines that a filter knows. */
enum ft_machine { FT_MACHINE_X86_64, FT_MACHINE_I386, FT_MACHINE_AARCH64, FT_MACHINE_COUNT };

/** The machine that this is compiled for. */
#if defined(__x86_64__)
#define FT_MACHINE_OWN FT_MACHINE_X86_64
#elif defined(__aarch64__)
#define FT_MACHINE_OWN FT_MACHINE_AARCH64
#endif

struct ft_syscall {
    uint16_t op;                      /**< enum ft_op */
    uint8_t rule;                     /**< enum ft_rule */
    bool is_rare;                     /**< FT_KERNEL_RARE */
    int16_t number[FT_MACHINE_COUNT]; /**< -1: this machine does not have it */
};

/**
 * Access of an open with these flags (of the kernel's: the C libraries' own masks differ);
 * creating and cutting are changes.
 */
static inline unsigned ft_flags_access(uint64_t flags)
{
    unsigned mode = (unsigned)flags & 3; /* O_ACCMODE */
    unsigned access = mode == 0 ? FT_READ : mode == 1 ? FT_WRITE : FT_READ | FT_WRITE;
    return flags & (0100 | 01000) /* O_CREAT | O_TRUNC */ ? access | FT_WRITE : access;
}

/** Which commands of calls with several have a path. */
#define FT_FSCONFIG_SET_PATH 3u
#define FT_FSCONFIG_SET_PATH_EMPTY 4u
#define FT_BPF_OBJ_PIN 6u
#define FT_BPF_OBJ_GET 7u

/** The head of union bpf_attr, for these two. */
struct ft_bpf_object {
    uint64_t path;
    uint32_t fd, flags;
    int32_t folder; /**< since Linux 6.5, where the flags say so */
};

static inline int ft_bpf_folder(const struct ft_bpf_object *object)
{
    return object->flags & (1u << 14) /* BPF_F_PATH_FD */ ? object->folder : -100 /* AT_FDCWD */;
}

extern const struct ft_syscall ft_syscalls[] __attribute__((visibility("hidden")));
extern const size_t ft_syscalls_count __attribute__((visibility("hidden")));

#endif
