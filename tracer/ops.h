/* SPDX-License-Identifier: MIT */
/* The names of what a program can try on a path: one for all twins of a call. */
#ifndef TRACER_OPS_H
#define TRACER_OPS_H

/** Operations of every system, in the order of the tables. Numbers are written to raw traces with a
 * table of their names, so that a later version may change them. */
enum ft_op {
    FT_OP_NONE,
#define FT_OP(name) FT_OP_##name,
#include "tracer/calls.def"
#define FT_OP(name) FT_OP_##name,
#include "tracer/windows/calls.def"
#define FT_OP(name) FT_OP_##name,
#include "tracer/macos/calls.def"
    FT_OP_COUNT
};

/** Name of an operation ("openat"); "unknown" for a number outside the table. */
const char *ft_op_name(unsigned op);

#endif
