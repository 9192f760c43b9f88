/* SPDX-License-Identifier: MIT */
/* Where a program starts on Windows: arguments become UTF-8, and streams are left as they are
 * written. */
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <windows.h>

#include "common/wide.h"

int main(int argc, char **argv);
int wmain(int argc, wchar_t **wide_argv);

static UINT console_before;

static void restore_console(void)
{
    (void)SetConsoleOutputCP(console_before);
}

/** Streams carry bytes: no CR before LF, and a console shows UTF-8. */
static void set_streams(void)
{
    (void)_setmode(_fileno(stdin), _O_BINARY);
    (void)_setmode(_fileno(stdout), _O_BINARY);
    (void)_setmode(_fileno(stderr), _O_BINARY);
    console_before = GetConsoleOutputCP();
    if (console_before && console_before != CP_UTF8 && SetConsoleOutputCP(CP_UTF8))
        (void)atexit(restore_console); /* the console outlives this program */
}

int wmain(int argc, wchar_t **wide_argv)
{
    set_streams();
    char **argv = calloc((size_t)argc + 1, sizeof(*argv));
    for (int i = 0; argv && i < argc; i++) {
        argv[i] = wide_to_utf8(wide_argv[i]);
        if (!argv[i])
            argv = NULL;
    }
    if (!argv) {
        (void)fputs("no memory for the arguments\n", stderr);
        return 125;
    }
    return main(argc, argv); /* what was allocated lives as long as the program */
}
