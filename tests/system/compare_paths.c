/* SPDX-License-Identifier: MIT */
/*
 * Checks that a trace holds every path of strace's:
 *   compare_paths STRACE-PATHS TRACE EXEMPT [RANDOM-REGEX...]
 * STRACE-PATHS is what strace_paths writes. EXEMPT has lines `prefix<TAB>function<TAB>reason`: a
 * missing path that begins with a prefix is left out, and counted. The prefix `STAR/NAME/`, with a
 * '*' for STAR, is the folder NAME, and what is below it, of each folder in which the trace says
 * that ld.so looked (op `loader`). Parts of names that are chosen at random match RANDOM-REGEX and
 * are made equal in both; so are process numbers below /proc.
 */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "tests/system/trace.h"

#define INPUT_LIMIT_BYTES ((size_t)1 << 30)
#define RANDOM_MAX 16

struct exempt {
    char *prefix, *function;
    unsigned long left_out;
};

static regex_t patterns[RANDOM_MAX + 1];
static size_t pattern_count;

/* @return the caller's: the path with every match of a pattern made the same */
static char *canonical(const char *path)
{
    char *now = strdup(path);
    for (size_t i = 0; now != NULL && i < pattern_count; i++) {
        regmatch_t found;
        size_t from = 0;
        while (regexec(&patterns[i], now + from, 1, &found, from != 0 ? REG_NOTBOL : 0) == 0 &&
               found.rm_eo > found.rm_so) {
            char *begin = now + from + found.rm_so, *end = now + from + found.rm_eo;
            *begin = '*';
            memmove(begin + 1, end, strlen(end) + 1);
            from += (size_t)found.rm_so + 1;
        }
    }
    if (now == NULL) {
        fputs("compare_paths: out of memory\n", stderr);
        exit(3);
    }
    return now;
}

static int compare_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "/...", or "*" followed by "/NAME/" */
static bool is_prefix(const char *text)
{
    size_t size = strlen(text);
    if (text[0] == '/')
        return true;
    return size > 3 && text[0] == '*' && text[1] == '/' && strchr(text + 2, '/') == text + size - 1;
}

static size_t read_exempt(char *text, struct exempt *out, size_t limit)
{
    size_t count = 0;
    for (char *line; (line = strsep(&text, "\n")) != NULL;) {
        if (line[0] == 0 || line[0] == '#')
            continue;
        char *prefix = strsep(&line, "\t"), *function = strsep(&line, "\t");
        if (function == NULL || line == NULL || !is_prefix(prefix) || line[0] == 0 ||
            count == limit) {
            fprintf(stderr, "compare_paths: not an exemption: %s\n", prefix);
            exit(2);
        }
        out[count++] = (struct exempt){.prefix = prefix, .function = function};
    }
    return count;
}

static bool load(const char *path, struct buf *out)
{
    struct err err;
    buf_init(out, INPUT_LIMIT_BYTES);
    if (file_read(path, out, &err) == 0)
        return true;
    fprintf(stderr, "compare_paths: %s\n", err.text);
    return false;
}

/* What became of strace's calls. */
struct outcome {
    unsigned long calls, empty, unknown, missing;
};

/* The folders in which ld.so looked, each with its final '/'; sorted. */
struct folders {
    char **list;
    size_t count;
};

static bool is_folder_of(const struct folders *folders, const char *path, size_t size_bytes)
{
    char *folder = strndup(path, size_bytes);
    bool found = folder != NULL && bsearch(&folder, folders->list, folders->count,
                                           sizeof *folders->list, compare_text) != NULL;
    free(folder);
    return found;
}

/* @return 0 or -1: no memory */
static int folders_of(const struct trace *trace, struct folders *out)
{
    out->list = calloc(trace->count + 1, sizeof *out->list);
    if (out->list == NULL)
        return -1;
    for (size_t i = 0; i < trace->count; i++) {
        const char *path = trace->list[i].path, *name = strrchr(path, '/');
        if (name == NULL || strcmp(trace->list[i].op, "loader") != 0)
            continue;
        out->list[out->count] = strndup(path, (size_t)(name - path) + 1);
        if (out->list[out->count] == NULL)
            return -1;
        out->count++;
    }
    qsort(out->list, out->count, sizeof *out->list, compare_text);
    return 0;
}

static bool is_exempt(const struct exempt *by, const char *path, const struct folders *folders)
{
    if (by->prefix[0] == '/')
        return strncmp(path, by->prefix, strlen(by->prefix)) == 0;
    const char *name = by->prefix + 1; /* "/NAME/" */
    size_t size = strlen(name) - 1;
    for (const char *at = path; (at = strchr(at, '/')) != NULL; at++)
        if (strncmp(at, name, size) == 0 && (at[size] == '/' || at[size] == 0) &&
            is_folder_of(folders, path, (size_t)(at - path) + 1))
            return true;
    return false;
}

static void judge(const char *path, const char *call, char **known, size_t known_count,
                  struct exempt *list, size_t list_count, const struct folders *folders,
                  struct outcome *out)
{
    out->calls++;
    if (path[0] == 0) {
        out->empty++;
        return;
    }
    if (path[0] == '?') {
        out->unknown++;
        return;
    }
    char *wanted = canonical(path);
    if (bsearch(&wanted, known, known_count, sizeof *known, compare_text) == NULL) {
        struct exempt *by = NULL;
        for (size_t i = 0; i < list_count && by == NULL; i++)
            if (is_exempt(&list[i], path, folders))
                by = &list[i];
        if (by != NULL)
            by->left_out++;
        else {
            if (out->missing++ < 50)
                printf("missing: %s (%s)\n", path, call);
        }
    }
    free(wanted);
}

int main(int argc, char **argv)
{
    if (argc < 4 || argc > 4 + RANDOM_MAX) {
        fputs("usage: compare_paths STRACE-PATHS TRACE EXEMPT [RANDOM-REGEX...]\n", stderr);
        return 2;
    }
    int status = 3;
    struct exempt list[64];
    struct outcome outcome = {0};
    struct buf paths = {0}, exempt = {0};
    struct trace trace = {0};
    struct folders folders = {0};
    char **known = NULL;
    size_t list_count = 0, known_count = 0;
    for (int i = 3; i < argc; i++) {
        const char *pattern = i == 3 ? "^/proc/[0-9]+" : argv[i];
        if (regcomp(&patterns[pattern_count], pattern, REG_EXTENDED) != 0) {
            fprintf(stderr, "compare_paths: not a regular expression: %s\n", pattern);
            return 2;
        }
        pattern_count++;
    }
    if (!load(argv[1], &paths) || !load(argv[3], &exempt))
        goto out;
    list_count = exempt.size_bytes > 0 ? read_exempt(exempt.data, list, ARRAY_LEN(list)) : 0;
    unsigned bad = trace_read(argv[2], &trace);
    known = calloc(trace.count + 1, sizeof *known);
    if (known == NULL || folders_of(&trace, &folders) != 0)
        goto out;
    for (; known_count < trace.count; known_count++)
        known[known_count] = canonical(trace.list[known_count].path);
    qsort(known, known_count, sizeof *known, compare_text);
    for (size_t at = 0; at < paths.size_bytes;) {
        const char *path = paths.data + at, *call = path + strlen(path) + 1;
        if (call >= paths.data + paths.size_bytes)
            break;
        judge(path, call, known, known_count, list, list_count, &folders, &outcome);
        at = (size_t)(call - paths.data) + strlen(call) + 1;
    }
    printf("%lu paths of strace's calls, %zu lines of filetrace's: %lu missing\n", outcome.calls,
           trace.count, outcome.missing);
    printf("left out: %lu with an empty path, %lu below a bad or removed folder\n", outcome.empty,
           outcome.unknown);
    for (size_t i = 0; i < list_count; i++)
        if (list[i].left_out > 0)
            printf("left out: %lu below %s (%s)\n", list[i].left_out, list[i].prefix,
                   list[i].function);
    if (trace.summary != NULL && !json_is_true(json_object_get(trace.summary, "complete"))) {
        char *because = json_dumps(json_object_get(trace.summary, "incomplete_because"), 0);
        printf("the trace says that it is incomplete: %s\n", because != NULL ? because : "?");
        free(because);
        bad++;
    }
    status = bad == 0 && outcome.missing == 0 && outcome.calls > 0 ? 0 : 1;
out:
    for (size_t i = 0; i < known_count; i++)
        free(known[i]);
    free(known);
    for (size_t i = 0; i < folders.count; i++)
        free(folders.list[i]);
    free(folders.list);
    for (size_t i = 0; i < pattern_count; i++)
        regfree(&patterns[i]);
    trace_free(&trace);
    buf_fini(&paths);
    buf_fini(&exempt);
    return status;
}
