/* SPDX-License-Identifier: MIT */
/* The environment that makes ld.so load our library, and none other of ours. */
#ifndef TRACER_LINUX_ENVIRONMENT_H
#define TRACER_LINUX_ENVIRONMENT_H

#include "common/compiler.h"
#include "tracer/library.h"
#include "tracer/record.h"

struct ft_environment {
    char **entries; /**< NULL-terminated; owned, the strings are borrowed but for two */
    char *attach;   /**< owned: FILETRACE=... */
    char *preload;  /**< owned: LD_PRELOAD=... */
};

/**
 * A command's environment.
 * @envp    what the user gave; the strings must outlive the result
 * @library to be loaded first, before those of the user's LD_PRELOAD; NULL: none, and an
 *          entry of an outer filetrace is taken out
 * @log_fd, @request_fd descriptors of this process that a watched one opens through /proc
 * @return 0 or -ENOMEM
 */
MUST_USE int ft_environment_make(char *const *envp, const char *library,
                                 const struct ft_log_head *log, int log_fd, int request_fd,
                                 struct ft_environment *out);

void ft_environment_fini(struct ft_environment *environment);

#endif
