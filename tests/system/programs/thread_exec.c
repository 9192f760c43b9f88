/* SPDX-License-Identifier: MIT */
/* A thread that is not the first one execs. */
#include "case.h"
#include <fcntl.h>
#include <pthread.h>

static void *run(void *argument)
{
    (void)argument;
    execl("./helper", "helper", "a.txt", "b.txt", (char *)NULL);
    _exit(9);
}

int main(void)
{
    pthread_t thread;
    CHECK(open("dir/x", O_RDONLY) >= 0);
    CHECK(pthread_create(&thread, NULL, run, NULL) == 0);
    pthread_join(thread, NULL);
    return 8;
}
