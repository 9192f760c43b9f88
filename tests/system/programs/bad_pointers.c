/* SPDX-License-Identifier: MIT */
/* Bad pointers fail as they always did, nothing crashes. */
#include "case.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* Out of the compiler's sight, which would warn about a known null. */
static const char *volatile null;
static char **volatile wild_list = (char **)8;
static const char *volatile wild = (const char *)8;

int main(void)
{
    struct stat status;
    char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED && munmap(page + 4096, 4096) == 0);
    memset(page, 'x', 4096); /* runs into the hole without a NUL */
    const char *const bad[] = {null, wild, page + 4000, (const char *)-4096L,
                               (const char *)0x800000000000L};
    for (size_t i = 0; i < 5; i++) {
        FAILS(open(bad[i], O_RDONLY), EFAULT);
        FAILS(openat(AT_FDCWD, bad[i], O_WRONLY | O_CREAT, 0600), EFAULT);
        FAILS(stat(bad[i], &status), EFAULT);
        FAILS(access(bad[i], F_OK), EFAULT);
        FAILS(unlink(bad[i]), EFAULT);
        FAILS(rename(bad[i], "r"), EFAULT);
        FAILS(rename("absent", bad[i]), EFAULT);
        FAILS(mkdir(bad[i], 0755), EFAULT);
        FAILS(chdir(bad[i]), EFAULT);
        FAILS(execve(bad[i], (char *[]){(char *)"x", NULL}, (char *[]){NULL}), EFAULT);
        FAILS(symlink(bad[i], "s"), EFAULT);
    }
    FAILS(execve("dir/x", wild_list, NULL), EACCES);
    /* A name that ends exactly at the hole is a good name. */
    memcpy(page + 4090, "a.txt", 6);
    int fd = open(page + 4090, O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = creat("executable", 0755);
    CHECK(fd >= 0 && close(fd) == 0);
    FAILS(execve("./executable", wild_list, NULL), EFAULT);
    FAILS(execve("./executable", (char *[]){(char *)"x", NULL}, wild_list), EFAULT);
    FAILS(execve("./executable", (char *[]){(char *)wild, NULL}, (char *[]){NULL}), EFAULT);
    return done("bad_pointers");
}
