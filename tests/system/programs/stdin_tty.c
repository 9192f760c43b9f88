/* SPDX-License-Identifier: MIT */
/* Copies its standard input and tells what its streams are. */
#include "case.h"
#include <ctype.h>
#include <fcntl.h>

int main(void)
{
    char line[64];
    CHECK(fgets(line, sizeof line, stdin) != NULL);
    for (char *at = line; *at != 0; at++)
        *at = (char)toupper((unsigned char)*at);
    int terminal = open("/dev/tty", O_RDWR);
    printf("line %s%d %d %d terminal %d foreground %d\n", line, isatty(0), isatty(1), isatty(2),
           terminal >= 0, terminal >= 0 && tcgetpgrp(terminal) == getpgrp());
    return done("stdin_tty");
}
