/* SPDX-License-Identifier: MIT */
/*
 * Reduces the output of `strace -f -y -xx -e trace=%file,...` to absolute, lexically normal paths:
 *   strace_paths CWD LOG
 * writes `path NUL call NUL` for every path of every call. The path is empty where the call's is,
 * and `?` where its folder is not known (a bad descriptor or a removed folder). With -xx all that
 * the program chose is hexadecimal, so that nothing in a name can look like syntax.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "tests/system/trace.h"

#define TASKS_MAX 65536

/* A folder that tasks may share (CLONE_FS); NULL when it has been removed. */
struct folder {
    char *path;
    unsigned users;
};

struct task {
    long tid;
    struct folder *folder;
    char *unfinished; /* begin of a call whose end comes later */
};

struct argument {
    char *text; /* bytes of the string, or of the path of the descriptor; NULL for none */
    enum { ARGUMENT_OTHER, ARGUMENT_STRING, ARGUMENT_DESCRIPTOR } kind;
    bool is_cwd; /* AT_FDCWD */
};

static struct task *tasks;
static size_t task_count;

static void *or_exit(void *memory)
{
    if (memory == NULL) {
        fputs("strace_paths: out of memory\n", stderr);
        exit(3);
    }
    return memory;
}

static struct folder *folder_new(char *path)
{
    struct folder *folder = or_exit(malloc(sizeof *folder));
    *folder = (struct folder){.path = path, .users = 1};
    return folder;
}

static struct folder *folder_copy(const struct folder *from)
{
    return folder_new(from->path != NULL ? or_exit(strdup(from->path)) : NULL);
}

static void folder_leave(struct folder *folder)
{
    if (folder != NULL && --folder->users == 0) {
        free(folder->path);
        free(folder);
    }
}

static struct task *task_find(long tid)
{
    for (size_t i = task_count; i > 0; i--)
        if (tasks[i - 1].tid == tid)
            return &tasks[i - 1];
    return NULL;
}

static void task_empty(struct task *task)
{
    folder_leave(task->folder);
    free(task->unfinished);
}

/* A new task, in the place of @task unless that is NULL. @folder becomes the new one's. */
static struct task *task_put(struct task *task, long tid, struct folder *folder)
{
    if (task != NULL) {
        task_empty(task);
    } else if (task_count < TASKS_MAX) {
        task = &tasks[task_count++];
    } else {
        fputs("strace_paths: too many tasks\n", stderr);
        exit(3);
    }
    *task = (struct task){.tid = tid, .folder = folder};
    return task;
}

static void task_drop(struct task *task)
{
    task_empty(task);
    *task = tasks[--task_count];
}

/* Reads \xHH bytes up to @end. @return the caller's */
static char *unhex(const char **at, char end)
{
    size_t used = 0;
    char *out = or_exit(malloc(strlen(*at) / 4 + 1));
    while (**at != 0 && **at != end) {
        char hex[3] = {0};
        if (strncmp(*at, "\\x", 2) != 0 || (*at)[2] == 0 || (*at)[3] == 0) {
            (*at)++; /* a plain character, as in <pipe:[1]> */
            continue;
        }
        memcpy(hex, *at + 2, 2);
        out[used++] = (char)strtoul(hex, NULL, 16);
        *at += 4;
    }
    *at += **at == end;
    out[used] = 0;
    return out;
}

/* Skips to the ',' or ')' that ends the argument. */
static const char *skip_argument(const char *at)
{
    int depth = 0;
    for (; *at != 0; at++) {
        if (*at == '"') {
            at++;
            free(unhex(&at, '"'));
            at--;
        } else if (strchr("([{<", *at) != NULL)
            depth++;
        else if (depth > 0 && strchr(")]}>", *at) != NULL)
            depth--;
        else if (depth == 0 && (*at == ',' || *at == ')'))
            break;
    }
    return at;
}

/* @at after the '('. @return how many, and *end after the ')' */
static size_t parse_arguments(const char *at, struct argument *out, size_t limit, const char **end)
{
    size_t count = 0;
    while (*at != 0 && *at != ')') {
        struct argument argument = {.kind = ARGUMENT_OTHER};
        at += strspn(at, ", ");
        argument.is_cwd = strncmp(at, "AT_FDCWD", 8) == 0;
        size_t digits = argument.is_cwd ? 8 : strspn(at, "-0123456789");
        if (*at == '"') {
            at++;
            argument.kind = ARGUMENT_STRING;
            argument.text = unhex(&at, '"');
        } else if (digits > 0 && strchr("<,)", at[digits]) != NULL) {
            argument.kind = ARGUMENT_DESCRIPTOR;
            if (at[digits] == '<') {
                at += digits + 1;
                argument.text = unhex(&at, '>');
            }
        }
        at = skip_argument(at);
        if (count < limit)
            out[count++] = argument;
        else
            free(argument.text);
    }
    *end = *at == ')' ? at + 1 : at;
    return count;
}

static void emit(const char *path, const char *call)
{
    fwrite(path, 1, strlen(path) + 1, stdout);
    fwrite(call, 1, strlen(call) + 1, stdout);
}

/* How many strings of a call are paths: the rest are buffers, attribute names and the like. */
static size_t paths_of(const char *call)
{
    static const char *const two[] = {"rename", "renameat", "renameat2",  "link",
                                      "linkat", "mount",    "move_mount", "pivot_root"};
    if (strcmp(call, "getcwd") == 0)
        return 0; /* what it writes */
    for (size_t i = 0; i < ARRAY_LEN(two); i++)
        if (strcmp(call, two[i]) == 0)
            return 2;
    return 1;
}

/* @return the caller's: absolute and normal, "" or "?" */
static char *absolute(const struct task *task, const struct argument *folder, const char *path)
{
    const char *base = task->folder->path;
    if (path[0] == 0)
        return or_exit(strdup(""));
    if (path[0] != '/' && folder != NULL && !(folder->is_cwd && folder->text == NULL))
        base = folder->text;
    size_t size = base != NULL ? strlen(base) : 0;
    bool removed = size > 10 && strcmp(base + size - 10, " (deleted)") == 0;
    if (path[0] != '/' && (base == NULL || base[0] != '/' || removed))
        return or_exit(strdup("?"));
    return path_join(base != NULL ? base : "/", path);
}

static void emit_paths(const struct task *task, const char *call, const struct argument *arguments,
                       size_t count)
{
    size_t left = paths_of(call);
    bool skip_target = strncmp(call, "symlink", 7) == 0;
    /* These take a descriptor that is no folder for the path after it. */
    bool own_descriptor = strncmp(call, "inotify_add_watch", 17) == 0;
    const struct argument *folder = NULL;
    for (size_t i = 0; i < count && left > 0; i++) {
        if (arguments[i].kind == ARGUMENT_DESCRIPTOR)
            folder = own_descriptor ? NULL : &arguments[i];
        if (arguments[i].kind != ARGUMENT_STRING)
            continue;
        if (skip_target) {
            skip_target = false;
            continue;
        }
        char *path = absolute(task, folder, arguments[i].text);
        emit(path, call);
        free(path);
        folder = NULL;
        left--;
    }
}

/* The kernel's idea of the folder: links resolved, as far as they are still there. */
static void change_folder(struct task *task, char *path)
{
    char *real = path[0] == '/' ? realpath(path, NULL) : NULL;
    free(task->folder->path);
    task->folder->path = real != NULL ? real : path[0] == '/' ? or_exit(strdup(path)) : NULL;
    free(path);
}

static void unshare_folder(struct task *task)
{
    struct folder *own = folder_copy(task->folder);
    folder_leave(task->folder);
    task->folder = own;
}

static bool is_clone(const char *call)
{
    return strcmp(call, "clone") == 0 || strcmp(call, "clone3") == 0 || strcmp(call, "fork") == 0 ||
           strcmp(call, "vfork") == 0;
}

/* A whole call, "name(arguments) = result". */
static void whole_call(struct task *task, const char *text)
{
    char call[64];
    size_t size = strcspn(text, "(");
    if (text[size] == 0 || size >= sizeof call)
        return;
    memcpy(call, text, size);
    call[size] = 0;
    struct argument arguments[8];
    const char *end;
    size_t count = parse_arguments(text + size + 1, arguments, ARRAY_LEN(arguments), &end);
    const char *result = strchr(end, '=');
    bool success = result != NULL && result[1] == ' ' && result[2] != '-' && result[2] != '?';
    /* strace knows the folder better than what was followed here. */
    for (size_t i = 0; i < count; i++)
        if (arguments[i].is_cwd && arguments[i].text != NULL && arguments[i].text[0] == '/') {
            size_t length = strlen(arguments[i].text);
            bool removed =
                length > 10 && strcmp(arguments[i].text + length - 10, " (deleted)") == 0;
            free(task->folder->path);
            task->folder->path = removed ? NULL : or_exit(strdup(arguments[i].text));
        }
    if (!is_clone(call) && strcmp(call, "fchdir") != 0 && strcmp(call, "unshare") != 0)
        emit_paths(task, call, arguments, count);
    if (success && strcmp(call, "chdir") == 0 && count > 0 && arguments[0].text != NULL)
        change_folder(task, absolute(task, NULL, arguments[0].text));
    else if (success && strcmp(call, "fchdir") == 0 && count > 0 && arguments[0].text != NULL)
        change_folder(task, or_exit(strdup(arguments[0].text)));
    else if (success && strcmp(call, "chroot") == 0)
        change_folder(task, or_exit(strdup("?")));
    else if (success && strcmp(call, "unshare") == 0 && strstr(text, "CLONE_FS") != NULL)
        unshare_folder(task);
    for (size_t i = 0; i < count; i++)
        free(arguments[i].text);
}

/*
 * A child may be seen before the clone of its parent returns. So the log is read once before, for
 * the number that each clone returned: children[line of the begin] = tid.
 */
struct birth {
    size_t line; /* where the clone begins */
    long child;
    bool shares_folder;
};

struct log {
    char **lines;
    size_t count;
    struct birth *births; /* in the order of .line */
    size_t birth_count;
};

static long line_tid(char **line)
{
    char *end;
    long tid = strtol(*line, &end, 10);
    if (end == *line)
        return 0;
    *line = end + strspn(end, " ");
    return tid;
}

static void log_read(FILE *file, struct log *out)
{
    size_t capacity = 0, size = 0;
    char *line = NULL;
    while (getline(&line, &size, file) > 0) {
        if (out->count == capacity) {
            capacity = capacity != 0 ? 2 * capacity : 4096;
            out->lines = or_exit(realloc(out->lines, capacity * sizeof *out->lines));
        }
        line[strcspn(line, "\n")] = 0;
        out->lines[out->count++] = line;
        line = NULL;
        size = 0;
    }
    free(line);
}

static int compare_births(const void *a, const void *b)
{
    const struct birth *left = a, *right = b;
    return (left->line > right->line) - (left->line < right->line);
}

static void log_find_births(struct log *log)
{
    struct {
        long tid;
        size_t line;
    } *open = or_exit(calloc(TASKS_MAX, sizeof *open));
    size_t open_count = 0;
    log->births = or_exit(calloc(log->count + 1, sizeof *log->births));
    for (size_t i = 0; i < log->count; i++) {
        char *line = log->lines[i];
        long tid = line_tid(&line);
        bool resumed = strncmp(line, "<... ", 5) == 0;
        char call[16] = {0};
        const char *name = resumed ? line + 5 : line;
        memcpy(call, name, strcspn(name, "( ") < 15 ? strcspn(name, "( ") : 15);
        if (!is_clone(call))
            continue;
        if (strstr(line, "<unfinished ...>") != NULL) {
            if (open_count < TASKS_MAX) {
                open[open_count].tid = tid;
                open[open_count++].line = i;
            }
            continue;
        }
        size_t begin = i;
        for (size_t j = 0; resumed && j < open_count; j++)
            if (open[j].tid == tid) {
                begin = open[j].line;
                open[j] = open[--open_count];
                break;
            }
        const char *result = strrchr(line, '=');
        long child = result != NULL ? strtol(result + 1, NULL, 10) : 0;
        if (child > 0)
            log->births[log->birth_count++] = (struct birth){
                begin, child,
                strstr(log->lines[begin], "CLONE_FS") != NULL || strstr(line, "CLONE_FS") != NULL};
    }
    free(open);
    qsort(log->births, log->birth_count, sizeof *log->births, compare_births);
}

static void task_born(const struct birth *birth, const struct task *parent)
{
    struct folder *folder = parent->folder;
    if (birth->shares_folder)
        folder->users++;
    else
        folder = folder_copy(folder);
    (void)task_put(task_find(birth->child), birth->child, folder);
}

static void log_line(char *line, struct task *task)
{
    static const char changed[] = " <pid changed to ", unfinished[] = " <unfinished ...>";
    char *cut = strstr(line, changed);
    if (cut != NULL) { /* a thread execs and takes the number of the first one */
        long leader = strtol(cut + sizeof changed - 1, NULL, 10);
        *cut = 0;
        struct folder *folder = task->folder;
        task->folder = NULL; /* moved to the leader */
        task_drop(task);
        task = task_put(task_find(leader), leader, folder);
        task->unfinished = or_exit(strdup(line));
        return;
    }
    cut = strstr(line, unfinished);
    if (cut != NULL && cut[sizeof unfinished - 1] == 0) {
        *cut = 0;
        free(task->unfinished);
        task->unfinished = or_exit(strdup(line));
        return;
    }
    if (strncmp(line, "<... ", 5) == 0) {
        const char *rest = strstr(line, " resumed>");
        if (rest == NULL || task->unfinished == NULL)
            return;
        rest += strlen(" resumed>");
        size_t size = strlen(task->unfinished) + strlen(rest) + 1;
        char *whole = or_exit(malloc(size));
        (void)snprintf(whole, size, "%s%s", task->unfinished, rest);
        free(task->unfinished);
        task->unfinished = NULL;
        whole_call(task, whole);
        free(whole);
        return;
    }
    if (strncmp(line, "+++", 3) == 0) {
        if (strstr(line, "superseded") != NULL)
            return;
        /* Killed inside a call: the attempt counts, its end is not known. */
        if (task->unfinished != NULL)
            whole_call(task, task->unfinished);
        task_drop(task);
        return;
    }
    if (strncmp(line, "---", 3) != 0)
        whole_call(task, line);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: strace_paths CWD LOG\n", stderr);
        return 2;
    }
    FILE *file = fopen(argv[2], "r");
    if (file == NULL) {
        perror(argv[2]);
        return 3;
    }
    struct log log = {0};
    log_read(file, &log);
    (void)fclose(file); /* read only */
    log_find_births(&log);
    tasks = or_exit(calloc(TASKS_MAX, sizeof *tasks));
    size_t next_birth = 0;
    for (size_t i = 0; i < log.count; i++) {
        char *line = log.lines[i];
        long tid = line_tid(&line);
        if (tid <= 0)
            continue;
        struct task *task = task_find(tid);
        if (task == NULL) {
            if (i != 0)
                fprintf(stderr, "strace_paths: line %zu: task %ld comes from nowhere\n", i + 1,
                        tid);
            task = task_put(NULL, tid, folder_new(or_exit(strdup(argv[1]))));
        }
        for (; next_birth < log.birth_count && log.births[next_birth].line == i; next_birth++)
            task_born(&log.births[next_birth], task);
        log_line(line, task);
    }
    for (size_t i = 0; i < log.count; i++)
        free(log.lines[i]);
    free(log.lines);
    free(log.births);
    for (size_t i = 0; i < task_count; i++)
        task_empty(&tasks[i]);
    free(tasks);
    return fflush(stdout) == 0 ? 0 : 3;
}
