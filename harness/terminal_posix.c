/* SPDX-License-Identifier: MIT */
/* What standard output is. */
#include "harness/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct tt_show_options tt_terminal_options(void)
{
    struct tt_show_options options = {0};
    if (!isatty(STDOUT_FILENO))
        return options;

    struct winsize size;
    bool known = !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col;
    options.width = known ? size.ws_col : 80;

    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    options.color = !(no_color && *no_color) && !(term && !strcmp(term, "dumb"));
    return options;
}
