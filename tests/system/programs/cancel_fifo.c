/* SPDX-License-Identifier: MIT */
/* A thread is cancelled while it waits in the open of a FIFO. */
#include "case.h"
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static int ready[2];

static int cleanups;

static void clean_up(void *by)
{
    cleanups += *(int *)by;
}

static void *wait_in_open(void *way)
{
    int one = 1, ten = 10;
    pthread_cleanup_push(clean_up, &one);
    pthread_cleanup_push(clean_up, &ten);
    CHECK(write(ready[1], "r", 1) == 1);
    int fd = way == NULL ? open("fifo", O_RDONLY) : openat(AT_FDCWD, "fifo", O_RDONLY);
    _exit(fd >= 0 ? 7 : 8);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    CHECK(mkfifo("fifo", 0600) == 0 && pipe(ready) == 0);
    for (int way = 0; way < 2; way++) {
        pthread_t thread;
        char byte;
        CHECK(pthread_create(&thread, NULL, wait_in_open, way == 0 ? NULL : &ready) == 0);
        CHECK(read(ready[0], &byte, 1) == 1);
        usleep(20000); /* most likely inside the open by now; earlier is good too */
        CHECK(pthread_cancel(thread) == 0);
        void *result;
        CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
    }
    CHECK(cleanups == 22);
    int fd = open("a.txt", O_RDONLY);
    CHECK(fd >= 0);
    return done("cancel_fifo");
}
