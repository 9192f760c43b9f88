/* SPDX-License-Identifier: MIT */
/* A few calls of each kind, built static, static-pie and with musl. */
#include "case.h"
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

static void *in_thread(void *path)
{
    struct stat status;
    CHECK(stat(path, &status) == 0);
    return NULL;
}

int main(void)
{
    int fd = open("a.txt", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    FILE *file = fopen("new", "w");
    CHECK(file != NULL && fclose(file) == 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, in_thread, (void *)"b.txt") == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    FAILS(open("absent", O_RDONLY), ENOENT);
    DIR *dir = opendir("dir");
    CHECK(dir != NULL && readdir(dir) != NULL && closedir(dir) == 0);
    CHECK(rename("new", "moved") == 0);
    return done("every_libc");
}
