/* SPDX-License-Identifier: MIT */
/* A suite's memory, and which of its targets are run. */
#include "harness/suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "common/file.h"
#include "harness/argv.h"

static void free_target(struct tt_suite_target *target)
{
    free(target->name);
    free(target->operation);
    tt_argv_free(target->prepare);
    tt_argv_free(target->command);
    tt_argv_free(target->paths);
    tt_argv_free(target->tracker);
    free(target->backend);
}

void tt_suite_fini(struct tt_suite *suite)
{
    free(suite->name);
    free(suite->version);
    for (size_t i = 0; suite->parameters && i < suite->parameters_count; i++) {
        free(suite->parameters[i].name);
        free(suite->parameters[i].value);
    }
    free(suite->parameters);
    for (size_t i = 0; suite->targets && i < suite->targets_count; i++)
        free_target(&suite->targets[i]);
    free(suite->targets);
    *suite = (struct tt_suite){0};
}

int tt_suite_load(const char *name_or_path, struct tt_suite *out, struct err *err)
{
    struct buf text;

    int ret = tt_suite_builtin(name_or_path, out, err);
    if (ret != -ENOENT)
        return ret;
    buf_init(&text, TT_SUITE_MAX_BYTES);
    ret = file_read(name_or_path, &text, err);
    if (ret == -ENOENT)
        (void)err_set(err, ret, "cannot read the suite %s: %s; built in are default and full",
                      name_or_path, err_text(ret));
    if (!ret)
        ret = tt_suite_parse(strcmp(name_or_path, "-") ? name_or_path : "standard input",
                             text.data ? text.data : "", text.size_bytes, out, err);
    buf_fini(&text);
    return ret;
}

static bool is_named(const struct tt_suite_target *target, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(target->name, names[i]))
            return true;
    }
    return false;
}

/** Names of the suite's targets, each once, for an error. */
static void list_names(const struct tt_suite *suite, struct buf *out)
{
    for (size_t i = 0; i < suite->targets_count; i++) {
        bool first = true;
        for (size_t j = 0; first && j < i; j++)
            first = strcmp(suite->targets[i].name, suite->targets[j].name) != 0;
        if (first)
            buf_printf(out, "%s%s", out->size_bytes ? ", " : "", suite->targets[i].name);
    }
}

int tt_suite_select(struct tt_suite *suite, const char *const *names, size_t names_count,
                    struct err *err)
{
    size_t kept = 0;

    for (size_t n = 0; n < names_count; n++) {
        bool found = false;
        for (size_t i = 0; !found && i < suite->targets_count; i++)
            found = is_named(&suite->targets[i], &names[n], 1);
        if (!found) {
            struct buf there;
            buf_init(&there, 300);
            list_names(suite, &there);
            (void)err_set(err, -EINVAL, "--target %s: suite %s has no such target; it has %s",
                          names[n], suite->name, there.data ? there.data : "none");
            buf_fini(&there);
            return -EINVAL;
        }
    }
    for (size_t i = 0; i < suite->targets_count; i++) {
        if (is_named(&suite->targets[i], names, names_count))
            suite->targets[kept++] = suite->targets[i];
        else
            free_target(&suite->targets[i]);
    }
    suite->targets_count = kept;
    return 0;
}

void tt_suite_shard(struct tt_suite *suite, uint32_t shard, uint32_t shards)
{
    size_t kept = 0;

    for (size_t i = 0; i < suite->targets_count; i++) {
        if (i % shards + 1 == shard)
            suite->targets[kept++] = suite->targets[i];
        else
            free_target(&suite->targets[i]);
    }
    suite->targets_count = kept;
}
