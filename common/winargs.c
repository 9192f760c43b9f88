/* SPDX-License-Identifier: MIT */
/* Command lines of Windows: one string, from which each program takes its arguments itself. */
#include "common/winargs.h"

#include <string.h>

static void append_backslashes(struct buf *line, size_t count)
{
    while (count--)
        (void)buf_append(line, "\\", 1);
}

int winargs_append(struct buf *line, const char *argument)
{
    if (line->size_bytes)
        (void)buf_append(line, " ", 1);
    if (*argument && !strpbrk(argument, " \t\n\v\""))
        return buf_puts(line, argument);
    /* learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments: backslashes are
     * doubled where a quote follows, and nowhere else. */
    (void)buf_append(line, "\"", 1);
    for (const char *c = argument;; c++) {
        size_t count = strspn(c, "\\");
        c += count;
        if (!*c) {
            append_backslashes(line, 2 * count);
            break;
        }
        append_backslashes(line, *c == '"' ? 2 * count + 1 : count);
        (void)buf_append(line, c, 1);
    }
    return buf_append(line, "\"", 1);
}
