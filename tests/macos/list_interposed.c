/* SPDX-License-Identifier: MIT */
/* For scripts/check-macos.sh: what the tables say is interposed, as symbols, for one kind of
 * processor. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tracer/macos/shared.h"

/** A symbol, and where it is. */
struct symbol {
    const char *name;
    bool arm64, x86_64;
};

static const struct symbol symbols[] = {
#define FT_CALL(op, type, failed, function, parameters, arguments, notes)                          \
    FT_IF_ON_MACOS(function, {"_" #function, true, true}, )
#include "tracer/calls.def"
#define FT_CALL(op, type, failed, function, parameters, arguments, notes)                          \
    {"_" #function, true, true},
#define FT_CALL_INODE64(op, type, failed, function, parameters, arguments, notes)                  \
    {"_" #function "$INODE64", false, true},
#define FT_HAND(op, function) {"_" #function, true, true},
#define FT_HAND_INODE64(op, function) {"_" #function "$INODE64", false, true},
#define FT_HAND_NEWEST(op, function)                                                               \
    {"_" #function, true, false}, {"_" #function "$INODE64", false, true},
#include "tracer/macos/calls.def"
};

int main(int argc, char **argv)
{
    bool intel = argc == 2 && !strcmp(argv[1], "x86_64");
    if (argc != 2 || (!intel && strcmp(argv[1], "arm64") != 0)) {
        fputs("usage: list_interposed arm64|x86_64\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++)
        if (intel ? symbols[i].x86_64 : symbols[i].arm64)
            puts(symbols[i].name);
    return fflush(stdout) || ferror(stdout);
}
