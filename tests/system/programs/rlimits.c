/* SPDX-License-Identifier: MIT */
/* Limits that a child lowers: descriptors, file size, address space. */
#include "case.h"
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

static void run(int resource, rlim_t limit, const char *file)
{
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        struct rlimit both = {.rlim_cur = limit, .rlim_max = limit};
        if (setrlimit(resource, &both) != 0)
            _exit(4);
        if (open("b.txt", O_RDONLY) < 0)
            _exit(5);
        close(3);
        execl("./helper", "helper", file, (char *)NULL);
        _exit(6);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    run(RLIMIT_NOFILE, 4, "f1");
    run(RLIMIT_FSIZE, 4096, "f2"); /* room for the line on standard output */
    run(RLIMIT_AS, (rlim_t)64 << 20, "f3");
    run(RLIMIT_NOFILE, 8, "f4");
    run(RLIMIT_MEMLOCK, 0, "f5");
    run(RLIMIT_STACK, (rlim_t)256 << 10, "f6");
    return done("rlimits");
}
