/* SPDX-License-Identifier: MIT */
/* Opens and forks; built with a sanitizer, whose runtime has its own ideas about preloading. */
#include "case.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void *in_thread(void *path)
{
    struct stat status;
    CHECK(stat(path, &status) == 0);
    return NULL;
}

int main(void)
{
    char *memory = malloc(100);
    CHECK(memory != NULL);
    free(memory);
    int fd = open("a.txt", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, in_thread, (void *)"b.txt") == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    FAILS(open("absent", O_RDONLY), ENOENT);
    pid_t child = fork();
    if (child == 0) {
        execl("./helper", "helper", "dir/x", (char *)NULL);
        _exit(9);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    return done("sanitized");
}
