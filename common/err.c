/* SPDX-License-Identifier: MIT */
/* Fills struct err. */
#include "common/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/** Replace control characters: of ASCII, and U+0080 to U+009F, which terminals obey too. */
static void make_harmless(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c; c++) {
        if (*c < 0x20 || *c == 0x7f)
            *c = '?';
        else if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f)
            c[0] = c[1] = '?';
    }
}

/** Put a space into each "##[", which GitHub's runner takes for a command anywhere in a line; what
 * then finds no room is cut. */
static void part_commands(char text[ERR_TEXT_SIZE])
{
    for (char *at = text; (at = strstr(at, "##[")); at += 2) {
        size_t room = ERR_TEXT_SIZE - (size_t)(at + 2 - text) - 1;
        size_t rest = strnlen(at + 1, room);
        memmove(at + 2, at + 1, rest);
        at[2 + rest] = '\0';
        at[1] = ' ';
    }
}

int err_set(struct err *err, int code, const char *format, ...)
{
    if (!err)
        return code;

    va_list args;
    va_start(args, format);
    int n = vsnprintf(err->text, sizeof(err->text), format, args);
    va_end(args);
    if (n < 0)
        err->text[0] = '\0';

    make_harmless(err->text);
    part_commands(err->text);
    err->code = code;
    return code;
}

const char *err_text(int code)
{
    return strerror(code < 0 ? -code : code);
}
