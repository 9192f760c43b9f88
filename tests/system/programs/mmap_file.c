/* SPDX-License-Identifier: MIT */
/* A mapping takes no path: the open before it is what counts. */
#include "case.h"
#include <fcntl.h>
#include <sys/mman.h>

int main(void)
{
    int fd = open("a.txt", O_RDONLY);
    CHECK(fd >= 0);
    const char *text = mmap(NULL, 6, PROT_READ, MAP_PRIVATE, fd, 0);
    CHECK(text != MAP_FAILED && close(fd) == 0 && memcmp(text, "hello\n", 6) == 0);
    return done("mmap_file");
}
