/* SPDX-License-Identifier: MIT */
/* Prints the LD_PRELOAD that a program sees, and the variables by name. */
#include "case.h"
#include <stdlib.h>

extern char **environ;

int main(void)
{
    for (char **variable = environ; variable != NULL && *variable != NULL; variable++)
        if (strncmp(*variable, "ONLY=", 5) == 0)
            dprintf(1, "%s\n", *variable);
    return 0;
}
