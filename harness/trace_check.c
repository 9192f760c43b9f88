/* SPDX-License-Identifier: MIT */
/* Does a trace hold every path? One hash look-up an access, so that each run can be checked. */
#include "harness/trace_check.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "common/num.h"
#include "common/proc.h"
#include "harness/json.h"

#define MAX_PATHS (1u << 24)
#define MAX_PRINTED_BYTES (256u << 20)
#define MAX_MESSAGE_BYTES 4096u

/** An element of the hash table; free while `path` is NULL. */
struct slot {
    const char *path; /**< into `text` */
    size_t length;
    uint64_t seen_in; /**< the pass that saw it last */
};

struct tt_paths {
    char *text;         /**< owned copy of the lines */
    struct slot *slots; /**< owned; a power of two, at most half full */
    size_t slots_count;
    size_t count;
    uint64_t pass; /**< from 1 */
    size_t seen;
};

/** FNV-1a, 64 bits (Fowler, Noll, Vo). */
static uint64_t hash_bytes(const char *data, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)data[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/** The slot of a path, or the free one where it belongs. */
static struct slot *find(const struct tt_paths *paths, const char *path, size_t length)
{
    size_t mask = paths->slots_count - 1;
    size_t i = (size_t)hash_bytes(path, length) & mask;

    while (paths->slots[i].path &&
           (paths->slots[i].length != length || memcmp(paths->slots[i].path, path, length) != 0))
        i = (i + 1) & mask;
    return &paths->slots[i];
}

/** The next line that is not empty; @rest is moved on. */
static const char *next_line(const char **rest, const char *end, size_t *length)
{
    while (*rest < end) {
        const char *line = *rest;
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        *length = (size_t)((newline ? newline : end) - line);
        *rest = newline ? newline + 1 : end;
        if (*length)
            return line;
    }
    return NULL;
}

int tt_paths_new(const char *lines, size_t size_bytes, struct tt_paths **out)
{
    struct tt_paths *paths = calloc(1, sizeof(*paths));
    size_t lines_count = 1, length;
    int ret = -ENOMEM;

    *out = NULL;
    if (!paths)
        return -ENOMEM;
    for (size_t i = 0; i < size_bytes; i++)
        lines_count += lines[i] == '\n';
    if (lines_count > MAX_PATHS) {
        ret = -EFBIG;
        goto out;
    }
    paths->slots_count = 2;
    while (paths->slots_count < 2 * lines_count)
        paths->slots_count *= 2;
    paths->pass = 1;
    paths->slots = calloc(paths->slots_count, sizeof(*paths->slots));
    paths->text = malloc(size_bytes + 1);
    if (!paths->slots || !paths->text)
        goto out;
    if (size_bytes)
        memcpy(paths->text, lines, size_bytes);

    const char *rest = paths->text;
    const char *line;
    while ((line = next_line(&rest, paths->text + size_bytes, &length))) {
        struct slot *slot = find(paths, line, length);
        if (slot->path)
            continue;
        *slot = (struct slot){.path = line, .length = length};
        paths->count++;
    }
    *out = paths;
    paths = NULL; /* moved into *out */
    ret = 0;
out:
    tt_paths_free(paths);
    return ret;
}

void tt_paths_free(struct tt_paths *paths)
{
    if (!paths)
        return;
    free(paths->slots);
    free(paths->text);
    free(paths);
}

size_t tt_paths_count(const struct tt_paths *paths)
{
    return paths->count;
}

void tt_paths_restart(struct tt_paths *paths)
{
    paths->pass++;
    paths->seen = 0;
}

void tt_paths_see(struct tt_paths *paths, const char *path, size_t length)
{
    struct slot *slot = find(paths, path, length);
    if (!slot->path || slot->seen_in == paths->pass)
        return;
    slot->seen_in = paths->pass;
    paths->seen++;
}

size_t tt_paths_seen(const struct tt_paths *paths)
{
    return paths->seen;
}

const char *tt_paths_unseen(const struct tt_paths *paths, size_t *length)
{
    for (size_t i = 0; i < paths->slots_count; i++) {
        if (paths->slots[i].path && paths->slots[i].seen_in != paths->pass) {
            *length = paths->slots[i].length;
            return paths->slots[i].path;
        }
    }
    *length = 0;
    return NULL;
}

int tt_trace_take(const void *data, size_t size_bytes, struct tt_paths *paths, uint64_t *accesses)
{
    const char *next = data;
    const char *end = next + size_bytes;

    *accesses = 0;
    while (next < end) {
        const char *field[3];
        size_t length[3];
        for (int i = 0; i < 3; i++) {
            const char *nul = memchr(next, '\0', (size_t)(end - next));
            if (!nul)
                return -EPROTO;
            field[i] = next;
            length[i] = (size_t)(nul - next);
            next = nul + 1;
        }
        tt_paths_see(paths, field[1], length[1]);
        ++*accesses;
    }
    return 0;
}

/** Run `filetrace print`; @out and @message are the caller's buffers. */
static int print_trace(const char *filetrace, const char *format, const char *trace_path,
                       struct buf *out, struct buf *message, struct err *err)
{
    const char *const call[] = {filetrace, "print", "--all",    "-f", format,
                                "-o",      "-",     trace_path, NULL};
    const struct proc_spec spec = {.argv = call,
                                   .in = PROC_NULL,
                                   .out = PROC_CAPTURE,
                                   .out_buf = out,
                                   .err = PROC_CAPTURE,
                                   .err_buf = message};
    struct proc_result result;

    int ret = proc_run(&spec, &result, err);
    if (ret)
        return ret;
    if (result.signal || result.exit_code)
        return err_set(err, -EIO, "%s print failed with %s %d: %.*s", filetrace,
                       result.signal ? "signal" : "exit status",
                       result.signal ? result.signal : result.exit_code,
                       message->data ? (int)strcspn(message->data, "\n") : 0,
                       message->data ? message->data : "");
    if (out->size_bytes == out->limit_bytes)
        return err_set(err, -EFBIG, "the trace is larger than %zu bytes when printed",
                       out->limit_bytes);
    return 0;
}

/** The summary is the last line of the JSON form: how much was lost, and is it complete? */
static int take_summary(const char *filetrace, const char *trace_path, struct tt_trace_check *check,
                        struct err *err)
{
    const struct tt_json_at at = {.input = "the trace", .format = "a trace's summary", .err = err};
    struct buf text, message;
    json_t *root = NULL;
    uint64_t lost;
    bool complete;

    buf_init(&text, MAX_PRINTED_BYTES);
    buf_init(&message, MAX_MESSAGE_BYTES);
    int ret = print_trace(filetrace, "json", trace_path, &text, &message, err);
    if (ret)
        goto out;
    while (text.size_bytes && text.data[text.size_bytes - 1] == '\n')
        buf_truncate(&text, text.size_bytes - 1);
    const char *line = text.data ? strrchr(text.data, '\n') : NULL;
    line = line ? line + 1 : text.data ? text.data : "";
    ret = tt_json_parse(&at, line, strlen(line), &root);
    if (!ret)
        ret = tt_json_u64(&at, root, "lost", 0, TT_JSON_MAX_INTEGER, &lost);
    if (!ret)
        ret = tt_json_bool(&at, root, "complete", &complete);
    if (!ret && lost > TT_JSON_MAX_INTEGER - check->lost)
        ret = tt_json_refuse(&at, "lost", "too many");
    if (ret)
        goto out;
    check->lost += lost;
    check->complete = check->complete && complete;
out:
    json_decref(root);
    buf_fini(&message);
    buf_fini(&text);
    return ret;
}

int tt_trace_check(const char *filetrace, const char *trace_path, struct tt_paths *paths,
                   bool first, struct tt_trace_check *check, struct err *err)
{
    struct buf text, message;
    uint64_t accesses;

    if (first)
        *check = (struct tt_trace_check){.checked = true, .complete = true};
    buf_init(&text, MAX_PRINTED_BYTES);
    buf_init(&message, MAX_MESSAGE_BYTES);
    tt_paths_restart(paths);
    int ret = print_trace(filetrace, "nul", trace_path, &text, &message, err);
    if (ret)
        goto out;
    ret = tt_trace_take(text.data ? text.data : "", text.size_bytes, paths, &accesses);
    if (ret) {
        (void)err_set(err, ret, "what %s printed of the trace is cut", filetrace);
        goto out;
    }
    size_t seen = tt_paths_seen(paths);
    check->expected = tt_paths_count(paths);
    check->recorded_min = first || seen < check->recorded_min ? seen : check->recorded_min;
    check->accesses_min = first || accesses < check->accesses_min ? accesses : check->accesses_min;
    check->accesses_max = accesses > check->accesses_max ? accesses : check->accesses_max;
    /* An incomplete trace is one warning; only then is the longer form worth its time. */
    if (message.size_bytes)
        ret = take_summary(filetrace, trace_path, check, err);
out:
    buf_fini(&message);
    buf_fini(&text);
    return ret;
}
