/* SPDX-License-Identifier: MIT */
/* Prints its arguments, one a line, then "end": are they UTF-8, and is a line's end one byte? */
#include <stdio.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        (void)puts(argv[i]);
    (void)puts("end");
    return fflush(stdout) ? 1 : 0;
}
