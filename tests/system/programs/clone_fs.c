/* SPDX-License-Identifier: MIT */
/* Threads of one process with folders of their own: unshare(CLONE_FS) and clone without it. */
#include "case.h"
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>

static pthread_barrier_t gate;

static void *below(void *dir)
{
    CHECK(unshare(CLONE_FS) == 0);
    CHECK(chdir(dir) == 0);
    pthread_barrier_wait(&gate);
    for (int i = 0; i < 50; i++) {
        int fd = open("here", O_RDONLY);
        CHECK(fd >= 0);
        close(fd);
    }
    pthread_barrier_wait(&gate);
    int fd = open("../back", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    return NULL;
}

int main(void)
{
    CHECK(mkdir("p", 0755) == 0 && mkdir("q", 0755) == 0);
    const char *const files[] = {"p/here", "q/here", "back"};
    for (int i = 0; i < 3; i++) {
        int fd = creat(files[i], 0644);
        CHECK(fd >= 0 && close(fd) == 0);
    }
    CHECK(pthread_barrier_init(&gate, NULL, 3) == 0);
    pthread_t p, q;
    CHECK(pthread_create(&p, NULL, below, (void *)"p") == 0);
    CHECK(pthread_create(&q, NULL, below, (void *)"q") == 0);
    pthread_barrier_wait(&gate);
    int fd = open("a.txt", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    pthread_barrier_wait(&gate);
    CHECK(pthread_join(p, NULL) == 0 && pthread_join(q, NULL) == 0);
    return done("clone_fs");
}
