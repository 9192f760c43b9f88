/* SPDX-License-Identifier: MIT */
/* Prints the tables that docs and libraries are compared with: a word and a name on each line. */
#include <stdio.h>

#include "tracer/image.h"

int main(void)
{
#define FT_OP(name) puts("op " #name);
#define FT_CALL(op, type, failed, function, parameters, arguments, notes)                          \
    puts("wrapped " #function);
#define FT_HAND(op, function) puts("wrapped " #function);
#define FT_HELPER(function) puts("helper " #function);
#include "tracer/calls.def"
#define FT_OP(name) puts("macos-op " #name);
#include "tracer/macos/calls.def"
    for (unsigned reason = 1; reason < FT_REASON_COUNT; reason++)
        printf("reason %s\n", ft_reason_name(reason));
    return fflush(stdout) ? 1 : 0;
}
