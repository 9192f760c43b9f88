/* SPDX-License-Identifier: MIT */
/* More distinct paths than any buffer holds: many_paths THREADS EACH */
#include "case.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static long each;

static void *work(void *argument)
{
    char name[101];
    /* 100 bytes a name, all different. */
    for (long i = 0; i < each; i++) {
        int used = snprintf(name, sizeof name, "/absent/t%ld-%07ld-", (long)(intptr_t)argument, i);
        memset(name + used, 'z', sizeof name - 1 - (size_t)used);
        name[sizeof name - 1] = 0;
        CHECK(open(name, O_RDONLY) == -1 && errno == ENOENT);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    CHECK(argc == 3);
    long count = strtol(argv[1], NULL, 10);
    each = strtol(argv[2], NULL, 10);
    CHECK(count > 0 && count <= 64 && each > 0);
    pthread_t threads[64];
    for (long i = 0; i < count; i++)
        CHECK(pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i) == 0);
    for (long i = 0; i < count; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    return done("many_paths");
}
