/* SPDX-License-Identifier: MIT */
/* Waits until it is told to go on, and then tells whether everything still works. */
#include "case.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

int main(void)
{
    CHECK(mkfifo("go", 0600) == 0 && mkfifo("done", 0600) == 0 && mkfifo("ready", 0600) == 0);
    int fd = open("before", O_WRONLY | O_CREAT, 0600);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = open("ready", O_WRONLY); /* until the test opens the other end */
    CHECK(fd >= 0 && close(fd) == 0);
    fd = open("go", O_RDONLY);
    struct stat status;
    int good = fd >= 0;
    good = good && open("a.txt", O_RDONLY) >= 0;
    good = good && open("absent", O_RDONLY) == -1 && errno == ENOENT;
    good = good && stat("a.txt", &status) == 0 && rename("before", "after") == 0;
    pid_t child = fork();
    if (child == 0) {
        execl("./helper", "helper", "a.txt", (char *)NULL);
        _exit(9);
    }
    int ended = -1;
    good = good && child > 0 && waitpid(child, &ended, 0) == child && ended == 0;
    fd = open("done", O_WRONLY);
    CHECK(write(fd, good ? "good\n" : "bad!\n", 5) == 5);
    return good ? 0 : 1;
}
