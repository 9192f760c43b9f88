/* SPDX-License-Identifier: MIT */
/* What the workload says to a person. */
#include "commands.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void wl_complain(const char *format, ...)
{
    static char text[2 * WL_PATH_SIZE + 256];
    va_list args;

    va_start(args, format);
    int n = vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (n < 0)
        text[0] = '\0';
    /* A hostile name shall neither forge a second line nor move the cursor. */
    for (char *c = text; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    }
    (void)fprintf(stderr, "workload: %s\n", text);
}

int wl_finish_output(void)
{
    if (!fflush(stdout) && !ferror(stdout))
        return 0;
    wl_complain("cannot write standard output: %s", strerror(errno));
    return 1;
}
