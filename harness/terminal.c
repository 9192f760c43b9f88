/* SPDX-License-Identifier: MIT */
/* How to write to standard output. */
#include "harness/terminal.h"

#include <stdlib.h>
#include <string.h>

struct tt_show_options tt_terminal_options(void)
{
    struct tt_show_options options = {.width = tt_terminal_columns(stdout)};
    if (!options.width)
        return options;
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    options.color = !(no_color && *no_color) && !(term && !strcmp(term, "dumb"));
    return options;
}
