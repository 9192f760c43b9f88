/* SPDX-License-Identifier: MIT */
/* ld.so's search, and a filter before anything tells what came of it: asking now would be deadly.
 */
#include "case.h"
#include "bpf.h"
#include <dlfcn.h>
#include <fcntl.h>

int little_open(const char *path);

int main(void)
{
    CHECK(little_open("a.txt") == 0);
    CHECK(dlopen("little2.so", RTLD_NOW) != NULL);
    CHECK(dlopen("nowhere.so", RTLD_NOW) == NULL);
    struct sock_filter code[] = {
        BPF_LOAD(nr),
        BPF_IF(SYS_openat, SECCOMP_RET_ALLOW),
        BPF_IF(SYS_open, SECCOMP_RET_ALLOW),
        BPF_IF(SYS_close, SECCOMP_RET_ALLOW),
        BPF_IF(SYS_write, SECCOMP_RET_ALLOW),
        BPF_IF(SYS_exit_group, SECCOMP_RET_ALLOW),
        BPF_RETURN(SECCOMP_RET_KILL_PROCESS),
    };
    CHECK(bpf_install(code, sizeof code / sizeof code[0], 0) == 0);
    int fd = open("b.txt", O_RDONLY);
    if (fd < 0 || close(fd) != 0)
        _exit(3);
    static const char line[] = "ok search_filter\n";
    _exit(write(1, line, sizeof line - 1) == sizeof line - 1 ? 0 : 4);
}
