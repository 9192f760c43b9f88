/* SPDX-License-Identifier: MIT */
/* The names that programs built on glibc before 2.33 call. */
#include "case.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

extern int __xstat(int version, const char *path, struct stat *out);
extern int __lxstat(int version, const char *path, struct stat *out);
extern int __xstat64(int version, const char *path, struct stat64 *out);
extern int __lxstat64(int version, const char *path, struct stat64 *out);
extern int __fxstatat(int version, int dir, const char *path, struct stat *out, int flags);
extern int __fxstatat64(int version, int dir, const char *path, struct stat64 *out, int flags);
extern int __xmknod(int version, const char *path, mode_t mode, dev_t *device);
extern int __xmknodat(int version, int dir, const char *path, mode_t mode, dev_t *device);
__asm__(".symver __xstat,__xstat@GLIBC_2.2.5\n.symver __lxstat,__lxstat@GLIBC_2.2.5\n"
        ".symver __xstat64,__xstat64@GLIBC_2.2.5\n.symver __lxstat64,__lxstat64@GLIBC_2.2.5\n"
        ".symver __fxstatat,__fxstatat@GLIBC_2.4\n.symver __fxstatat64,__fxstatat64@GLIBC_2.4\n"
        ".symver __xmknod,__xmknod@GLIBC_2.2.5\n.symver __xmknodat,__xmknodat@GLIBC_2.4\n");

int main(void)
{
    struct stat status;
    struct stat64 status64;
    CHECK(__xstat(1, "a.txt", &status) == 0 && status.st_size == 6);
    CHECK(__lxstat(1, "link", &status) == 0);
    CHECK(__xstat64(1, "b.txt", &status64) == 0);
    CHECK(__lxstat64(1, "dirlink", &status64) == 0);
    CHECK(__fxstatat(1, AT_FDCWD, "dir/x", &status, 0) == 0);
    CHECK(__fxstatat64(1, AT_FDCWD, "dir/y", &status64, 0) == 0);
    FAILS(__xstat(1, "absent", &status), ENOENT);
    dev_t none = 0;
    CHECK(__xmknod(0, "fifo", S_IFIFO | 0600, &none) == 0);
    CHECK(__xmknodat(0, AT_FDCWD, "fifo-at", S_IFIFO | 0600, &none) == 0);
    return done("xstat_family");
}
