/* SPDX-License-Identifier: MIT */
/* A 32-bit program: opens a file of its own, then starts another program, of any width, and waits
 * for it.
 *   narrow                    nothing; whoever starts this sees whether it can
 *   narrow NAME COMMAND...    opens NAME, runs COMMAND, ends with its status */
#include <process.h>
#include <stdio.h>
#include <windows.h>

_Static_assert(sizeof(void *) == 4, "this is for a 32-bit compiler");

int main(int argc, char **argv)
{
    if (argc < 3)
        return argc != 1;
    HANDLE file = CreateFileA(argv[1], GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        printf("FAILED: cannot open %s: error %lu\n", argv[1], GetLastError());
        return 90;
    }
    CloseHandle(file);
    intptr_t status = _spawnv(_P_WAIT, argv[2], (const char *const *)argv + 2);
    if (status)
        printf("FAILED: %s: %ld\n", argv[2], (long)status);
    return (int)status;
}
