/* SPDX-License-Identifier: MIT */
/* A 64-bit program that makes 32-bit system calls. */
#include "case.h"
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>

static int int80(int number, uint32_t a, uint32_t b, uint32_t c)
{
    int result;
    __asm__ volatile("int $0x80"
                     : "=a"(result)
                     : "a"(number), "b"(a), "c"(b), "d"(c)
                     : "memory", "r8", "r9", "r10", "r11");
    return result;
}

int main(void)
{
    char *low =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    CHECK(low != MAP_FAILED);
    uint32_t at = (uint32_t)(uintptr_t)low;
    memcpy(low, "a.txt", sizeof "a.txt");
    int fd = int80(5, at, O_RDONLY, 0);
    CHECK(fd >= 0 && close(fd) == 0);
    memcpy(low, "new", sizeof "new");
    fd = int80(8, at, 0600, 0);
    CHECK(fd >= 0 && close(fd) == 0);
    return done("int80");
}
