/* SPDX-License-Identifier: MIT */
/* A program that dies of the calls by which a tracer would ask where a relative path starts, or
 * whether a pointer is good; and one that it starts under the same filter. */
#include "case.h"
#include "bpf.h"
#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

extern char **environ;

static void filter(void)
{
    struct sock_filter code[] = {
        BPF_LOAD(nr),
        BPF_IF(SYS_getcwd, SECCOMP_RET_KILL_PROCESS),
        BPF_IF(SYS_readlinkat, SECCOMP_RET_KILL_PROCESS),
        BPF_IF(SYS_process_vm_readv, SECCOMP_RET_KILL_PROCESS),
        BPF_RETURN(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof code / sizeof code[0], .filter = code};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

/* What each image under the filter does; @folder a descriptor. */
static void work(int folder)
{
    struct stat status;
    CHECK(openat(folder, "x", O_RDONLY) >= 0);
    CHECK(fstatat(folder, "y", &status, 0) == 0);
    FAILS(openat(-5, "x", O_RDONLY), EBADF);
    FAILS(open("/", O_RDONLY | O_CREAT | O_DIRECTORY, 0600), EINVAL);
    CHECK(chdir("dir") == 0 && open("x", O_RDONLY) >= 0);
    CHECK(chdir("..") == 0);
}

static void await(pid_t child)
{
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(int argc, char **argv)
{
    char folder[16];
    if (argc > 1) {
        CHECK(open("b.txt", O_RDONLY) >= 0); /* relative: where does it start? */
        work(atoi(argv[1]));
        return 0;
    }
    int fd = open("dir", O_RDONLY | O_DIRECTORY);
    CHECK(fd >= 0 && snprintf(folder, sizeof folder, "%d", fd) > 0);
    filter();
    work(fd);
    int again = dup(fd);
    DIR *stream = fdopendir(again);
    CHECK(stream != NULL && closedir(stream) == 0);
    char *self = realpath(argv[0], NULL);
    CHECK(self != NULL);
    char *args[] = {argv[0], folder, NULL}, *fresh[] = {NULL};
    for (int i = 0; i < 2; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            execve(argv[0], args, i ? fresh : environ);
            _exit(1);
        }
        await(child);
        CHECK(posix_spawn(&child, argv[0], NULL, NULL, args, i ? fresh : environ) == 0);
        await(child);
    }
    CHECK(access("/etc/passwd", R_OK) == 0);
    return done("own_denied");
}
