/* SPDX-License-Identifier: MIT */
/* Runs groups of plain commands, interleaved. */
#include "harness/speed_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/file.h"
#include "common/folder.h"
#include "common/proc.h"
#include "harness/argv.h"
#include "harness/json.h"
#include "harness/suite.h"
#include "harness/workspace.h"

#define NS_PER_S 1e9
#define VERSION_MAX_BYTES 4096
#define VERSION_TIMEOUT_MS 10000

/** A suite of commands. Vectors are templates. */
struct plan {
    json_t *root; /**< owned */
    const struct tt_speed_options *options;
    char *program;            /**< that --build stands in for; or NULL; owned */
    char *work_dir, *bin_dir; /**< owned */
    struct tt_engine engine;
    struct tt_json_at at;
};

/** The vectors of one group in the making. */
struct lane {
    char **argv[TT_SPEED_MAX_COMMANDS];
    struct tt_speed_group *group;
    size_t number, groups_count; /**< which group of how many */
};

static int no_memory(struct err *err)
{
    return err_set(err, -ENOMEM, "cannot run the commands: %s", err_text(-ENOMEM));
}

static int load(struct plan *plan, struct err *err)
{
    struct buf text;
    char *schema = NULL;

    buf_init(&text, TT_SUITE_MAX_BYTES);
    plan->at = (struct tt_json_at){
        .input = plan->options->suite, .format = "a suite of commands", .err = err};
    int ret = file_read(plan->options->suite, &text, err);
    if (!ret)
        ret = tt_json_parse(&plan->at, text.data ? text.data : "", text.size_bytes, &plan->root);
    if (!ret && !json_is_object(plan->root))
        ret = tt_json_refuse(&plan->at, NULL, "not an object");
    if (!ret)
        ret = tt_json_text(&plan->at, plan->root, "schema", TT_RESULT_MAX_STRING_BYTES, false,
                           &schema);
    if (!ret && strcmp(schema, TT_SPEED_SCHEMA) != 0)
        ret = tt_json_refuse(&plan->at, "schema", "not %s", TT_SPEED_SCHEMA);
    if (!ret)
        ret = tt_json_text(&plan->at, plan->root, "program", TT_RESULT_MAX_STRING_BYTES, true,
                           &plan->program);
    if (!ret && plan->options->builds_count && !plan->program)
        ret = err_set(err, -EINVAL, "--build: %s names no \"program\" that it could stand in for",
                      plan->options->suite);
    free(schema);
    buf_fini(&text);
    return ret;
}

/** A command's vector, and how it is shown; @build NULL for the suite's own program. */
static int expand(const struct plan *plan, char **template, const struct tt_speed_build *build,
                  char ***out, char **out_shown, struct err *err)
{
    const struct tt_argv_values real = {.bin = plan->bin_dir, .dir = plan->work_dir};
    const struct tt_argv_values shown = {.bin = "bin", .dir = "corpus"};
    char **words = NULL, *own = template[0];
    struct buf text;

    *out_shown = NULL;
    buf_init(&text, TT_SPEED_MAX_TEXT_BYTES);
    template[0] = build ? (char *)(uintptr_t)build->program : own;
    int ret = tt_argv_expand(tt_argv_view(template), &real, out);
    template[0] = build ? (char *)(uintptr_t)build->name : own;
    if (!ret)
        ret = tt_argv_expand(tt_argv_view(template), &shown, &words);
    template[0] = own;
    for (size_t i = 0; !ret && words[i]; i++)
        ret = buf_printf(&text, "%s%s", i ? " " : "", words[i]);
    if (!ret && !(*out_shown = buf_take(&text)))
        ret = -ENOMEM;
    tt_argv_free(words);
    buf_fini(&text);
    if (ret) {
        tt_argv_free(*out);
        *out = NULL;
    }
    return ret ? err_set(err, ret, "cannot make the command %s: %s", own, err_text(ret)) : 0;
}

/** Run without a clock; what it prints is dropped but for its first line. */
static int run_once(const struct plan *plan, char **template, struct buf *first_line,
                    struct err *err)
{
    struct proc_result result;
    char **argv = NULL, *shown = NULL;

    int ret = expand(plan, template, NULL, &argv, &shown, err);
    if (ret)
        return ret;
    const struct proc_spec spec = {.argv = tt_argv_view(argv),
                                   .in = PROC_NULL,
                                   .out = first_line ? PROC_CAPTURE : PROC_NULL,
                                   .err = first_line ? PROC_NULL : PROC_INHERIT,
                                   .out_buf = first_line,
                                   .timeout_ms = first_line ? VERSION_TIMEOUT_MS : 0};
    ret = proc_run(&spec, &result, err);
    if (!ret && (result.exit_code != 0))
        ret = err_set(err, -EIO, "cannot go on: %s ended with status %d", shown, result.exit_code);
    free(shown);
    tt_argv_free(argv);
    return ret;
}

/** Call for every vector of the array at @key. */
static int for_each(struct plan *plan, const char *key, struct tt_speed_table *out,
                    int (*call)(struct plan *, char **, struct tt_speed_table *, struct err *),
                    struct err *err)
{
    json_t *array;

    int ret = tt_json_array(&plan->at, plan->root, key, TT_SPEED_MAX_COMMANDS, true, &array);
    for (size_t i = 0; !ret && i < json_array_size(array); i++) {
        const struct tt_json_at here = tt_json_below(&plan->at, "%s[%zu]", key, i);
        char **argv = NULL;
        ret = tt_suite_parse_argv(&here, json_array_get(array, i), &argv);
        if (!ret)
            ret = call(plan, argv, out, err);
        tt_argv_free(argv);
    }
    return ret;
}

static int prepare(struct plan *plan, char **argv, struct tt_speed_table *out, struct err *err)
{
    (void)out;
    return run_once(plan, argv, NULL, err);
}

static int put_version_line(struct tt_speed_table *out, const char *text, size_t length)
{
    char **grown = realloc(out->versions, (out->versions_count + 1) * sizeof(*grown));
    if (!grown)
        return -ENOMEM;
    out->versions = grown;
    grown[out->versions_count] = buf_copy_text(text, length);
    if (!grown[out->versions_count])
        return -ENOMEM;
    for (char *c = grown[out->versions_count++]; *c; c++)
        *c = (unsigned char)*c < 0x20 || *c == 0x7F ? '?' : *c;
    return 0;
}

static int ask_version(struct plan *plan, char **argv, struct tt_speed_table *out, struct err *err)
{
    struct buf answer, line;

    buf_init(&answer, VERSION_MAX_BYTES);
    buf_init(&line, VERSION_MAX_BYTES);
    int ret = run_once(plan, argv, &answer, err);
    buf_puts(&line, "$");
    for (size_t i = 0; argv[i]; i++)
        buf_printf(&line, " %s", argv[i]);
    if (!ret && !(ret = buf_status(&line)))
        ret = put_version_line(out, line.data, line.size_bytes);
    if (!ret && answer.size_bytes)
        ret = put_version_line(out, answer.data, strcspn(answer.data, "\n"));
    buf_fini(&answer);
    buf_fini(&line);
    return ret == -ENOMEM ? no_memory(err) : ret;
}

/** Add a command to a group. */
static int add(const struct plan *plan, struct lane *lane, char **template,
               const struct tt_speed_build *build, struct err *err)
{
    struct tt_speed_group *group = lane->group;

    if (group->count == TT_SPEED_MAX_COMMANDS)
        return err_set(err, -EPROTO, "more than %d commands in a group", TT_SPEED_MAX_COMMANDS);
    struct tt_speed *speed = &group->speeds[group->count];
    int ret = expand(plan, template, build, &lane->argv[group->count], &speed->command, err);
    group->count += !ret;
    if (!ret && !(speed->seconds = calloc(plan->options->rounds, sizeof(*speed->seconds))))
        ret = no_memory(err);
    return ret;
}

static int fill_group(const struct plan *plan, const struct tt_json_at *at, const json_t *object,
                      struct lane *lane, struct err *err)
{
    json_t *commands;

    int ret =
        tt_json_text(at, object, "name", TT_RESULT_MAX_STRING_BYTES, false, &lane->group->name);
    if (!ret)
        ret = tt_json_array(at, object, "commands", TT_SPEED_MAX_COMMANDS, false, &commands);
    if (!ret && !json_array_size(commands))
        ret = tt_json_refuse(at, "commands", "empty");
    for (size_t i = 0; !ret && i < json_array_size(commands); i++) {
        const struct tt_json_at here = tt_json_below(at, "commands[%zu]", i);
        char **template = NULL;
        ret = tt_suite_parse_argv(&here, json_array_get(commands, i), &template);
        if (!ret)
            ret = add(plan, lane, template, NULL, err);
        bool ours = !ret && plan->program && !strcmp(template[0], plan -> program);
        for (size_t b = 0; !ret && ours && b < plan->options->builds_count; b++)
            ret = add(plan, lane, template, &plan->options->builds[b], err);
        tt_argv_free(template);
    }
    return ret;
}

static int time_one(const struct plan *plan, const struct lane *lane, size_t index, bool recorded,
                    struct err *err)
{
    struct tt_speed *speed = &lane->group->speeds[index];
    struct tt_timing timing;

    if (plan->options->stop && *plan->options->stop)
        return -EINTR;
    int ret = plan->engine.time(&plan->engine, tt_argv_view(lane->argv[index]), &timing, err);
    if (plan->options->stop && *plan->options->stop)
        return -EINTR;
    if (!ret && timing.exit_code)
        ret = err_set(err, -EIO, "cannot go on: %s ended with status %d", speed->command,
                      timing.exit_code);
    if (!ret && recorded)
        speed->seconds[speed->count++] = (double)timing.wall_ns / NS_PER_S;
    return ret;
}

static void tell(const struct plan *plan, const struct lane *lane, uint64_t round,
                 uint64_t begun_ns)
{
    const struct tt_speed_options *options = plan->options;
    double seconds = (double)(clock_monotonic_ns() - begun_ns) / NS_PER_S;
    const struct tt_run_state state = {.target = lane->group->name,
                                       .operation = "commands",
                                       .target_number = lane->number,
                                       .targets_count = lane->groups_count,
                                       .phase = round ? "round" : "warm-up",
                                       .done = (size_t)round,
                                       .total = (size_t)options->rounds,
                                       .seconds_left = seconds / (double)(round + 1) *
                                                       (double)(options->rounds - round)};

    if (options->progress)
        options->progress(options->context, &state);
}

/** Round 0 warms up. */
static int run_group(const struct plan *plan, const struct lane *lane, struct err *err)
{
    const struct tt_speed_options *options = plan->options;
    const uint64_t begun_ns = clock_monotonic_ns();
    size_t count = lane->group->count;
    int ret = 0;

    for (uint64_t round = 0; !ret && round <= options->rounds; round++) {
        for (size_t i = 0; !ret && i < count; i++)
            ret = time_one(plan, lane, round % 2 ? i : count - 1 - i, round > 0, err);
        if (!ret)
            tell(plan, lane, round, begun_ns);
    }
    for (size_t i = 0; !ret && i < count; i++)
        tt_speed_summarise(&lane->group->speeds[i]);
    return ret;
}

static int run_groups(struct plan *plan, struct tt_speed_table *out, struct err *err)
{
    json_t *groups;

    int ret = tt_json_array(&plan->at, plan->root, "groups", TT_SPEED_MAX_GROUPS, false, &groups);
    if (!ret && !json_array_size(groups))
        ret = tt_json_refuse(&plan->at, "groups", "empty");
    if (ret)
        return ret;
    out->groups = calloc(json_array_size(groups), sizeof(*out->groups));
    struct lane *lane = calloc(1, sizeof(*lane));
    if (!out->groups || !lane) {
        free(lane);
        return no_memory(err);
    }
    for (size_t i = 0; !ret && i < json_array_size(groups); i++) {
        const struct tt_json_at here = tt_json_below(&plan->at, "groups[%zu]", i);
        *lane = (struct lane){.group = &out->groups[out->count++],
                              .number = i + 1,
                              .groups_count = json_array_size(groups)};
        lane->group->speeds = calloc(TT_SPEED_MAX_COMMANDS, sizeof(*lane->group->speeds));
        if (!lane->group->speeds) {
            (void)no_memory(err);
            ret = -ENOMEM;
            break;
        }
        ret = fill_group(plan, &here, json_array_get(groups, i), lane, err);
        if (!ret)
            ret = run_group(plan, lane, err);
        for (size_t j = 0; j < lane->group->count; j++)
            tt_argv_free(lane->argv[j]);
    }
    free(lane);
    return ret;
}

int tt_speed_run(const struct tt_speed_options *options, struct tt_speed_table *out,
                 struct err *err)
{
    struct plan plan = {.options = options};
    struct err fell_back;

    *out = (struct tt_speed_table){0};
    char *self_dir = proc_self_dir();
    int ret = load(&plan, err);
    if (!ret && (!self_dir || !(plan.bin_dir = tt_workspace_programs_dir(self_dir))))
        ret = no_memory(err);
    if (!ret)
        ret = folder_make_own("tracetax", &plan.work_dir, err);
    if (!ret)
        ret = tt_engine_open(options->engine, plan.work_dir, &plan.engine, &fell_back, err);
    if (!ret)
        ret = for_each(&plan, "versions", out, ask_version, err);
    if (!ret)
        ret = for_each(&plan, "prepare", out, prepare, err);
    if (!ret)
        ret = run_groups(&plan, out, err);
    tt_engine_close(&plan.engine);
    folder_remove(plan.work_dir);
    free(plan.work_dir);
    free(plan.bin_dir);
    free(plan.program);
    free(self_dir);
    json_decref(plan.root);
    if (ret)
        tt_speed_table_fini(out);
    return ret;
}
