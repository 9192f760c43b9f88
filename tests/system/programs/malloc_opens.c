/* SPDX-License-Identifier: MIT */
/* An allocator that opens files: whatever allocates inside an open would never end. */
#include "case.h"
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>

static char pool[1 << 22] __attribute__((aligned(16)));
static size_t used;
static int depth;

void *malloc(size_t size)
{
    if (depth++ > 3)
        _exit(66);
    int fd = open("b.txt", O_RDONLY);
    if (fd >= 0)
        close(fd);
    depth--;
    size = (size + 31) & ~(size_t)15;
    if (used + size > sizeof pool)
        return NULL;
    char *memory = pool + used;
    *(size_t *)(void *)memory = size - 16;
    used += size;
    return memory + 16;
}

void free(void *memory)
{
    (void)memory;
}

void *calloc(size_t count, size_t size)
{
    return malloc(count * size); /* the pool is zero and never used twice */
}

void *realloc(void *memory, size_t size)
{
    void *grown = malloc(size);
    if (grown != NULL && memory != NULL) {
        size_t old = *(size_t *)(void *)((char *)memory - 16);
        memcpy(grown, memory, old < size ? old : size);
    }
    return grown;
}

int main(void)
{
    int fd = open("a.txt", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    FILE *file = fopen("dir/x", "r");
    CHECK(file != NULL && fclose(file) == 0);
    CHECK(malloc(10) != NULL);
    return done("malloc_opens");
}
