/* SPDX-License-Identifier: MIT */
/* The first relative path of a program is that of a call which changes where it starts. */
#include "case.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static int move(const char *how)
{
    switch (how[0]) {
    case 'c':
        return chdir("dir") == 0 && open("x", O_RDONLY) >= 0 ? 0 : 1;
    case 's':
        return syscall(SYS_chdir, "sub") == 0 ? 0 : 1;
    case 'd':
        return rmdir("../gone") == 0 ? 0 : 1;
    default:
        return rename("../old", "../new") == 0 ? 0 : 1;
    }
}

/* In @folder, by a program that has just been started. */
static void run(char *self, const char *folder, const char *how)
{
    int status;
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK(chdir(folder) == 0);
        execl(self, self, how, (char *)NULL);
        _exit(1);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return move(argv[1]);
    CHECK(mkdir("gone", 0755) == 0 && mkdir("old", 0755) == 0 && mkdir("dir/sub", 0755) == 0);
    run(argv[0], ".", "chdir");
    run(argv[0], "dir", "syscall");
    run(argv[0], "gone", "delete");
    run(argv[0], "old", "rename");
    return done("moving_first");
}
