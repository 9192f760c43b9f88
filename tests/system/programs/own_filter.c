/* SPDX-License-Identifier: MIT */
/* A program that puts a filter on itself by prctl(2), without naming seccomp(2), and dies of any
 * call but those that it makes. It has worked unfiltered before. */
#include "case.h"
#include "bpf.h"
#include <fcntl.h>
#include <sys/stat.h>

static char absolute[4200];

int main(void)
{
    CHECK(getcwd(absolute, sizeof absolute - sizeof "/b.txt") != NULL);
    memcpy(absolute + strlen(absolute), "/b.txt", sizeof "/b.txt");
    /* Before the filter: whatever is kept about the current folder is known by now. */
    int fd = open("a.txt", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    struct sock_filter code[] = {
        BPF_LOAD(nr),
        BPF_IF(SYS_openat, SECCOMP_RET_ALLOW),
        BPF_IF(SYS_open, SECCOMP_RET_ALLOW),
        BPF_IF(SYS_close, SECCOMP_RET_ALLOW),
        BPF_IF(SYS_newfstatat, SECCOMP_RET_ALLOW),
        BPF_IF(SYS_stat, SECCOMP_RET_ALLOW),
        BPF_IF(SYS_access, SECCOMP_RET_ALLOW),
        BPF_IF(SYS_rename, SECCOMP_RET_ALLOW),
        BPF_IF(SYS_write, SECCOMP_RET_ALLOW),
        BPF_IF(SYS_exit, SECCOMP_RET_ALLOW),
        BPF_IF(SYS_exit_group, SECCOMP_RET_ALLOW),
        BPF_RETURN(SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = {.len = sizeof code / sizeof code[0], .filter = code};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
    if (open("absent", O_RDONLY) != -1 || errno != ENOENT)
        _exit(3);
    fd = open(absolute, O_RDONLY);
    if (fd < 0 || close(fd) != 0)
        _exit(4);
    struct stat status;
    if (stat("dir/x", &status) != 0 || access("dir/y", F_OK) != 0 || rename("absent", "r") != -1)
        _exit(5);
    static const char line[] = "ok own_filter\n";
    _exit(write(1, line, sizeof line - 1) == sizeof line - 1 ? 0 : 6);
}
