/* SPDX-License-Identifier: MIT */
/* A result's memory and its file. */
#include "harness/result.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"

static void free_hashes(struct tt_file_hash *files, size_t count)
{
    for (size_t i = 0; files && i < count; i++)
        free(files[i].name);
    free(files);
}

static void free_target(struct tt_target *target)
{
    free(target->name);
    free(target->operation);
    free(target->void_reason);
    for (int arm = 0; arm < TT_ARM_COUNT; arm++)
        free(target->arm[arm].ns);
}

void tt_result_fini(struct tt_result *result)
{
    free(result->created_at);
    free(result->tool_version);
    free(result->commit);
    free(result->base_commit);
    free(result->platform.id);
    free(result->platform.os);
    free(result->platform.image);
    free(result->platform.kernel);
    free(result->platform.libc);
    free(result->platform.arch);
    free(result->platform.cpu);
    free(result->ci.provider);
    free(result->suite.name);
    free(result->suite.version);
    for (size_t i = 0; result->suite.parameters && i < result->suite.parameters_count; i++) {
        free(result->suite.parameters[i].name);
        free(result->suite.parameters[i].value);
    }
    free(result->suite.parameters);
    free(result->engine.name);
    free(result->engine.version);
    free_hashes(result->head_files, result->head_files_count);
    free_hashes(result->base_files, result->base_files_count);
    for (size_t i = 0; result->targets && i < result->targets_count; i++)
        free_target(&result->targets[i]);
    free(result->targets);
    memset(result, 0, sizeof(*result));
}

const char *tt_arm_name(enum tt_arm arm)
{
    switch (arm) {
    case TT_ARM_UNTRACKED:
        return "untracked";
    case TT_ARM_TRACKED:
        return "tracked";
    case TT_ARM_TRACKED_BASE:
        return "tracked-base";
    case TT_ARM_COUNT:
        break;
    }
    return "?";
}

int tt_result_read(const char *path, struct tt_result *out, struct err *err)
{
    struct buf text;

    *out = (struct tt_result){0};
    buf_init(&text, TT_RESULT_MAX_BYTES);
    int ret = file_read(path, &text, err);
    if (ret == -EFBIG)
        ret = -EPROTO;
    if (!ret)
        ret = tt_result_parse(strcmp(path, "-") ? path : "standard input",
                              text.data ? text.data : "", text.size_bytes, out, err);
    buf_fini(&text);
    return ret;
}

int tt_result_write(const struct tt_result *result, const char *path, struct err *err)
{
    char *text;

    int ret = tt_result_format(result, &text, err);
    if (!ret)
        ret = file_write(path, text, strlen(text), err);
    free(text);
    return ret;
}
