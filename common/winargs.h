/* SPDX-License-Identifier: MIT */
/* Command lines of Windows: one string, from which each program takes its arguments itself. */
#ifndef COMMON_WINARGS_H
#define COMMON_WINARGS_H

#include "common/buf.h"

/**
 * Append one argument, so that CommandLineToArgvW() and the C run-time's start give it back
 * unchanged; behind a space unless it is the first. Not for cmd.exe, which has rules of its own.
 * The first argument, the program's name, knows no escape: it must hold no '"'.
 * @return as buf_status(). Pure but for the memory.
 */
int winargs_append(struct buf *line, const char *argument);

#endif
