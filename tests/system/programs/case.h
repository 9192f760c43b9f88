/* SPDX-License-Identifier: MIT */
/* What every hard-case program needs: a check that names its line, and a last line. */
#ifndef SYSTEM_CASE_H
#define SYSTEM_CASE_H

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            dprintf(2, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, strerror(errno));        \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

/* The call fails, and with this error. */
#define FAILS(call, error)                                                                         \
    do {                                                                                           \
        errno = 0;                                                                                 \
        CHECK((call) == -1);                                                                       \
        CHECK(errno == (error));                                                                   \
    } while (0)

/* Ends main: the line that the runner compares. */
static inline int done(const char *name)
{
    char line[128];
    int size = snprintf(line, sizeof line, "ok %s\n", name);
    fflush(stdout);
    return write(1, line, (size_t)size) == size ? 0 : 1;
}

#endif
