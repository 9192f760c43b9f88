/* SPDX-License-Identifier: MIT */
/* The names of operations. */
#include "tracer/ops.h"

#include "common/compiler.h"

static const char *const names[] = {
    "unknown",
#define FT_OP(name) #name,
#include "tracer/calls.def"
#define FT_OP(name) #name,
#include "tracer/windows/calls.def"
#define FT_OP(name) #name,
#include "tracer/macos/calls.def"
};

const char *ft_op_name(unsigned op)
{
    return names[op < ARRAY_LEN(names) ? op : 0];
}
