/* SPDX-License-Identifier: MIT */
/* What the workload's commands do. Each prints its own failure, in one line. */
#ifndef WORKLOAD_COMMANDS_H
#define WORKLOAD_COMMANDS_H

#include "common/compiler.h"

#include "operations.h"

/** Make what the plan's operation needs; what is there already is left. @return 0 or 1 */
int wl_command_prepare(const struct wl_plan *plan);

/** Do the operations. @return 0, or 1 when a single one of them failed */
int wl_command_run(const struct wl_plan *plan);

/** Print each path that a watcher of the run must have seen. @return 0 or 1 */
int wl_command_paths(const struct wl_plan *plan);

/** Print the table of operations. @return 0 or 1 */
int wl_command_operations(void);

/** Print "workload: ..." in one line, control characters replaced by '?'. */
void wl_complain(const char *format, ...) PRINTF_LIKE(1, 2);

/** Flush standard output. @return 0, or 1 with a complaint when something was not written */
int wl_finish_output(void);

#endif
