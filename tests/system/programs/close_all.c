/* SPDX-License-Identifier: MIT */
/* A child that closes every descriptor by every means goes on and is still seen. */
#include "case.h"
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static void use(const char *path)
{
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        _exit(5);
    close(fd);
}

int main(void)
{
    for (int how = 0; how < 4; how++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            if (how == 0)
                for (int fd = 0; fd < 1024; fd++)
                    close(fd);
            if (how == 1)
                closefrom(0);
            if (how == 2)
                close_range(0, ~0U, 0);
            if (how == 3)
                syscall(SYS_close_range, 0, ~0U, 0);
            const char *const files[] = {"a.txt", "b.txt", "dir/x", "dir/y"};
            use(files[how]);
            if (open("link", O_RDONLY) != 0)
                _exit(6);
            open("link", O_RDONLY), open("link", O_RDONLY);
            execl("./helper", "helper", "f", (char *)NULL);
            _exit(7);
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    return done("close_all");
}
