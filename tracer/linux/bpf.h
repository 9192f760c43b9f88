/* SPDX-License-Identifier: MIT */
/* What a seccomp filter answers to a call, without making it. */
#ifndef TRACER_LINUX_BPF_H
#define TRACER_LINUX_BPF_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>

/* Part of the injected library too: no C library behind this. */

/**
 * Run a filter as the kernel does: classic BPF, in the subset that seccomp(2) allows.
 * @code readable
 * @return its answer; SECCOMP_RET_KILL_PROCESS for what the kernel would not have taken. Pure.
 */
uint32_t ft_bpf_run(const struct sock_filter *code, uint32_t count,
                    const struct seccomp_data *data);

#endif
