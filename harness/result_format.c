/* SPDX-License-Identifier: MIT */
/* A result as JSON: indented for people and diffs, each arm's samples on one line. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "common/utf8.h"
#include "harness/json.h"
#include "harness/result.h"
#include "harness/stats.h"

#define NUMBER_SIZE 32

/** A text in quotes, or null. What is not UTF-8 makes the buffer fail with -EINVAL. */
static void put_text(struct buf *out, const char *text)
{
    json_t *value = text ? json_string(text) : json_null();
    char *quoted = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;

    if (quoted)
        buf_puts(out, quoted);
    else if (!out->status)
        out->status = text && !utf8_is_valid(text, strlen(text)) ? -EINVAL : -ENOMEM;
    free(quoted);
    json_decref(value);
}

static void put_member(struct buf *out, const char *indent, const char *key, const char *text)
{
    buf_printf(out, "%s\"%s\": ", indent, key);
    put_text(out, text);
    buf_puts(out, ",\n");
}

/** The shortest text that is read back as the same number. */
static void put_double(struct buf *out, double number)
{
    char text[NUMBER_SIZE];

    for (int digits = 6; digits <= 17; digits++) {
        (void)snprintf(text, sizeof(text), "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    buf_puts(out, text);
}

static void put_files(struct buf *out, const char *key, const struct tt_file_hash *files,
                      size_t count)
{
    buf_printf(out, "  \"%s\": [", key);
    for (size_t i = 0; i < count; i++) {
        buf_printf(out, "%s\n    {\"name\": ", i ? "," : "");
        put_text(out, files[i].name);
        buf_puts(out, ", \"sha256\": ");
        put_text(out, files[i].sha256);
        buf_puts(out, "}");
    }
    buf_puts(out, count ? "\n  ],\n" : "],\n");
}

static void put_head(struct buf *out, const struct tt_result *result)
{
    put_member(out, "  ", "schema", TT_RESULT_SCHEMA);
    put_member(out, "  ", "created_at", result->created_at);
    put_member(out, "  ", "tool_version", result->tool_version);
    put_member(out, "  ", "commit", result->commit);
    put_member(out, "  ", "base_commit", result->base_commit);

    buf_puts(out, "  \"platform\": {\n");
    put_member(out, "    ", "id", result->platform.id);
    put_member(out, "    ", "os", result->platform.os);
    put_member(out, "    ", "image", result->platform.image);
    put_member(out, "    ", "kernel", result->platform.kernel);
    put_member(out, "    ", "libc", result->platform.libc);
    put_member(out, "    ", "arch", result->platform.arch);
    put_member(out, "    ", "cpu", result->platform.cpu);
    buf_printf(out, "    \"cores\": %" PRIu32 "\n  },\n", result->platform.cores);

    if (result->ci.provider) {
        buf_puts(out, "  \"ci\": {\n");
        put_member(out, "    ", "provider", result->ci.provider);
        buf_printf(out, "    \"run_id\": %" PRIu64 ",\n    \"attempt\": %" PRIu32 "\n  },\n",
                   result->ci.run_id, result->ci.attempt);
    } else {
        buf_puts(out, "  \"ci\": null,\n");
    }
}

static void put_suite(struct buf *out, const struct tt_result *result)
{
    buf_puts(out, "  \"suite\": {\n");
    put_member(out, "    ", "name", result->suite.name);
    put_member(out, "    ", "version", result->suite.version);
    buf_puts(out, "    \"parameters\": {");
    for (size_t i = 0; i < result->suite.parameters_count; i++) {
        buf_puts(out, i ? ", " : "");
        put_text(out, result->suite.parameters[i].name);
        buf_puts(out, ": ");
        put_text(out, result->suite.parameters[i].value);
    }
    buf_printf(out, "},\n    \"shard\": %" PRIu32 ",\n    \"shards\": %" PRIu32 "\n  },\n",
               result->suite.shard, result->suite.shards);

    buf_puts(out, "  \"engine\": {\"name\": ");
    put_text(out, result->engine.name);
    buf_puts(out, ", \"version\": ");
    put_text(out, result->engine.version);
    buf_printf(out, "},\n  \"seed\": %" PRIu64 ",\n  \"warmup_rounds\": %" PRIu32 ",\n",
               result->seed, result->warmup_rounds);
}

static void put_trace(struct buf *out, const struct tt_trace_check *trace)
{
    buf_printf(out,
               ",\n          \"trace\": {\"expected\": %" PRIu64 ", \"recorded_min\": %" PRIu64
               ", \"accesses_min\": %" PRIu64 ", \"accesses_max\": %" PRIu64 ", \"lost\": %" PRIu64
               ", \"complete\": %s}",
               trace->expected, trace->recorded_min, trace->accesses_min, trace->accesses_max,
               trace->lost, trace->complete ? "true" : "false");
}

/** For people and for tools like jq; readers take the samples. */
static void put_median(struct buf *out, const struct tt_samples *samples)
{
    double median_ns;

    if (!samples->count)
        return;
    int ret = tt_stats_median_ns(samples->ns, samples->count, &median_ns);
    if (ret) {
        out->status = out->status ? out->status : ret;
        return;
    }
    buf_puts(out, "\"median_ns\": ");
    put_double(out, median_ns);
    buf_puts(out, ",\n          ");
}

static void put_arms(struct buf *out, const struct tt_target *target)
{
    const char *separator = "";

    buf_puts(out, "      \"arms\": {");
    for (int arm = 0; arm < TT_ARM_COUNT; arm++) {
        const struct tt_samples *samples = &target->arm[arm];
        if (!samples->count && !target->trace[arm].checked)
            continue;
        buf_printf(out, "%s\n        \"%s\": {\n          ", separator,
                   tt_arm_name((enum tt_arm)arm));
        put_median(out, samples);
        buf_puts(out, "\"samples_ns\": [");
        for (size_t i = 0; i < samples->count; i++)
            buf_printf(out, "%s%" PRIu64, i ? "," : "", samples->ns[i]);
        buf_puts(out, "]");
        if (target->trace[arm].checked)
            put_trace(out, &target->trace[arm]);
        buf_puts(out, "\n        }");
        separator = ",";
    }
    buf_puts(out, *separator ? "\n      }" : "}");
}

static void put_estimate(struct buf *out, const char *key, const struct tt_estimate *estimate)
{
    const struct {
        const char *suffix;
        double number;
    } numbers[] = {{"", estimate->ratio}, {"_low", estimate->low}, {"_high", estimate->high}};

    if (!estimate->known)
        return;
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        if (!isfinite(numbers[i].number))
            return;
    }
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        buf_printf(out, ",\n      \"%s%s\": ", key, numbers[i].suffix);
        put_double(out, numbers[i].number);
    }
}

static void put_targets(struct buf *out, const struct tt_result *result)
{
    buf_puts(out, "  \"targets\": [");
    for (size_t i = 0; i < result->targets_count; i++) {
        const struct tt_target *target = &result->targets[i];
        buf_printf(out, "%s\n    {\n", i ? "," : "");
        put_member(out, "      ", "name", target->name);
        put_member(out, "      ", "operation", target->operation);
        buf_printf(out, "      \"operations_count\": %" PRIu64 ",\n", target->operations_count);
        put_member(out, "      ", "void", target->void_reason);
        put_arms(out, target);
        put_estimate(out, "overhead_ratio", &target->overhead);
        put_estimate(out, "head_base_ratio", &target->head_base);
        buf_puts(out, "\n    }");
    }
    buf_puts(out, result->targets_count ? "\n  ]\n" : "]\n");
}

/** What is written must be what can be read: a wrong value is found here, not by the reader. */
static int check_readable(const char *text, size_t size_bytes, struct err *err)
{
    struct tt_result again;

    int ret = tt_result_parse("the new result", text, size_bytes, &again, err);
    tt_result_fini(&again);
    if (ret != -EPROTO)
        return ret;
    if (err)
        err->code = -EINVAL;
    return -EINVAL;
}

int tt_result_format(const struct tt_result *result, char **out, struct err *err)
{
    struct buf text;

    *out = NULL;
    buf_init(&text, TT_RESULT_MAX_BYTES);
    buf_puts(&text, "{\n");
    put_head(&text, result);
    put_suite(&text, result);
    put_files(&text, "head_files", result->head_files, result->head_files_count);
    put_files(&text, "base_files", result->base_files, result->base_files_count);
    put_targets(&text, result);
    buf_puts(&text, "}\n");
    int ret = buf_status(&text);
    if (ret) {
        (void)err_set(err, ret, "cannot write the result: %s",
                      ret == -EINVAL  ? "a text in it is not UTF-8"
                      : ret == -EFBIG ? "larger than 16 MiB; take fewer rounds or --shard"
                                      : err_text(ret));
        goto out;
    }
    ret = check_readable(text.data, text.size_bytes, err);
    if (!ret)
        *out = buf_take(&text);
out:
    buf_fini(&text);
    return ret;
}
