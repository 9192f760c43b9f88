/* SPDX-License-Identifier: MIT */
/* The suites that are built in: our workload, dynamic and static, the latter in both ways. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/argv.h"
#include "harness/platform.h"
#include "harness/suite.h"

/* Changes whenever what is measured changes: results of two versions are not compared. */
#define BUILTIN_VERSION "1"

#define THREADS "4"
#define FILES "2048"
#define FILE_OPERATIONS 8192
#define SPAWN_OPERATIONS 100

static const struct {
    const char *name;
    uint64_t count;
    bool touches_files; /**< takes --files; else the workload's own number is right */
    bool in_default;
} operations[] = {
    {"open-close", FILE_OPERATIONS, true, true},     {"launch", 1, false, true},
    {"open-relative", FILE_OPERATIONS, true, false}, {"stat", FILE_OPERATIONS, true, false},
    {"missing", FILE_OPERATIONS, true, false},       {"read-dir", FILE_OPERATIONS, true, false},
    {"spawn", SPAWN_OPERATIONS, false, false},       {"spawn-fork", SPAWN_OPERATIONS, false, false},
};

static const struct {
    const char *name, *program, *backend;
    bool injects;
} programs[] = {{"dynamic", "{bin}/workload", NULL, false},
                {"static", "{bin}/workload-static", "notify", false},
                {"static-inject", "{bin}/workload-static", "inject", true}};

/** "workload ACTION {dir} --operation O --threads 4 [--files 2048]" */
static int make_command(const char *program, const char *action, size_t operation, char ***out)
{
    /* A copy without any value: {bin} and {dir} stay for the run. */
    const struct tt_argv_values none = {0};
    const char *const command[] = {program,
                                   action,
                                   "{dir}",
                                   "--operation",
                                   operations[operation].name,
                                   "--threads",
                                   THREADS,
                                   operations[operation].touches_files ? "--files" : NULL,
                                   FILES,
                                   NULL};
    return tt_argv_expand(command, &none, out);
}

static int make_target(size_t operation, size_t program, struct tt_suite_target *out)
{
    const char *file = programs[program].program;

    out->name = strdup(programs[program].name);
    out->operation = strdup(operations[operation].name);
    out->operations_count = operations[operation].count;
    out->backend = programs[program].backend ? strdup(programs[program].backend) : NULL;
    bool whole = out->name && out->operation && (out->backend || !programs[program].backend);
    int ret = whole ? 0 : -ENOMEM;
    if (!ret)
        ret = make_command(file, "prepare", operation, &out->prepare);
    if (!ret)
        ret = make_command(file, "run", operation, &out->command);
    if (!ret)
        ret = make_command(file, "paths", operation, &out->paths);
    return ret;
}

static int add_parameter(struct tt_suite *suite, const char *name, const char *value)
{
    struct tt_parameter *parameter = &suite->parameters[suite->parameters_count++];
    parameter->name = strdup(name);
    parameter->value = strdup(value);
    return parameter->name && parameter->value ? 0 : -ENOMEM;
}

int tt_suite_builtin(const char *name, struct tt_suite *out, struct err *err)
{
    bool full = !strcmp(name, "full");
    int ret = 0;

    *out = (struct tt_suite){0};
    if (!full && strcmp(name, "default") != 0)
        return err_set(err, -ENOENT, "there is no suite %s; built in are default and full", name);
    out->name = strdup(name);
    out->version = strdup(BUILTIN_VERSION);
    out->parameters = calloc(2, sizeof(*out->parameters));
    out->targets = calloc(ARRAY_LEN(operations) * ARRAY_LEN(programs), sizeof(*out->targets));
    if (!out->name || !out->version || !out->parameters || !out->targets)
        ret = -ENOMEM;
    if (!ret)
        ret = add_parameter(out, "threads", THREADS);
    if (!ret)
        ret = add_parameter(out, "files", FILES);
    for (size_t o = 0; o < ARRAY_LEN(operations); o++) {
        if (!full && !operations[o].in_default)
            continue;
        for (size_t p = 0; !ret && p < ARRAY_LEN(programs); p++)
            if (!programs[p].injects || tt_platform_can_inject())
                ret = make_target(o, p, &out->targets[out->targets_count++]);
    }
    if (!ret)
        return 0;
    tt_suite_fini(out);
    return err_set(err, ret, "%s", err_text(ret));
}
