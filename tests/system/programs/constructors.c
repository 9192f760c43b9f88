/* SPDX-License-Identifier: MIT */
/* Opens before main and after it: preinit, constructors, atexit, destructors. */
#include "case.h"
#include <fcntl.h>
#include <stdlib.h>

int early_needed(void);

static void use(const char *path)
{
    int fd = open(path, O_RDONLY);
    if (fd >= 0)
        close(fd);
}

static void preinit(int argc, char **argv, char **envp)
{
    (void)argc, (void)argv, (void)envp;
    use("preinit");
}

__attribute__((section(".preinit_array"), used)) static void (*entry)(int, char **,
                                                                      char **) = preinit;

__attribute__((constructor(101))) static void before(void)
{
    use("before");
}

__attribute__((destructor(101))) static void after(void)
{
    use("after");
}

static void at_exit(void)
{
    use("at-exit");
}

int main(void)
{
    CHECK(atexit(at_exit) == 0 && early_needed() == 0);
    return done("constructors");
}
