/* SPDX-License-Identifier: MIT */
/* A whole run: what is around the targets. */
#include "harness/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/folder.h"
#include "common/num.h"
#include "common/proc.h"
#include "harness/json.h"
#include "harness/platform.h"
#include "harness/suite.h"
#include "harness/target.h"
#include "harness/version.h"
#include "harness/workspace.h"

/* A sample of a run below 100 s, with its comma. */
#define SAMPLE_BYTES 12u

/** A run in the making. */
struct run {
    const struct tt_run_options *options;
    const struct tt_run_hooks *hooks;
    struct tt_suite suite;
    struct tt_engine engine;
    char *self_dir;              /**< of this program; owned */
    char *bin_dir, *work_dir;    /**< of the workload, of this run; owned */
    char *tracker[TT_ARM_COUNT]; /**< owned */
    struct tt_result *out;
};

static int no_memory(struct err *err)
{
    return err_set(err, -ENOMEM, "%s", err_text(-ENOMEM));
}

static void warn(const struct run *run, const char *text)
{
    if (run->hooks->warn)
        run->hooks->warn(run->hooks->context, text);
}

static int set_text(char **out, const char *text)
{
    *out = strdup(text);
    return *out ? 0 : -ENOMEM;
}

/** The suite, cut to what was asked for, and checked against the limits of a result. */
static int load_suite(struct run *run, struct err *err)
{
    const struct tt_run_options *options = run->options;

    int ret = tt_suite_load(options->suite, &run->suite, err);
    if (!ret && options->targets_count)
        ret = tt_suite_select(&run->suite, options->targets, options->targets_count, err);
    if (ret)
        return ret;
    tt_suite_shard(&run->suite, options->shard, options->shards);
    size_t arms_count = options->base ? 3 : 2;
    if (options->rounds * SAMPLE_BYTES * arms_count * run->suite.targets_count >
        TT_RESULT_MAX_BYTES)
        return err_set(err, -EINVAL,
                       "--rounds %llu: the result of %zu targets would be larger than %u MiB; "
                       "take fewer rounds, or --target or --shard",
                       (unsigned long long)options->rounds, run->suite.targets_count,
                       TT_RESULT_MAX_BYTES >> 20);
    return 0;
}

/** True when some target needs filetrace. */
static bool needs_filetrace(const struct tt_suite *suite)
{
    for (size_t i = 0; i < suite->targets_count; i++) {
        if (!suite->targets[i].tracker)
            return true;
    }
    return false;
}

/** Find one tracer, and hash its build. */
static int find_tracer(const char *option, const char *given, char **out,
                       struct tt_file_hash **files, size_t *count, struct err *err)
{
    int ret = proc_find(given, out);
    if (ret)
        return err_set(err, ret, "cannot run %s: %s; build it, or give %s its path", given,
                       err_text(ret), option);
    return tt_workspace_hash_build(*out, files, count, err);
}

/** Head and base are copied side by side, so that both have the same kind of path. */
static int stage_tracer(struct run *run, enum tt_arm arm, const char *name, struct err *err)
{
    char *staged = NULL;
    char *folder = tt_workspace_path(run->work_dir, name);
    int ret = folder ? tt_workspace_stage(run->tracker[arm], folder, &staged, err) : no_memory(err);

    if (!ret) {
        free(run->tracker[arm]);
        run->tracker[arm] = staged;
    }
    free(folder);
    return ret;
}

static int find_tracers(struct run *run, struct err *err)
{
    const struct tt_run_options *options = run->options;
    struct tt_result *out = run->out;

    if (!needs_filetrace(&run->suite))
        return 0;
    char *beside = tt_workspace_path(run->self_dir, "filetrace");
    int ret = !beside ? no_memory(err)
                      : find_tracer("--filetrace", options->filetrace ? options->filetrace : beside,
                                    &run->tracker[TT_ARM_TRACKED], &out->head_files,
                                    &out->head_files_count, err);
    free(beside);
    if (ret || !options->base)
        return ret;
    ret = find_tracer("--base", options->base, &run->tracker[TT_ARM_TRACKED_BASE], &out->base_files,
                      &out->base_files_count, err);
    if (!ret)
        ret = stage_tracer(run, TT_ARM_TRACKED, "head", err);
    if (!ret)
        ret = stage_tracer(run, TT_ARM_TRACKED_BASE, "base", err);
    return ret;
}

/** Hash the workload's programs, each once. */
static int hash_workloads(struct run *run, struct err *err)
{
    static const char prefix[] = "{bin}/";
    int ret = 0;

    for (size_t i = 0; !ret && i < run->suite.targets_count; i++) {
        const char *program = run->suite.targets[i].command[0];
        bool first = !strncmp(program, prefix, strlen(prefix));
        for (size_t j = 0; first && j < i; j++)
            first = strcmp(program, run->suite.targets[j].command[0]) != 0;
        if (!first)
            continue;
        char *path = tt_workspace_path(run->bin_dir, program + strlen(prefix));
        char *file = NULL;
        ret = path ? proc_find(path, &file) : -ENOMEM; /* with the ending that programs have here */
        if (ret)
            (void)err_set(err, ret, "cannot run %s: %s", path ? path : program, err_text(ret));
        else
            ret = tt_workspace_hash_file(file, &run->out->head_files, &run->out->head_files_count,
                                         err);
        free(file);
        free(path);
    }
    return ret;
}

/** GitHub's ids of this run; what is not such an id is said and left out. */
static int fill_ci(struct run *run)
{
    struct tt_result *out = run->out;
    const char *actions = getenv("GITHUB_ACTIONS");
    const char *id = getenv("GITHUB_RUN_ID");
    const char *attempt = getenv("GITHUB_RUN_ATTEMPT");
    uint64_t run_id, attempt_number;

    if (!actions || strcmp(actions, "true") != 0)
        return 0;
    if (!id || !attempt || num_parse_u64(id, 1, TT_JSON_MAX_INTEGER, &run_id) ||
        num_parse_u64(attempt, 1, 1000000, &attempt_number)) {
        warn(run, "GITHUB_RUN_ID or GITHUB_RUN_ATTEMPT is not a number: "
                  "the result does not say which CI run made it");
        return 0;
    }
    out->ci.run_id = run_id;
    out->ci.attempt = (uint32_t)attempt_number;
    return set_text(&out->ci.provider, "github");
}

static int fill_head(struct run *run, struct err *err)
{
    const struct tt_run_options *options = run->options;
    struct tt_result *out = run->out;

    int ret = tt_platform_fill(out, err);
    if (ret)
        return ret;
    ret = set_text(&out->tool_version, TT_VERSION);
    if (!ret && options->commit)
        ret = set_text(&out->commit, options->commit);
    if (!ret && options->base_commit)
        ret = set_text(&out->base_commit, options->base_commit);
    if (!ret)
        ret = set_text(&out->engine.name, run->engine.name);
    if (!ret)
        ret = set_text(&out->engine.version, run->engine.version);
    if (!ret)
        ret = set_text(&out->suite.name, run->suite.name);
    if (!ret)
        ret = set_text(&out->suite.version, run->suite.version);
    if (!ret)
        ret = fill_ci(run);
    out->suite.parameters = run->suite.parameters;
    out->suite.parameters_count = run->suite.parameters_count;
    run->suite.parameters = NULL; /* moved into the result */
    run->suite.parameters_count = 0;
    out->suite.shard = options->shard;
    out->suite.shards = options->shards;
    out->seed = options->seed;
    out->warmup_rounds = options->warmup_rounds;
    return ret ? no_memory(err) : 0;
}

/** created_at: when the run ended. */
static int fill_time(struct tt_result *out, struct err *err)
{
    char text[32];
    struct tm utc;

    if (clock_utc(clock_unix_s(), &utc) ||
        !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc))
        return err_set(err, -EOVERFLOW, "the system's clock shows no year of four digits");
    return set_text(&out->created_at, text) ? no_memory(err) : 0;
}

static int open_engine(struct run *run, struct err *err)
{
    struct err fell_back;
    char text[ERR_TEXT_SIZE + 64];

    int ret = tt_engine_open(run->options->engine, run->work_dir, &run->engine, &fell_back, err);
    if (!ret && fell_back.code) {
        (void)snprintf(text, sizeof(text), "%s (this run takes the built-in engine)",
                       fell_back.text);
        warn(run, text);
    }
    return ret;
}

static int run_targets(struct run *run, struct err *err)
{
    struct tt_bench bench = {.options = run->options,
                             .hooks = run->hooks,
                             .engine = &run->engine,
                             .bin_dir = run->bin_dir,
                             .work_dir = run->work_dir};
    size_t count = run->suite.targets_count;
    int ret = 0;

    for (int arm = 0; arm < TT_ARM_COUNT; arm++)
        bench.tracker[arm] = run->tracker[arm];
    for (size_t i = 0; !ret && i < count; i++)
        ret = tt_target_check(&bench, &run->suite.targets[i], err);
    if (!ret)
        ret = hash_workloads(run, err);
    if (ret || !count)
        return ret;
    run->out->targets = calloc(count, sizeof(*run->out->targets));
    if (!run->out->targets)
        return no_memory(err);
    for (size_t i = 0; !ret && i < count; i++) {
        run->out->targets_count++;
        ret =
            tt_target_run(&bench, &run->suite.targets[i], i + 1, count, &run->out->targets[i], err);
    }
    return ret;
}

int tt_run(const struct tt_run_options *options, const struct tt_run_hooks *hooks,
           struct tt_result *out, struct err *err)
{
    struct run run = {.options = options, .hooks = hooks, .out = out};

    *out = (struct tt_result){0};
    run.self_dir = proc_self_dir();
    int ret = run.self_dir ? 0
                           : err_set(err, -ENOENT,
                                     "cannot tell where this program lies; "
                                     "is /proc mounted?");
    if (!ret && !(run.bin_dir = tt_workspace_programs_dir(run.self_dir)))
        ret = no_memory(err);
    if (!ret)
        ret = load_suite(&run, err);
    if (!ret)
        ret = folder_make_own("tracetax", &run.work_dir, err);
    if (!ret)
        ret = open_engine(&run, err);
    if (!ret)
        ret = find_tracers(&run, err);
    if (!ret)
        ret = fill_head(&run, err);
    if (!ret)
        ret = run_targets(&run, err);
    if (!ret)
        ret = fill_time(out, err);
    folder_remove(run.work_dir);
    free(run.work_dir);
    free(run.bin_dir);
    free(run.self_dir);
    for (int arm = 0; arm < TT_ARM_COUNT; arm++)
        free(run.tracker[arm]);
    tt_engine_close(&run.engine);
    tt_suite_fini(&run.suite);
    if (ret)
        tt_result_fini(out);
    return ret;
}
