/* SPDX-License-Identifier: MIT */
/* The C library's functions by a handle of it, by RTLD_NEXT and RTLD_DEFAULT, and one of the same
 * name that is another library's. */
#include "case.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <gnu/lib-names.h>
#include <sys/stat.h>

typedef int open_function(const char *path, int flags, ...);
typedef int stat_function(const char *path, struct stat *out);

int main(void)
{
    struct stat status;
    void *libc = dlopen(LIBC_SO, RTLD_LAZY | RTLD_NOLOAD);
    CHECK(libc != NULL);
    open_function *by_handle = (open_function *)dlsym(libc, "open");
    CHECK(by_handle != NULL && by_handle("a.txt", O_RDONLY) >= 0);
    CHECK(by_handle == (open_function *)dlsym(RTLD_DEFAULT, "open"));
    CHECK(by_handle == (open_function *)dlsym(RTLD_NEXT, "open"));
    FAILS(by_handle("absent", O_RDONLY), ENOENT);
    open_function *versioned = (open_function *)dlvsym(libc, "creat", "GLIBC_2.2.5");
    if (versioned == NULL) /* its version on another processor */
        versioned = (open_function *)dlvsym(libc, "creat", "GLIBC_2.17");
    CHECK(versioned != NULL && versioned("new", 0644) >= 0);
    stat_function *next = (stat_function *)dlsym(RTLD_NEXT, "lstat");
    CHECK(next != NULL && next("link", &status) == 0);
    CHECK(dlsym(libc, "no_such_function") == NULL && dlerror() != NULL);
    CHECK(dlsym(libc, "strlen") != NULL && dlerror() == NULL);
    /* A function of this name that takes no path. */
    void *other = dlopen("./other.so", RTLD_NOW);
    CHECK(other != NULL);
    int (*mine)(int) = (int (*)(int))dlsym(other, "open");
    CHECK(mine != NULL && mine(41) == 42);
    return done("by_handle");
}
