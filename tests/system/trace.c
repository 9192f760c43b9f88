/* SPDX-License-Identifier: MIT */
/* Reads a trace and checks each line against the documented format. */
#include "tests/system/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static void *or_exit(void *memory)
{
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        exit(3);
    }
    return memory;
}

unsigned access_parse(const char *words)
{
    static const char *const names[] = {"read", "write", "list"};
    unsigned bits = 0;
    while (*words != 0) {
        size_t size = strcspn(words, ",");
        unsigned bit = 0;
        for (unsigned i = 0; i < ARRAY_LEN(names); i++)
            if (strlen(names[i]) == size && memcmp(names[i], words, size) == 0)
                bit = 1U << i;
        if (bit == 0)
            return 0;
        bits |= bit;
        words += size + (words[size] == ',');
    }
    return bits;
}

bool path_is_normal(const char *path)
{
    if (path[0] != '/')
        return false;
    for (const char *part = path + 1; *part != 0;) {
        size_t size = strcspn(part, "/");
        if (size == 0 || (size == 1 && part[0] == '.') || (size == 2 && memcmp(part, "..", 2) == 0))
            return false;
        if (part[size] == '/' && part[size + 1] == 0)
            return false;
        part += size + (part[size] == '/');
    }
    return true;
}

char *path_join(const char *folder, const char *path)
{
    size_t folder_size = path[0] == '/' ? 0 : strlen(folder);
    size_t size = folder_size + strlen(path) + 2;
    char *whole = or_exit(malloc(size));
    char *out = or_exit(malloc(size));
    (void)snprintf(whole, size, "%s%s%s", folder_size != 0 ? folder : "",
                   folder_size != 0 ? "/" : "", path);
    size_t used = 0;
    for (const char *part = whole; *part != 0;) {
        size_t length = strcspn(part, "/");
        if (length == 2 && memcmp(part, "..", 2) == 0) {
            while (used > 0 && out[--used] != '/')
                ;
        } else if (length > 0 && !(length == 1 && part[0] == '.')) {
            out[used++] = '/';
            memcpy(out + used, part, length);
            used += length;
        }
        part += length + (part[length] == '/');
    }
    if (used == 0)
        out[used++] = '/';
    out[used] = 0;
    free(whole);
    return out;
}

/* @return the bytes, or NULL when it is not base64 of bytes without a NUL */
static char *base64_decode(const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t length = strlen(text), used = 0;
    char *out = or_exit(malloc(length + 1));
    if (length == 0 || length % 4 != 0)
        goto bad;
    for (size_t i = 0; i < length; i += 4) {
        unsigned bits = 0, pads = 0;
        for (size_t j = i; j < i + 4; j++) {
            const char *digit = strchr(digits, text[j]);
            bool pad = text[j] == '=' && j + 2 >= length;
            if (!pad && (digit == NULL || pads > 0))
                goto bad;
            pads += pad;
            bits = bits << 6 | (pad ? 0 : (unsigned)(digit - digits));
        }
        for (unsigned j = 0; j + pads < 3; j++)
            out[used++] = (char)(bits >> (16 - 8 * j) & 0xff);
    }
    out[used] = 0;
    if (memchr(out, 0, used) != NULL)
        goto bad;
    return out;
bad:
    free(out);
    return NULL;
}

static const char *string_of(const json_t *line, const char *key)
{
    const char *text = json_string_value(json_object_get(line, key));
    return text != NULL ? text : "";
}

/* @return what is wrong with the line, or NULL */
static const char *read_access(const json_t *line, struct access *out)
{
    const json_t *words = json_object_get(line, "access"), *word;
    size_t index;
    json_array_foreach(words, index, word)
    {
        unsigned bit = json_is_string(word) ? access_parse(json_string_value(word)) : 0;
        if (bit == 0 || (out->access & bit) != 0)
            return "an access that is unknown or there twice";
        out->access |= bit;
    }
    if (out->access == 0)
        return "no access";
    if (json_integer_value(json_object_get(line, "pid")) <= 0)
        return "no pid";
    const char *op = string_of(line, "op");
    if (op[0] == 0 || op[strspn(op, "abcdefghijklmnopqrstuvwxyz0123456789_")] != 0)
        return "no op";
    const json_t *path = json_object_get(line, "path"),
                 *base64 = json_object_get(line, "path_base64");
    if ((path == NULL) == (base64 == NULL))
        return "neither or both of path and path_base64";
    if (path != NULL) {
        if (json_string_length(path) != strlen(string_of(line, "path")))
            return "a NUL in the path";
        out->path = or_exit(strdup(string_of(line, "path")));
    } else {
        out->path = base64_decode(string_of(line, "path_base64"));
        if (out->path == NULL)
            return "path_base64 is not base64";
        json_t *text = json_string(out->path);
        json_decref(text);
        if (text != NULL)
            return "path_base64 for a path that is UTF-8";
    }
    if (out->path[0] == '/' && !path_is_normal(out->path))
        return "a path that is not normal";
    const json_t *error = json_object_get(line, "error");
    const char *name = json_is_null(error) ? "-" : string_of(line, "error");
    if (strcmp(name, "-") != 0 && strcmp(name, "unknown") != 0 &&
        (name[0] != 'E' || name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")] != 0))
        return "an error that is neither null, the name of one nor unknown";
    out->op = or_exit(strdup(op));
    out->error = or_exit(strdup(name));
    return NULL;
}

static const char *check_summary(const json_t *line, size_t accesses)
{
    const json_t *complete = json_object_get(line, "complete");
    const json_t *because = json_object_get(line, "incomplete_because"), *reason;
    size_t index;
    if (!json_is_boolean(complete))
        return "complete is no boolean";
    if (!json_is_array(because) || json_is_true(complete) != (json_array_size(because) == 0))
        return "complete and incomplete_because do not agree";
    json_array_foreach(because, index, reason)
    {
        if (string_of(reason, "reason")[0] == 0)
            return "a reason without a name";
    }
    if (!json_is_integer(json_object_get(line, "lost")) ||
        !json_is_integer(json_object_get(line, "processes")))
        return "no lost or processes";
    if (json_is_true(complete) && json_integer_value(json_object_get(line, "lost")) != 0)
        return "complete although accesses were lost";
    if (json_integer_value(json_object_get(line, "accesses")) < (json_int_t)accesses)
        return "fewer accesses than lines";
    const char *guarantee = string_of(line, "guarantee");
    if (strcmp(guarantee, "calls") != 0 && strcmp(guarantee, "kernel") != 0)
        return "an unknown guarantee";
    return NULL;
}

/* A path whose folder could not be read is no whole one, and the summary says so. */
static const char *check_unknown(const json_t *line, const struct trace *trace)
{
    const json_t *reason;
    size_t index;
    bool told = false;
    json_array_foreach(json_object_get(line, "incomplete_because"), index, reason) told =
        told || strcmp(string_of(reason, "reason"), "path-unknown") == 0;
    for (size_t i = 0; i < trace->count && !told; i++)
        if (trace->list[i].path[0] != '/')
            return "a path is not absolute, and the summary does not say so";
    return NULL;
}

static void access_free(struct access *access)
{
    free(access->op);
    free(access->path);
    free(access->error);
}

unsigned trace_read(const char *path, struct trace *out)
{
    *out = (struct trace){0};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        return 1;
    }
    unsigned bad = 0;
    size_t capacity = 0, line_size = 0, number = 0;
    char *text = NULL;
    for (ssize_t size; (size = getline(&text, &line_size, file)) > 0;) {
        const char *wrong = NULL;
        struct access access = {0};
        number++;
        json_t *line = json_loadb(text, (size_t)size, 0, NULL);
        if (!json_is_object(line) || text[size - 1] != '\n')
            wrong = "not a JSON object on a line of its own";
        else if (out->summary != NULL)
            wrong = "a line after the summary";
        else if (strcmp(string_of(line, "type"), "summary") == 0) {
            wrong = check_summary(line, out->count);
            if (wrong == NULL)
                wrong = check_unknown(line, out);
            out->summary = json_incref(line);
        } else if (strcmp(string_of(line, "type"), "access") == 0)
            wrong = read_access(line, &access);
        else
            wrong = "an unknown type";
        json_decref(line);
        if (access.error != NULL) {
            if (out->count == capacity) {
                capacity = capacity != 0 ? 2 * capacity : 1024;
                out->list = or_exit(realloc(out->list, capacity * sizeof *out->list));
            }
            out->list[out->count++] = access;
        } else
            access_free(&access);
        if (wrong != NULL && bad++ < 10)
            fprintf(stderr, "%s:%zu: %s: %.300s", path, number, wrong, text);
    }
    free(text);
    (void)fclose(file); /* read only */
    if (out->summary == NULL) {
        fprintf(stderr, "%s: no summary line\n", path);
        bad++;
    }
    return bad;
}

void trace_free(struct trace *trace)
{
    for (size_t i = 0; i < trace->count; i++)
        access_free(&trace->list[i]);
    free(trace->list);
    json_decref(trace->summary);
    *trace = (struct trace){0};
}
