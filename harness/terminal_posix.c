/* SPDX-License-Identifier: MIT */
/* Terminals, from isatty(3) and TIOCGWINSZ. */
#include "harness/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#define DEFAULT_COLUMNS 80

size_t tt_terminal_columns(FILE *stream)
{
    struct winsize size;
    int fd = fileno(stream);

    if (isatty(fd) != 1)
        return 0;
    return !ioctl(fd, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : DEFAULT_COLUMNS;
}
