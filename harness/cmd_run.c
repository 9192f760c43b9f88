/* SPDX-License-Identifier: MIT */
/* `tracetax run`: its options, and what it prints. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/file.h"
#include "common/folder.h"
#include "common/num.h"
#include "harness/cmd_stop.h"
#include "harness/commands.h"
#include "harness/commit.h"
#include "harness/json.h"
#include "harness/progress.h"
#include "harness/run.h"
#include "harness/state.h"

#define MAX_TARGET_OPTIONS 64

static const char help[] =
    "Usage: tracetax run [OPTION...]\n"
    "\n"
    "Runs every target of a suite untracked and tracked, in turn, and writes a result.\n"
    "\n"
    "  --suite NAME|FILE    default (open-close, launch), full, or a suite file\n"
    "  --target NAME        only targets of this name; may be repeated\n"
    "  --shard I/N          only every N-th target, from the I-th on\n"
    "  --rounds N           1 to 100000; without it a pilot decides (at least 60)\n"
    "  --max-time SECONDS   a target's time where --rounds is not given (default 25)\n"
    "  --warmup N           rounds before, not recorded (default 2)\n"
    "  --engine NAME        auto, hyperfine or builtin (default auto)\n"
    "  --filetrace PATH     the tracer (default: the one beside tracetax)\n"
    "  --base PATH          filetrace of another build: adds the arm tracked-base\n"
    "  --commit SHA         what is measured (default: GITHUB_SHA, else git's HEAD)\n"
    "  --base-commit SHA    what --base was built from\n"
    "  --seed N             of the order of arms, 0 to 2^53 - 1 (default: by the clock)\n"
    "  --export-json FILE   default result.json; - is standard output\n"
    "  --no-keep            do not keep a copy for later comparisons on this machine\n"
    "  --quiet              no progress\n"
    "  --help               this text\n"
    "\n"
    "Exit status: 0 done; 2 wrong usage; 3 could not run, or a target is void.\n"
    "\n"
    "Example: tracetax run --target dynamic --rounds 400 --export-json head.json\n";

/** The options as they were given. */
struct options {
    struct tt_run_options run;
    const char *targets[MAX_TARGET_OPTIONS];
    const char *export_path;
    bool has_seed, is_quiet, is_kept, is_help;
    uint32_t given; /**< bit 0 is OPTION_SUITE's, and so on */
};

enum {
    OPTION_SUITE = 256,
    OPTION_TARGET,
    OPTION_SHARD,
    OPTION_ROUNDS,
    OPTION_MAX_TIME,
    OPTION_WARMUP,
    OPTION_ENGINE,
    OPTION_FILETRACE,
    OPTION_BASE,
    OPTION_COMMIT,
    OPTION_BASE_COMMIT,
    OPTION_SEED,
    OPTION_EXPORT_JSON,
    OPTION_NO_KEEP,
    OPTION_QUIET,
    OPTION_HELP,
};

static const struct option long_options[] = {
    {"suite", required_argument, NULL, OPTION_SUITE},
    {"target", required_argument, NULL, OPTION_TARGET},
    {"shard", required_argument, NULL, OPTION_SHARD},
    {"rounds", required_argument, NULL, OPTION_ROUNDS},
    {"max-time", required_argument, NULL, OPTION_MAX_TIME},
    {"warmup", required_argument, NULL, OPTION_WARMUP},
    {"engine", required_argument, NULL, OPTION_ENGINE},
    {"filetrace", required_argument, NULL, OPTION_FILETRACE},
    {"base", required_argument, NULL, OPTION_BASE},
    {"commit", required_argument, NULL, OPTION_COMMIT},
    {"base-commit", required_argument, NULL, OPTION_BASE_COMMIT},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"export-json", required_argument, NULL, OPTION_EXPORT_JSON},
    {"no-keep", no_argument, NULL, OPTION_NO_KEEP},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"help", no_argument, NULL, OPTION_HELP},
    {0},
};

static uint32_t bit_of(int option)
{
    return UINT32_C(1) << (option - OPTION_SUITE);
}

static void complain(const char *text)
{
    fprintf(stderr, "tracetax run: %s\n", text);
}

static void warn(void *context, const char *text)
{
    tt_progress_clear(context);
    fprintf(stderr, "tracetax run: warning: %s\n", text);
}

static void show_progress(void *context, const struct tt_run_state *state)
{
    tt_progress_show(context, state);
}

/** A whole number of an option. @return 0 or -EINVAL, in words */
static int parse_u64(const char *option, const char *text, uint64_t min, uint64_t max,
                     uint64_t *out, struct err *err)
{
    if (!num_parse_u64(text, min, max, out))
        return 0;
    return err_set(err, -EINVAL, "--%s %.60s: not a whole number from %" PRIu64 " to %" PRIu64,
                   option, text, min, max);
}

static int parse_engine(const char *text, enum tt_engine_kind *out, struct err *err)
{
    static const struct {
        const char *name;
        enum tt_engine_kind kind;
    } rows[] = {{"auto", TT_ENGINE_AUTO},
                {"hyperfine", TT_ENGINE_HYPERFINE},
                {"builtin", TT_ENGINE_BUILTIN}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (!strcmp(text, rows[i].name)) {
            *out = rows[i].kind;
            return 0;
        }
    }
    return err_set(err, -EINVAL, "--engine %.60s: not auto, hyperfine or builtin", text);
}

/** "2/5" */
static int parse_shard(const char *text, struct tt_run_options *out, struct err *err)
{
    char first[16];
    uint64_t shard, shards;
    const char *slash = strchr(text, '/');

    if (slash && (size_t)(slash - text) < sizeof(first)) {
        size_t length = (size_t)(slash - text);
        memcpy(first, text, length);
        first[length] = '\0';
        if (!num_parse_u64(slash + 1, 1, TT_RESULT_MAX_TARGETS, &shards) &&
            !num_parse_u64(first, 1, shards, &shard)) {
            out->shard = (uint32_t)shard;
            out->shards = (uint32_t)shards;
            return 0;
        }
    }
    return err_set(err, -EINVAL, "--shard %.60s: not I/N with 1 <= I <= N <= %d", text,
                   TT_RESULT_MAX_TARGETS);
}

static int parse_commit(const char *option, const char *text, const char **out, struct err *err)
{
    *out = text;
    if (tt_commit_is_valid(text))
        return 0;
    return err_set(err, -EINVAL,
                   "--%s %.80s: not a commit's 40 or 64 lower-case hexadecimal digits; "
                   "'git rev-parse' prints them",
                   option, text);
}

static int parse_target(const char *text, struct options *out, struct err *err)
{
    if (out->run.targets_count >= MAX_TARGET_OPTIONS)
        return err_set(err, -EINVAL, "--target: more than %d of them", MAX_TARGET_OPTIONS);
    out->targets[out->run.targets_count++] = text;
    return 0;
}

static int parse_option(int option, const char *value, struct options *out, struct err *err)
{
    struct tt_run_options *run = &out->run;
    uint64_t number;
    int ret = 0;

    switch (option) {
    case OPTION_SUITE:
        run->suite = value;
        break;
    case OPTION_TARGET:
        ret = parse_target(value, out, err);
        break;
    case OPTION_SHARD:
        ret = parse_shard(value, run, err);
        break;
    case OPTION_ROUNDS:
        ret = parse_u64("rounds", value, 1, TT_RESULT_MAX_ROUNDS, &run->rounds, err);
        break;
    case OPTION_MAX_TIME:
        if (num_parse_double(value, 0.1, 86400, &run->max_time_s))
            ret = err_set(err, -EINVAL, "--max-time %.60s: not a number from 0.1 to 86400", value);
        break;
    case OPTION_WARMUP:
        ret = parse_u64("warmup", value, 0, TT_RESULT_MAX_ROUNDS, &number, err);
        run->warmup_rounds = (uint32_t)number;
        break;
    case OPTION_ENGINE:
        ret = parse_engine(value, &run->engine, err);
        break;
    case OPTION_FILETRACE:
        run->filetrace = value;
        break;
    case OPTION_BASE:
        run->base = value;
        break;
    case OPTION_COMMIT:
        ret = parse_commit("commit", value, &run->commit, err);
        break;
    case OPTION_BASE_COMMIT:
        ret = parse_commit("base-commit", value, &run->base_commit, err);
        break;
    case OPTION_SEED:
        out->has_seed = true;
        ret = parse_u64("seed", value, 0, TT_JSON_MAX_INTEGER, &run->seed, err);
        break;
    case OPTION_EXPORT_JSON:
        out->export_path = value;
        break;
    case OPTION_NO_KEEP:
        out->is_kept = false;
        break;
    case OPTION_QUIET:
        out->is_quiet = true;
        break;
    case OPTION_HELP:
        out->is_help = true;
        break;
    default:
        ret = -EINVAL;
    }
    return ret;
}

static int parse_options(int argc, char **argv, struct options *out, struct err *err)
{
    int ret = 0;

    opterr = 0;
    optind = 1;
    while (!ret && !out->is_help) {
        int at = optind;
        int option = getopt_long(argc, argv, "+:", long_options, NULL);
        if (option == -1)
            break;
        if (option == ':')
            ret = err_set(err, -EINVAL, "%.100s: its value is missing", argv[at]);
        else if (option == '?')
            ret = err_set(err, -EINVAL, "%.100s: no such option, or no value belongs there",
                          argv[at]);
        else {
            ret = parse_option(option, optarg, out, err);
            out->given |= bit_of(option);
        }
    }
    if (!ret && !out->is_help && optind < argc)
        ret = err_set(err, -EINVAL, "%.100s: an argument that belongs to no option", argv[optind]);
    out->run.targets = out->targets;
    if (!ret && out->run.base_commit && !out->run.base)
        ret = err_set(err, -EINVAL, "--base-commit: only together with --base");
    return ret;
}

/** Find out before measuring, not minutes later, that the result cannot be written. */
static int check_export(const char *path, struct err *err)
{
    int ret = 0;

    if (!strcmp(path, "-"))
        return 0;
    size_t length = (size_t)(folder_name(path) - path);
    char *folder = length ? buf_copy_text(path, length) : strdup(".");
    if (!folder)
        return err_set(err, -ENOMEM, "%s", err_text(-ENOMEM));
    if (!*path)
        ret = -ENOENT;
    else if (file_kind(path) == FILE_FOLDER)
        ret = -EISDIR;
    else if (file_kind(path) != FILE_OTHER) /* a device or pipe is not replaced */
        ret = folder_check_writable(folder);
    free(folder);
    return ret ? err_set(err, ret,
                         "cannot write %s: %s; give --export-json a file in a writable folder",
                         path, err_text(ret))
               : 0;
}

/** Say each void target; @return their number. */
static size_t tell_void(const struct tt_result *result)
{
    size_t count = 0;

    for (size_t i = 0; i < result->targets_count; i++) {
        const struct tt_target *target = &result->targets[i];
        struct err line;
        if (!target->void_reason)
            continue;
        (void)err_set(&line, 0, "%s, operation %s, is void: %s", target->name, target->operation,
                      target->void_reason);
        complain(line.text);
        count++;
    }
    return count;
}

static int write_result(const struct options *options, const struct tt_result *result)
{
    struct err err;

    if (tt_result_write(result, options->export_path, &err)) {
        complain(err.text);
        return TT_EXIT_FAILED;
    }
    if (options->is_kept && tt_state_keep(result, &err))
        fprintf(stderr,
                "tracetax run: warning: the result is not kept: %s; --no-keep leaves this out\n",
                err.text);
    size_t void_count = tell_void(result);
    if (!options->is_quiet)
        fprintf(stderr,
                "tracetax run: wrote %s (%zu targets, %zu void, engine %s %s, seed %" PRIu64 ")\n",
                options->export_path, result->targets_count, void_count, result->engine.name,
                result->engine.version, result->seed);
    if (!options->is_quiet && strcmp(options->export_path, "-") != 0)
        fprintf(stderr, "tracetax run: next: tracetax compare %s\n", options->export_path);
    return void_count ? TT_EXIT_FAILED : TT_EXIT_DONE;
}

/** Say the first option that a table has no use for. @return whether there is one */
static bool is_no_tables(const struct options *options)
{
    const uint32_t taken = bit_of(OPTION_SUITE) | bit_of(OPTION_ROUNDS) | bit_of(OPTION_QUIET);

    for (const struct option *option = long_options; option->name; option++) {
        struct err line;
        if (!(options->given & bit_of(option->val) & ~taken))
            continue;
        (void)err_set(&line, -EINVAL,
                      "--%s: does not go with %.200s, a suite of plain commands, which makes a "
                      "table and no result; see 'tracetax table --help'",
                      option->name, options->run.suite);
        complain(line.text);
        return true;
    }
    return false;
}

/** A suite of plain commands: what `tracetax table` does with it. */
static int run_table(const struct options *options)
{
    char name[] = "table", rounds[] = "--rounds", quiet[] = "--quiet", number[32];
    char *argv[6] = {name};
    int argc = 1;

    if (is_no_tables(options))
        return TT_EXIT_USAGE;
    if (options->run.rounds) {
        (void)snprintf(number, sizeof(number), "%llu", (unsigned long long)options->run.rounds);
        argv[argc++] = rounds;
        argv[argc++] = number;
    }
    if (options->is_quiet)
        argv[argc++] = quiet;
    argv[argc++] = (char *)(uintptr_t)options->run.suite;
    return tt_cmd_table(argc, argv);
}

int tt_cmd_run(int argc, char **argv)
{
    struct options options = {.run = {.suite = "default",
                                      .shard = 1,
                                      .shards = 1,
                                      .max_time_s = TT_RUN_DEFAULT_MAX_TIME_S,
                                      .warmup_rounds = TT_RUN_DEFAULT_WARMUP_ROUNDS},
                              .export_path = "result.json",
                              .is_kept = true};
    struct tt_progress progress;
    struct tt_result result = {0};
    struct err err = {0};
    char *commit = NULL;
    int status;

    if (parse_options(argc, argv, &options, &err)) {
        fprintf(stderr, "tracetax run: %s; see 'tracetax run --help'\n", err.text);
        return TT_EXIT_USAGE;
    }
    if (options.is_help) {
        fputs(help, stdout);
        return TT_EXIT_DONE;
    }
    tt_progress_init(&progress, stderr, options.is_quiet);
    const struct tt_run_hooks hooks = {
        .context = &progress, .warn = warn, .progress = show_progress, .stop = &tt_cmd_stop};
    if (check_export(options.export_path, &err)) {
        complain(err.text);
        return TT_EXIT_FAILED;
    }
    if (!options.run.commit && tt_commit_find(&commit))
        warn(&progress, "GITHUB_SHA is not a commit: the result does not say what was measured");
    if (!options.run.commit)
        options.run.commit = commit;
    if (!options.has_seed)
        options.run.seed = clock_monotonic_ns() & TT_JSON_MAX_INTEGER;

    tt_cmd_stop_catch();
    int ret = tt_run(&options.run, &hooks, &result, &err);
    tt_progress_clear(&progress);
    if (ret == -EINTR) {
        complain("stopped by a signal; nothing was written");
        status = tt_cmd_stop_end();
    } else if (ret == -EPROTOTYPE) {
        status = run_table(&options);
    } else if (ret) {
        complain(err.text);
        status = ret == -EINVAL ? TT_EXIT_USAGE : TT_EXIT_FAILED;
    } else {
        status = write_result(&options, &result);
    }
    tt_result_fini(&result);
    free(commit);
    return status;
}
