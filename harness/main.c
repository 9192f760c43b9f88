/* SPDX-License-Identifier: MIT */
/* tracetax: hands over to a sub-command. */
#include <stdio.h>
#include <string.h>

#include "common/compiler.h"
#include "harness/commands.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"compare", tt_cmd_compare},
    {"show", tt_cmd_show},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < ARRAY_LEN(commands); i++) {
        if (!strcmp(argv[1], commands[i].name))
            return commands[i].run(argc - 1, argv + 1);
    }
    fprintf(stderr, "tracetax: wrong usage: tracetax compare | show\n");
    return TT_EXIT_USAGE;
}
