/* SPDX-License-Identifier: MIT */
/* The one text that Windows passes to a program for its arguments. */
#ifndef COMMON_COMMAND_LINE_H
#define COMMON_COMMAND_LINE_H

#include "common/buf.h"
#include "common/compiler.h"

/**
 * Join arguments so that a program of Microsoft's C runtime, or CommandLineToArgvW, splits them
 * into the same again (learn.microsoft.com, "Parsing C command-line arguments").
 * @argv NULL-terminated; argv[0] may not hold '"'
 * @return as buf_status(@out), or -EINVAL for such an argv[0]. Pure.
 */
MUST_USE int command_line_join(const char *const *argv, struct buf *out);

#endif
