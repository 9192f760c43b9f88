/* SPDX-License-Identifier: MIT */
/* A trace in JSON lines, read and checked line by line against the documented format. */
#ifndef TESTS_SYSTEM_TRACE_H
#define TESTS_SYSTEM_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "common/compiler.h"

/** What one access line says; all strings are owned. */
struct access {
    unsigned access; /**< bits of enum access_bit */
    char *op;
    char *path;  /**< bytes, NUL-terminated: a path holds no NUL */
    char *error; /**< "-" when the call succeeded; "unknown" when only its start was seen */
};

enum access_bit {
    ACCESS_READ = 1,
    ACCESS_WRITE = 2,
    ACCESS_LIST = 4,
};

struct trace {
    struct access *list;
    size_t count;
    json_t *summary;
};

/**
 * Read a trace. Every line that breaks the documented format is told on standard error.
 * @out for trace_free(), also when lines were bad
 * @return the number of complaints; 0 for a good trace
 */
MUST_USE unsigned trace_read(const char *path, struct trace *out);

/** Free what trace_read() filled. */
void trace_free(struct trace *trace);

/** The bits of "read,write"; 0 when a word is unknown. */
unsigned access_parse(const char *words);

/** An absolute path without "//", "." and ".." parts and without a final '/'. */
bool path_is_normal(const char *path);

/**
 * Join and normalise lexically: a ".." takes the part before it away, links are not looked at.
 * @folder absolute
 * @return the caller's; exits when memory is short
 */
char *path_join(const char *folder, const char *path);

#endif
