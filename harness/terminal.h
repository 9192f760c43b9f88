/* SPDX-License-Identifier: MIT */
/* What standard output is. */
#ifndef HARNESS_TERMINAL_H
#define HARNESS_TERMINAL_H

#include <stdio.h>

#include "harness/show.h"

/**
 * How to write to standard output: its width when it is a terminal (80 when the terminal does
 * not say), and colour on a terminal unless NO_COLOR is set (no-color.org: to anything but an
 * empty text) or TERM is "dumb".
 */
struct tt_show_options tt_terminal_options(void);

/** Columns of the terminal that a stream is; 80 where it does not say, 0 when it is none. */
size_t tt_terminal_columns(FILE *stream);

#endif
