/* SPDX-License-Identifier: MIT */
/* What each rule says about a call's arguments, as data. */
#ifndef TRACER_LINUX_RULES_H
#define TRACER_LINUX_RULES_H

#include <stdint.h>

#include "tracer/linux/syscalls.h"

/* Part of the payload too: no C library behind this. */

/** How the access of a path is told. */
enum ft_rule_access {
    FT_RULE_NO_PATH, /**< there is none */
    FT_RULE_IS_READ,
    FT_RULE_IS_WRITE,
    FT_RULE_IS_LIST,  /**< of the descriptor at `folder` itself */
    FT_RULE_BY_FLAGS, /**< the argument behind the path: flags of open(2) */
    FT_RULE_BY_HOW,   /**< the argument behind the path: struct open_how */
};

#define FT_RULE_CWD 7u /**< as `folder`: the working folder */

/** Of one path: its access, the place of its folder's descriptor and its own. */
struct ft_rule_path {
    uint8_t access, folder, path;
};

#define FT_RULE_PATHS 2

/** By enum ft_rule; calls that need more than a table have none. */
static const struct ft_rule_path ft_rule_paths[][FT_RULE_PATHS] = {
    [FT_RULE_OPEN] = {{FT_RULE_BY_FLAGS, FT_RULE_CWD, 0}},
    [FT_RULE_OPENAT] = {{FT_RULE_BY_FLAGS, 0, 1}},
    [FT_RULE_OPENAT2] = {{FT_RULE_BY_HOW, 0, 1}},
    [FT_RULE_READ_0] = {{FT_RULE_IS_READ, FT_RULE_CWD, 0}},
    [FT_RULE_READ_1] = {{FT_RULE_IS_READ, FT_RULE_CWD, 1}},
    [FT_RULE_READ_AT] = {{FT_RULE_IS_READ, 0, 1}},
    [FT_RULE_READ_AT_3] = {{FT_RULE_IS_READ, 3, 4}},
    [FT_RULE_READ_AT_4] = {{FT_RULE_IS_READ, 4, 5}},
    [FT_RULE_WRITE_0] = {{FT_RULE_IS_WRITE, FT_RULE_CWD, 0}},
    [FT_RULE_WRITE_1] = {{FT_RULE_IS_WRITE, FT_RULE_CWD, 1}},
    [FT_RULE_WRITE_AT] = {{FT_RULE_IS_WRITE, 0, 1}},
    [FT_RULE_WRITE_AT_1] = {{FT_RULE_IS_WRITE, 1, 2}},
    [FT_RULE_LINK] = {{FT_RULE_IS_READ, FT_RULE_CWD, 0}, {FT_RULE_IS_WRITE, FT_RULE_CWD, 1}},
    [FT_RULE_LINKAT] = {{FT_RULE_IS_READ, 0, 1}, {FT_RULE_IS_WRITE, 2, 3}},
    [FT_RULE_RENAME] = {{FT_RULE_IS_WRITE, FT_RULE_CWD, 0}, {FT_RULE_IS_WRITE, FT_RULE_CWD, 1}},
    [FT_RULE_RENAMEAT] = {{FT_RULE_IS_WRITE, 0, 1}, {FT_RULE_IS_WRITE, 2, 3}},
    [FT_RULE_LIST_FD] = {{FT_RULE_IS_LIST, 0, 0}},
    [FT_RULE_EXEC] = {{FT_RULE_NO_PATH, 0, 0}},
    [FT_RULE_EXECAT] = {{FT_RULE_NO_PATH, 0, 0}},
    [FT_RULE_IO_URING] = {{FT_RULE_NO_PATH, 0, 0}},
    [FT_RULE_MOUNT_OPTION] = {{FT_RULE_NO_PATH, 0, 0}},
    [FT_RULE_BPF] = {{FT_RULE_NO_PATH, 0, 0}},
};

#endif
