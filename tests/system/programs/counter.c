/* SPDX-License-Identifier: MIT */
/* A preload library of the user: counts the opens of the program and tells at the end. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static int opens;

int open(const char *path, int flags, ...)
{
    static int (*next)(const char *, int, ...);
    if (next == NULL)
        next = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    va_list args;
    va_start(args, flags);
    int mode = (flags & O_CREAT) != 0 ? va_arg(args, int) : 0;
    va_end(args);
    opens++;
    return next(path, flags, mode);
}

__attribute__((destructor)) static void tell(void)
{
    dprintf(1, "%d opens\n", opens);
}
