/* SPDX-License-Identifier: MIT */
/*
 * Checks a trace against a list of expected accesses:
 *   check_trace [--errors-unknown] CWD PROGRAM EXPECT true|false|any REASON|- "exit N"|"signal N"
 * TRACE Each line of EXPECT is `access<TAB>path<TAB>error[<TAB>op]`: access  `read,write` exactly
 * these; `list+` at least these; `any`; `!any` no such line may be there; `N*read` at least N
 * different paths path    below CWD or absolute, with escapes as in C; `@PROGRAM@`; `~REGEX` for
 * the whole path (below CWD unless the expression starts with '/') error   `-` for none, a name, or
 * `*`; with --errors-unknown a line whose error is `unknown` matches too: what the kernel's
 * notification tells comes before the call
 */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/num.h"
#include "tests/system/trace.h"

struct expected {
    bool unknown_too;
    bool forbidden, any, at_least;
    uint64_t count; /* different paths, at least */
    unsigned access;
    char *path; /* or NULL: by the expression */
    regex_t regex;
    const char *error, *op;
};

static void unescape(char *text)
{
    char *out = text;
    for (; *text != 0; text++) {
        if (text[0] != '\\') {
            *out++ = *text;
            continue;
        }
        text++;
        if (text[0] == 'x' && text[1] != 0 && text[2] != 0) {
            char hex[3] = {text[1], text[2], 0};
            *out++ = (char)strtoul(hex, NULL, 16);
            text += 2;
        } else
            *out++ = (char)(*text == 'n' ? '\n' : *text == 't' ? '\t' : *text);
    }
    *out = 0;
}

/* @fields of the line; @return false when it is not such a line */
static bool expected_parse(char *fields[4], const char *cwd, const char *program,
                           struct expected *out)
{
    char *words = fields[0], *star = strchr(words, '*'), *path = fields[1];
    *out = (struct expected){.count = 1, .error = fields[2], .op = fields[3]};
    out->forbidden = words[0] == '!';
    words += out->forbidden;
    if (star != NULL) {
        *star = 0;
        if (num_parse_u64(words, 1, 1000000000, &out->count) != 0)
            return false;
        words = star + 1;
    }
    size_t length = strlen(words);
    out->any = strcmp(words, "any") == 0;
    out->at_least = length > 0 && words[length - 1] == '+';
    if (out->at_least)
        words[length - 1] = 0;
    out->access = access_parse(words);
    if (!out->any && out->access == 0)
        return false;
    if (path[0] != '~') {
        unescape(path);
        out->path = path_join(cwd, strcmp(path, "@PROGRAM@") == 0 ? program : path);
        return true;
    }
    /* The folder of a test is made by mktemp below a folder that the caller chose: quote it. */
    size_t size = 2 * strlen(cwd) + strlen(path) + 8, used = 0;
    char *pattern = malloc(size);
    if (pattern == NULL)
        return false;
    pattern[used++] = '^';
    if (path[1] != '/') {
        for (const char *at = cwd; *at != 0; at++) {
            if (strchr("\\^$.[]|()*+?{}", *at) != NULL)
                pattern[used++] = '\\';
            pattern[used++] = *at;
        }
        pattern[used++] = '/';
    }
    (void)snprintf(pattern + used, size - used, "%s$", path + 1);
    bool good = regcomp(&out->regex, pattern, REG_EXTENDED | REG_NOSUB) == 0;
    free(pattern);
    return good;
}

static bool matches(const struct expected *expected, const struct access *access)
{
    if (expected->at_least ? (access->access & expected->access) != expected->access
                           : !expected->any && access->access != expected->access)
        return false;
    if (strcmp(expected->error, "*") != 0 && strcmp(expected->error, access->error) != 0 &&
        !(expected->unknown_too && strcmp(access->error, "unknown") == 0))
        return false;
    if (expected->op != NULL && strcmp(expected->op, access->op) != 0)
        return false;
    return expected->path != NULL ? strcmp(expected->path, access->path) == 0
                                  : regexec(&expected->regex, access->path, 0, NULL, 0) == 0;
}

static int compare_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static uint64_t count_paths(const struct expected *expected, const struct trace *trace)
{
    const char **found = calloc(trace->count + 1, sizeof *found);
    size_t count = 0, different = 0;
    if (found == NULL)
        return 0;
    for (size_t i = 0; i < trace->count; i++)
        if (matches(expected, &trace->list[i]))
            found[count++] = trace->list[i].path;
    qsort(found, count, sizeof *found, compare_text);
    for (size_t i = 0; i < count; i++)
        different += i == 0 || strcmp(found[i - 1], found[i]) != 0;
    free(found);
    return different;
}

/* Shows the lines that come near, which is most often all that is needed to understand. */
static void show_near(const struct expected *expected, const struct trace *trace)
{
    unsigned shown = 0;
    for (size_t i = 0; i < trace->count && expected->path != NULL && shown < 5; i++) {
        const struct access *access = &trace->list[i];
        if (strcmp(access->path, expected->path) != 0)
            continue;
        shown++;
        printf("    but: %s%s%s %s %s\n", access->access & ACCESS_READ ? "read " : "",
               access->access & ACCESS_WRITE ? "write " : "",
               access->access & ACCESS_LIST ? "list" : "", access->error, access->op);
    }
    if (shown == 0)
        printf("    the trace of %zu lines does not hold the path\n", trace->count);
}

static unsigned check_expected(const char *file_name, const char *cwd, const char *program,
                               bool unknown_too, const struct trace *trace)
{
    unsigned bad = 0;
    char *line = NULL;
    size_t size = 0;
    FILE *file = fopen(file_name, "r");
    if (file == NULL) {
        perror(file_name);
        return 1;
    }
    while (getline(&line, &size, file) > 0) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] == 0 || line[0] == '#')
            continue;
        char *copy = strdup(line), *rest = copy, *fields[4] = {NULL};
        for (unsigned i = 0; i < 4 && rest != NULL; i++)
            fields[i] = strsep(&rest, "\t");
        struct expected expected = {0};
        if (fields[2] == NULL || !expected_parse(fields, cwd, program, &expected)) {
            printf("  %s: not an expectation: %s\n", file_name, line);
            bad++;
        } else {
            expected.unknown_too = unknown_too && !expected.forbidden;
            uint64_t found = count_paths(&expected, trace);
            if (expected.forbidden ? found > 0 : found < expected.count) {
                printf("  %s: %.200s\n", expected.forbidden ? "forbidden but there" : "missing",
                       line);
                if (expected.count > 1)
                    printf("    %llu different paths\n", (unsigned long long)found);
                else if (!expected.forbidden)
                    show_near(&expected, trace);
                bad++;
            }
            if (expected.path == NULL)
                regfree(&expected.regex);
            free(expected.path);
        }
        free(copy);
    }
    free(line);
    (void)fclose(file); /* read only */
    return bad;
}

static unsigned check_end(const struct trace *trace, const char *complete, const char *reason,
                          const char *status)
{
    unsigned bad = 0;
    bool is_complete = json_is_true(json_object_get(trace->summary, "complete"));
    if (strcmp(complete, "any") != 0 && is_complete != (strcmp(complete, "true") == 0)) {
        char *because = json_dumps(json_object_get(trace->summary, "incomplete_because"), 0);
        printf("  complete is %s instead of %s: %s\n", is_complete ? "true" : "false", complete,
               because != NULL ? because : "");
        free(because);
        bad++;
    }
    if (strcmp(reason, "-") != 0) {
        bool named = false;
        size_t index;
        const json_t *because;
        json_array_foreach(json_object_get(trace->summary, "incomplete_because"), index, because)
        {
            const char *name = json_string_value(json_object_get(because, "reason"));
            named = named || (name != NULL && strcmp(name, reason) == 0);
        }
        if (!named) {
            printf("  the reason %s is not named\n", reason);
            bad++;
        }
    }
    const json_t *root = json_object_get(trace->summary, "root_exit");
    const json_t *code = json_object_get(root, "code"), *signal = json_object_get(root, "signal");
    char said[64] = "neither code nor signal";
    if (json_is_integer(code) && signal == NULL)
        (void)snprintf(said, sizeof said, "exit %lld", (long long)json_integer_value(code));
    else if (json_is_integer(signal) && code == NULL)
        (void)snprintf(said, sizeof said, "signal %lld", (long long)json_integer_value(signal));
    if (strcmp(said, status) != 0) {
        printf("  root_exit says %s instead of %s\n", said, status);
        bad++;
    }
    return bad;
}

int main(int argc, char **argv)
{
    bool unknown_too = argc > 1 && strcmp(argv[1], "--errors-unknown") == 0;
    argc -= unknown_too;
    argv += unknown_too;
    if (argc != 8) {
        fputs("check_trace: wrong usage; see the head of check_trace.c\n", stderr);
        return 2;
    }
    struct trace trace;
    unsigned bad = trace_read(argv[7], &trace);
    bad += check_expected(argv[3], argv[1], argv[2], unknown_too, &trace);
    if (trace.summary != NULL)
        bad += check_end(&trace, argv[4], argv[5], argv[6]);
    trace_free(&trace);
    return bad == 0 ? 0 : 1;
}
