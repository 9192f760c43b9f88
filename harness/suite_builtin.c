/* SPDX-License-Identifier: MIT */
/* The suites that are built in: our workload, as it is on this system. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/argv.h"
#include "harness/platform.h"
#include "harness/suite.h"
#include "harness/suite_rows.h"

/* Changes whenever what is measured changes: results of two versions are not compared. */
#define BUILTIN_VERSION "1"

#define THREADS "4"
#define FILES "2048"

/** "workload ACTION {dir} --operation O --threads 4 [--files 2048]" */
static int make_command(const char *program, const char *action, size_t operation, char ***out)
{
    /* A copy without any value: {bin} and {dir} stay for the run. */
    const struct tt_argv_values none = {0};
    const char *const command[] = {program,
                                   action,
                                   "{dir}",
                                   "--operation",
                                   tt_suite_operations[operation].name,
                                   "--threads",
                                   THREADS,
                                   tt_suite_operations[operation].touches_files ? "--files" : NULL,
                                   FILES,
                                   NULL};
    return tt_argv_expand(command, &none, out);
}

static int make_target(size_t operation, size_t program, struct tt_suite_target *out)
{
    const char *file = tt_suite_programs[program].program;

    const char *backend = tt_suite_programs[program].backend;

    out->name = strdup(tt_suite_programs[program].name);
    out->operation = strdup(tt_suite_operations[operation].name);
    out->operations_count = tt_suite_operations[operation].count;
    out->backend = backend ? strdup(backend) : NULL;
    int ret = out->name && out->operation && (out->backend || !backend) ? 0 : -ENOMEM;
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
    out->targets =
        calloc(tt_suite_operations_count * tt_suite_programs_count, sizeof(*out->targets));
    if (!out->name || !out->version || !out->parameters || !out->targets)
        ret = -ENOMEM;
    if (!ret)
        ret = add_parameter(out, "threads", THREADS);
    if (!ret)
        ret = add_parameter(out, "files", FILES);
    for (size_t o = 0; o < tt_suite_operations_count; o++) {
        if (!full && !tt_suite_operations[o].in_default)
            continue;
        for (size_t p = 0; !ret && p < tt_suite_programs_count; p++)
            if (!tt_suite_programs[p].injects || tt_platform_can_inject())
                ret = make_target(o, p, &out->targets[out->targets_count++]);
    }
    if (!ret)
        return 0;
    tt_suite_fini(out);
    return err_set(err, ret, "%s", err_text(ret));
}
