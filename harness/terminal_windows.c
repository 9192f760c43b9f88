/* SPDX-License-Identifier: MIT */
/* Terminals: consoles that understand escape sequences, as those of Windows 10 and later do. */
#include "harness/terminal.h"

#include <io.h>
#include <windows.h>

#define DEFAULT_COLUMNS 80

size_t tt_terminal_columns(FILE *stream)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    HANDLE console = (HANDLE)_get_osfhandle(_fileno(stream));
    DWORD mode;

    if (console == INVALID_HANDLE_VALUE || !GetConsoleMode(console, &mode))
        return 0;
    if (!(mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) &&
        !SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING))
        return 0; /* it would show the sequences as text */
    if (!GetConsoleScreenBufferInfo(console, &info))
        return DEFAULT_COLUMNS;
    int columns = info.srWindow.Right - info.srWindow.Left + 1;
    return columns > 0 ? (size_t)columns : DEFAULT_COLUMNS;
}
