/* SPDX-License-Identifier: MIT */
/*
 * hyperfine 1.15 and later, one call a run: no version interleaves commands by itself
 * (sharkdp/hyperfine#21). Its traps, each met below:
 *  - it splits the command into words even with -N, so every argument is quoted;
 *  - without -N it would subtract a shell's start time, and clamp to 0;
 *  - a failing command ends it with 1 and an empty JSON file: -i, and the code is read
 *    from exit_codes, where signal n is 128 + n;
 *  - a missing program ends it with 1 even with -i, and leaves the file empty;
 *  - an argument that is not UTF-8 ends it with 2;
 *  - "--export-json -" means a file of that name before 1.16: a real path is given;
 *  - --runs 0 never ends: always 1 here;
 *  - times are in seconds; stddev is null for one run; 1.20 adds memory_usage_byte.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "common/num.h"
#include "common/proc.h"
#include "harness/argv.h"
#include "harness/engine.h"
#include "harness/json.h"
#include "harness/result.h"

#define OLDEST_MINOR 15u
#define MAX_EXPORT_BYTES (1u << 20)
#define MAX_MESSAGE_BYTES 16384u
#define MAX_COMMAND_BYTES 131071u /* one argument of execve(2), MAX_ARG_STRLEN without its NUL */
#define NS_PER_S 1e9

int tt_engine_parse_hyperfine(const void *data, size_t size_bytes, struct tt_timing *out,
                              struct err *err)
{
    const struct tt_json_at at = {
        .input = "what hyperfine wrote", .format = "its JSON", .err = err};
    json_t *root = NULL, *array;
    uint64_t code = 0;

    *out = (struct tt_timing){0};
    int ret = tt_json_parse(&at, data, size_bytes, &root);
    if (!ret)
        ret = tt_json_array(&at, root, "results", 1, false, &array);
    if (ret)
        goto out;
    const json_t *run = json_array_get(array, 0);
    const json_t *times = json_object_get(run, "times");
    const json_t *codes = json_object_get(run, "exit_codes");
    if (json_array_size(times) != 1 || json_array_size(codes) != 1) {
        ret = tt_json_refuse(&at, "results[0]", "not one time and one exit code");
        goto out;
    }
    const json_t *seconds = json_array_get(times, 0);
    double ns = json_number_value(seconds) * NS_PER_S;
    const json_t *exit_code = json_array_get(codes, 0);
    if (!json_is_number(seconds) || !(ns >= 0 && ns <= (double)TT_RESULT_MAX_SAMPLE_NS))
        ret = tt_json_refuse(&at, "results[0].times[0]", "not from 0 to a day");
    else if (!json_is_integer(exit_code) || json_integer_value(exit_code) < 0 ||
             json_integer_value(exit_code) > 255)
        ret = tt_json_refuse(&at, "results[0].exit_codes[0]", "not from 0 to 255");
    else
        code = (uint64_t)json_integer_value(exit_code);
    if (!ret)
        *out = (struct tt_timing){.wall_ns = (uint64_t)llround(ns), .exit_code = (int)code};
out:
    json_decref(root);
    return ret;
}

static bool is_utf8(const char *text)
{
    json_t *value = json_string(text);
    json_decref(value);
    return value != NULL;
}

/** The command as the one argument that hyperfine splits again. */
static int quote(const char *const *argv, struct buf *out, struct err *err)
{
    for (size_t i = 0; argv[i]; i++) {
        if (!is_utf8(argv[i]))
            return err_set(err, -EILSEQ,
                           "cannot run %s: hyperfine takes no argument that is not UTF-8; "
                           "use --engine builtin",
                           argv[0]);
    }
    int ret = tt_argv_quote(argv, out);
    if (ret == -EFBIG)
        return err_set(err, -E2BIG,
                       "cannot run %s: hyperfine takes commands of at most %u bytes; "
                       "use --engine builtin",
                       argv[0], MAX_COMMAND_BYTES);
    return ret ? err_set(err, ret, "cannot run %s: %s", argv[0], err_text(ret)) : 0;
}

/** The line with its reason out of hyperfine's message. */
static void message_line(const struct buf *message, char *out, size_t out_size)
{
    const char *line = message->data ? strstr(message->data, "rror: ") : NULL;

    line = line ? line + strlen("rror: ") : "it gave no reason";
    (void)snprintf(out, out_size, "%.*s", (int)strcspn(line, "\r\n"), line);
}

static int time_hyperfine(const struct tt_engine *engine, const char *const *argv,
                          struct tt_timing *out, struct err *err)
{
    struct buf command, message, export;
    struct proc_result result;
    char reason[200];

    *out = (struct tt_timing){0};
    buf_init(&command, MAX_COMMAND_BYTES);
    buf_init(&message, MAX_MESSAGE_BYTES);
    buf_init(&export, MAX_EXPORT_BYTES);
    int ret = quote(argv, &command, err);
    if (ret)
        goto out;
    const char *const call[] = {engine->program,
                                "-N",
                                "--runs",
                                "1",
                                "--warmup",
                                "0",
                                "--style",
                                "none",
                                "-i",
                                "--export-json",
                                engine->export_path,
                                "--",
                                command.data,
                                NULL};
    const struct proc_spec spec = {
        .argv = call, .in = PROC_NULL, .out = PROC_NULL, .err = PROC_CAPTURE, .err_buf = &message};
    /* The answer of the call before is never taken for this one's. */
    (void)file_remove(engine->export_path);
    ret = proc_run(&spec, &result, err);
    if (ret)
        goto out;
    if (result.signal || result.exit_code) {
        message_line(&message, reason, sizeof(reason));
        ret = err_set(err, -EIO, "hyperfine could not run %s: %s", argv[0], reason);
        goto out;
    }
    ret = file_read(engine->export_path, &export, err);
    if (!ret)
        ret =
            tt_engine_parse_hyperfine(export.data ? export.data : "", export.size_bytes, out, err);
out:
    buf_fini(&export);
    buf_fini(&message);
    buf_fini(&command);
    return ret;
}

/** "hyperfine 1.15.0" -> "1.15.0", when it is one that we know. */
static int ask_version(const char *program, char **out, struct err *err)
{
    const char *const call[] = {program, "--version", NULL};
    unsigned major = 0, minor = 0;
    struct proc_result result;
    struct buf answer;

    buf_init(&answer, 200);
    const struct proc_spec spec = {.argv = call,
                                   .in = PROC_NULL,
                                   .out = PROC_CAPTURE,
                                   .out_buf = &answer,
                                   .err = PROC_NULL,
                                   .timeout_ms = 10000};
    int ret = proc_run(&spec, &result, err);
    if (ret)
        goto out;
    if (result.signal || result.exit_code || !answer.data ||
        /* NOLINTNEXTLINE(cert-err34-c): five digits always fit */
        sscanf(answer.data, "hyperfine %5u.%5u", &major, &minor) != 2) {
        ret = err_set(err, -EPROTO,
                      "cannot use %s: it does not say its version as hyperfine does; "
                      "use --engine builtin",
                      program);
    } else if (major < 1 || (major == 1 && minor < OLDEST_MINOR)) {
        ret = err_set(err, -ENOTSUP,
                      "cannot use %s: version %u.%u, at least 1.%u is needed; "
                      "use --engine builtin",
                      program, major, minor, OLDEST_MINOR);
    } else {
        const char *version = answer.data + strlen("hyperfine ");
        *out = buf_copy_text(version, strspn(version, "0123456789."));
        if (!*out)
            ret = err_set(err, -ENOMEM, "%s", err_text(-ENOMEM));
    }
out:
    buf_fini(&answer);
    return ret;
}

int tt_engine_open_hyperfine(const char *work_dir, struct tt_engine *out, struct err *err)
{
    struct buf path;

    *out = (struct tt_engine){.name = "hyperfine", .time = time_hyperfine};
    buf_init(&path, 4096);
    int ret = proc_find("hyperfine", &out->program);
    if (ret) {
        (void)err_set(err, ret, "cannot find hyperfine: %s; install it, or use --engine builtin",
                      err_text(ret));
        goto out;
    }
    ret = ask_version(out->program, &out->version, err);
    if (!ret && !is_utf8(work_dir))
        ret = err_set(err, -EILSEQ,
                      "cannot use hyperfine in %s: it takes no path that is not UTF-8; "
                      "set TMPDIR, or use --engine builtin",
                      work_dir);
    if (ret)
        goto out;
    buf_printf(&path, "%s/hyperfine.json", work_dir);
    out->export_path = buf_take(&path);
    if (!out->export_path)
        ret = err_set(err, -ENOMEM, "%s", err_text(-ENOMEM));
out:
    buf_fini(&path);
    if (ret)
        tt_engine_close(out);
    return ret;
}
