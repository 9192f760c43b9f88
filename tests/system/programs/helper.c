/* SPDX-License-Identifier: MIT */
/* What the exec programs start: opens the file that its first argument names, then says so. */
#include "case.h"
#include <fcntl.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int fd = open(argv[i], O_RDONLY);
        if (fd < 0)
            return 3;
        close(fd);
        dprintf(1, "opened %s%s\n", argv[i], getenv("KEPT") != NULL ? " with the environment" : "");
    }
    return 0;
}
