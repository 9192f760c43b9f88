/* SPDX-License-Identifier: MIT */
/* The one text that Windows passes to a program for its arguments. */
#include "common/command_line.h"

#include <errno.h>
#include <string.h>

/** Backslashes stand for themselves but right before a '"', the closing one among them. */
static void quote(const char *argument, struct buf *out)
{
    size_t backslashes = 0;

    buf_puts(out, "\"");
    for (const char *c = argument; *c; c++) {
        if (*c == '\\') {
            backslashes++;
        } else if (*c == '"') {
            for (size_t i = 0; i <= backslashes; i++)
                buf_puts(out, "\\");
            backslashes = 0;
        } else {
            backslashes = 0;
        }
        buf_append(out, c, 1);
    }
    for (size_t i = 0; i < backslashes; i++)
        buf_puts(out, "\\");
    buf_puts(out, "\"");
}

int command_line_join(const char *const *argv, struct buf *out)
{
    /* The program's own name knows no escape. */
    if (strchr(argv[0], '"'))
        return -EINVAL;
    buf_printf(out, "\"%s\"", argv[0]);
    for (size_t i = 1; argv[i]; i++) {
        buf_puts(out, " ");
        if (*argv[i] && !strpbrk(argv[i], " \t\n\v\""))
            buf_puts(out, argv[i]);
        else
            quote(argv[i], out);
    }
    return buf_status(out);
}
