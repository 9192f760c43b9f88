/* SPDX-License-Identifier: MIT */
/* Starting the root command on Windows. */
#ifndef TRACER_WINDOWS_LAUNCH_H
#define TRACER_WINDOWS_LAUNCH_H

#include <windows.h>

#include "common/compiler.h"

/**
 * Start a program; its first thread waits for ResumeThread(). It inherits what this process's
 * own children would.
 * @path  its file
 * @argv  NULL-terminated; quoted as Microsoft's C run-time takes a line apart
 * @envp  NULL-terminated; NULL: this process's own
 * @out   handles for the caller to close; zeroed on failure
 * @return 0, -ENOENT, -EACCES, -ENOEXEC, ... (CreateProcess), -ENAMETOOLONG (its line would be
 *         longer than the system takes), -EILSEQ (an argument is not WTF-8), -ENOMEM
 */
MUST_USE int ft_launch_suspended(const char *path, char *const *argv, char *const *envp,
                                 PROCESS_INFORMATION *out);

#endif
