/* SPDX-License-Identifier: MIT */
/* The system calls that take a path. */
#include "tracer/linux/syscalls.h"

#include "tracer/ops.h"

const struct ft_syscall ft_syscalls[] = {
#define FT_KERNEL(op, rule, x86_64, i386, aarch64)                                                 \
    {FT_OP_##op, FT_RULE_##rule, false, {x86_64, i386, aarch64}},
#define FT_KERNEL_RARE(op, rule, x86_64, i386, aarch64)                                            \
    {FT_OP_##op, FT_RULE_##rule, true, {x86_64, i386, aarch64}},
#include "tracer/calls.def"
};

const size_t ft_syscalls_count = sizeof(ft_syscalls) / sizeof(ft_syscalls[0]);
