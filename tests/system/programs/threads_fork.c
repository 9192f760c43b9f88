/* SPDX-License-Identifier: MIT */
/* Threads that open while other threads fork; children open too. */
#include "case.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/wait.h>

static void *work(void *argument)
{
    int thread = (int)(intptr_t)argument;
    char name[40];
    for (int i = 0; i < 100; i++) {
        (void)snprintf(name, sizeof name, "t-%d-%d", thread, i);
        CHECK(open(name, O_RDONLY) == -1 && errno == ENOENT);
        if (i % 10 != 0)
            continue;
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            (void)snprintf(name, sizeof name, "c-%d-%d", thread, i);
            _exit(access(name, F_OK) == -1 ? 0 : 1);
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    for (intptr_t i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
    for (int i = 0; i < 4; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    return done("threads_fork");
}
