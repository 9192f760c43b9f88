/* SPDX-License-Identifier: MIT */
/* Leaves a process behind that goes on when the root has ended. */
#include "case.h"
#include <fcntl.h>
#include <sys/stat.h>

int main(void)
{
    CHECK(mkfifo("go", 0600) == 0 && mkfifo("done", 0600) == 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        setsid();
        for (int fd = 0; fd < 3; fd++)
            close(fd);
        open("/dev/null", O_RDWR), dup(0), dup(0);
        int fd = open("go", O_RDONLY); /* until the test opens the other end */
        int good = fd >= 0;
        fd = open("a.txt", O_RDONLY);
        good = good && fd >= 0;
        good = good && open("absent", O_RDONLY) == -1 && errno == ENOENT;
        struct stat status;
        good = good && stat("b.txt", &status) == 0;
        fd = open("done", O_WRONLY);
        if (write(fd, good ? "good\n" : "bad!\n", 5) != 5)
            _exit(1);
        _exit(0);
    }
    int fd = open("dir/x", O_RDONLY);
    CHECK(fd >= 0);
    return done("daemon");
}
