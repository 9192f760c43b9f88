/* SPDX-License-Identifier: MIT */
/* Fills struct err. */
#include "common/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

    for (char *c = err->text; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    }
    err->code = code;
    return code;
}

const char *err_text(int code)
{
    return strerror(code < 0 ? -code : code);
}
