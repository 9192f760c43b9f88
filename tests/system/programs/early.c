/* SPDX-License-Identifier: MIT */
/* A library of the program: opens in its constructor and destructor. */
#include <fcntl.h>
#include <unistd.h>

int early_needed(void);

int early_needed(void)
{
    return 0;
}

__attribute__((constructor(101))) static void before(void)
{
    int fd = open("before-library", O_RDONLY);
    if (fd >= 0)
        close(fd);
}

__attribute__((destructor(101))) static void after(void)
{
    int fd = open("after-library", O_RDONLY);
    if (fd >= 0)
        close(fd);
}
