/* SPDX-License-Identifier: MIT */
/* A result out of JSON; everything is checked, unknown keys are passed over. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/num.h"
#include "harness/json.h"
#include "harness/result.h"

#define SCHEMA_NAME "tracetax.result/"
#define MAX_PLATFORM_ID_BYTES 64

static int out_of_memory(const struct tt_json_at *at)
{
    return err_set(at->err, -ENOMEM, "cannot read %s: %s", at->input, err_text(-ENOMEM));
}

static int check_schema(const struct tt_json_at *at, const json_t *root)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));
    uint64_t version;

    if (!json_is_object(root))
        return tt_json_refuse(at, NULL, "not an object");
    if (!schema || strncmp(schema, SCHEMA_NAME, strlen(SCHEMA_NAME)))
        return tt_json_refuse(at, "schema", "missing, or not \"" TT_RESULT_SCHEMA "\"");
    if (!strcmp(schema, TT_RESULT_SCHEMA))
        return 0;
    if (!num_parse_u64(schema + strlen(SCHEMA_NAME), 2, 1000000, &version))
        return err_set(at->err, -ENOTSUP,
                       "cannot read %s: written by a newer version (%s, this one knows %s); "
                       "update tracetax",
                       at->input, schema, TT_RESULT_SCHEMA);
    return tt_json_refuse(at, "schema", "not \"" TT_RESULT_SCHEMA "\"");
}

/** "2026-11-30T15:30:00Z" and nothing else. */
static bool is_timestamp(const char *text)
{
    static const char shape[] = "####-##-##T##:##:##Z";

    if (strlen(text) != sizeof(shape) - 1)
        return false;
    for (size_t i = 0; shape[i]; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        if (shape[i] == '#' ? !digit : text[i] != shape[i])
            return false;
    }
#define TWO(at) ((text[at] - '0') * 10 + text[(at) + 1] - '0')
    return TWO(5) >= 1 && TWO(5) <= 12 && TWO(8) >= 1 && TWO(8) <= 31 && TWO(11) <= 23 &&
           TWO(14) <= 59 && TWO(17) <= 60;
#undef TWO
}

static bool is_lower_hex(const char *text, size_t length)
{
    return strlen(text) == length && strspn(text, "0123456789abcdef") == length;
}

/** A commit of git, or NULL. */
static int parse_commit(const struct tt_json_at *at, const json_t *root, const char *key,
                        char **out)
{
    int ret = tt_json_text(at, root, key, 64, true, out);
    if (!ret && *out && !is_lower_hex(*out, 40) && !is_lower_hex(*out, 64))
        ret = tt_json_refuse(at, key, "not 40 or 64 lower-case hexadecimal digits");
    return ret;
}

static int parse_head(const struct tt_json_at *at, const json_t *root, struct tt_result *out)
{
    uint64_t warmup;

    int ret =
        tt_json_text(at, root, "created_at", TT_RESULT_MAX_STRING_BYTES, false, &out->created_at);
    if (!ret && !is_timestamp(out->created_at))
        ret = tt_json_refuse(at, "created_at", "not a time such as 2026-11-30T15:30:00Z");
    if (!ret)
        ret = tt_json_text(at, root, "tool_version", TT_RESULT_MAX_STRING_BYTES, false,
                           &out->tool_version);
    if (!ret)
        ret = parse_commit(at, root, "commit", &out->commit);
    if (!ret)
        ret = parse_commit(at, root, "base_commit", &out->base_commit);
    if (!ret)
        ret = tt_json_u64(at, root, "seed", 0, TT_JSON_MAX_INTEGER, &out->seed);
    if (!ret)
        ret = tt_json_u64(at, root, "warmup_rounds", 0, TT_RESULT_MAX_ROUNDS, &warmup);
    if (!ret)
        out->warmup_rounds = (uint32_t)warmup;
    return ret;
}

static int parse_platform(const struct tt_json_at *at, const json_t *root, struct tt_result *out)
{
    const struct tt_json_at here = tt_json_below(at, "platform");
    json_t *object;
    uint64_t cores;

    int ret = tt_json_object(at, root, "platform", false, &object);
    if (ret)
        return ret;
    struct {
        const char *key;
        char **text;
    } texts[] = {
        {"id", &out->platform.id},       {"os", &out->platform.os},
        {"image", &out->platform.image}, {"kernel", &out->platform.kernel},
        {"libc", &out->platform.libc},   {"arch", &out->platform.arch},
        {"cpu", &out->platform.cpu},
    };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        ret = tt_json_text(&here, object, texts[i].key, TT_RESULT_MAX_STRING_BYTES, false,
                           texts[i].text);
        if (ret)
            return ret;
    }
    size_t length = strlen(out->platform.id);
    if (length > MAX_PLATFORM_ID_BYTES ||
        strspn(out->platform.id, "abcdefghijklmnopqrstuvwxyz0123456789_-") != length)
        return tt_json_refuse(&here, "id", "not 1 to %d of a-z, 0-9, '_' and '-'",
                              MAX_PLATFORM_ID_BYTES);
    ret = tt_json_u64(&here, object, "cores", 1, 1u << 20, &cores);
    if (!ret)
        out->platform.cores = (uint32_t)cores;
    return ret;
}

static int parse_ci(const struct tt_json_at *at, const json_t *root, struct tt_result *out)
{
    const struct tt_json_at here = tt_json_below(at, "ci");
    json_t *object;
    uint64_t attempt = 0;

    int ret = tt_json_object(at, root, "ci", true, &object);
    if (ret || !object)
        return ret;
    ret = tt_json_text(&here, object, "provider", TT_RESULT_MAX_STRING_BYTES, false,
                       &out->ci.provider);
    if (!ret)
        ret = tt_json_u64(&here, object, "run_id", 0, TT_JSON_MAX_INTEGER, &out->ci.run_id);
    if (!ret)
        ret = tt_json_u64(&here, object, "attempt", 1, 1000000, &attempt);
    out->ci.attempt = (uint32_t)attempt;
    return ret;
}

static int parse_parameters(const struct tt_json_at *at, json_t *object, struct tt_result *out)
{
    const struct tt_json_at here = tt_json_below(at, "parameters");
    const char *key;
    json_t *value;

    size_t count = json_object_size(object);
    if (!count)
        return 0;
    if (count > TT_RESULT_MAX_PARAMETERS)
        return tt_json_refuse(at, "parameters", "more than %d", TT_RESULT_MAX_PARAMETERS);
    out->suite.parameters = calloc(count, sizeof(*out->suite.parameters));
    if (!out->suite.parameters)
        return out_of_memory(at);
    json_object_foreach(object, key, value)
    {
        json_t *name = json_string(key);
        int ret = name ? tt_json_check_text(&here, "name", name, TT_RESULT_MAX_STRING_BYTES)
                       : out_of_memory(at);
        json_decref(name);
        if (!ret)
            ret = tt_json_check_text(&here, key, value, TT_RESULT_MAX_STRING_BYTES);
        if (ret)
            return ret;
        struct tt_parameter *parameter = &out->suite.parameters[out->suite.parameters_count++];
        parameter->name = strdup(key);
        parameter->value = strdup(json_string_value(value));
        if (!parameter->name || !parameter->value)
            return out_of_memory(at);
    }
    return 0;
}

static int parse_suite(const struct tt_json_at *at, const json_t *root, struct tt_result *out)
{
    const struct tt_json_at here = tt_json_below(at, "suite");
    json_t *object, *parameters = NULL;
    uint64_t shards = 1, shard = 1;

    int ret = tt_json_object(at, root, "suite", false, &object);
    if (!ret)
        ret = tt_json_text(&here, object, "name", TT_RESULT_MAX_STRING_BYTES, false,
                           &out->suite.name);
    if (!ret)
        ret = tt_json_text(&here, object, "version", TT_RESULT_MAX_STRING_BYTES, false,
                           &out->suite.version);
    if (!ret)
        ret = tt_json_object(&here, object, "parameters", true, &parameters);
    if (!ret && parameters)
        ret = parse_parameters(&here, parameters, out);
    if (!ret)
        ret = tt_json_u64(&here, object, "shards", 1, TT_RESULT_MAX_TARGETS, &shards);
    if (!ret)
        ret = tt_json_u64(&here, object, "shard", 1, shards, &shard);
    out->suite.shard = (uint32_t)shard;
    out->suite.shards = (uint32_t)shards;
    return ret;
}

static int parse_engine(const struct tt_json_at *at, const json_t *root, struct tt_result *out)
{
    const struct tt_json_at here = tt_json_below(at, "engine");
    json_t *object;

    int ret = tt_json_object(at, root, "engine", false, &object);
    if (!ret)
        ret = tt_json_text(&here, object, "name", TT_RESULT_MAX_STRING_BYTES, false,
                           &out->engine.name);
    if (!ret)
        ret = tt_json_text(&here, object, "version", TT_RESULT_MAX_STRING_BYTES, false,
                           &out->engine.version);
    return ret;
}

static int parse_files(const struct tt_json_at *at, const json_t *root, const char *key,
                       struct tt_file_hash **files, size_t *files_count)
{
    json_t *array;

    int ret = tt_json_array(at, root, key, TT_RESULT_MAX_FILES, true, &array);
    if (ret || !json_array_size(array))
        return ret;
    *files = calloc(json_array_size(array), sizeof(**files));
    if (!*files)
        return out_of_memory(at);
    for (size_t i = 0; i < json_array_size(array); i++) {
        const struct tt_json_at here = tt_json_below(at, "%s[%zu]", key, i);
        struct tt_file_hash *file = &(*files)[(*files_count)++];
        char *sha256 = NULL;

        ret = tt_json_text(&here, json_array_get(array, i), "name", TT_RESULT_MAX_STRING_BYTES,
                           false, &file->name);
        if (!ret)
            ret = tt_json_text(&here, json_array_get(array, i), "sha256", 64, false, &sha256);
        if (!ret && !is_lower_hex(sha256, 64))
            ret = tt_json_refuse(&here, "sha256", "not 64 lower-case hexadecimal digits");
        if (!ret)
            memcpy(file->sha256, sha256, sizeof(file->sha256));
        free(sha256);
        if (ret)
            return ret;
    }
    return 0;
}

static int parse_samples(const struct tt_json_at *at, const json_t *object, struct tt_samples *out)
{
    json_t *array;

    int ret = tt_json_array(at, object, "samples_ns", TT_RESULT_MAX_ROUNDS, false, &array);
    size_t count = ret ? 0 : json_array_size(array);
    if (!count)
        return ret;
    out->ns = calloc(count, sizeof(*out->ns));
    if (!out->ns)
        return out_of_memory(at);
    out->count = count;
    for (size_t i = 0; i < count; i++) {
        json_t *value = json_array_get(array, i);
        json_int_t ns = json_integer_value(value);
        if (!json_is_integer(value) || ns < 0 || (uint64_t)ns > TT_RESULT_MAX_SAMPLE_NS)
            return tt_json_refuse(at, "samples_ns", "[%zu] is not a whole number from 0 to %llu", i,
                                  (unsigned long long)TT_RESULT_MAX_SAMPLE_NS);
        out->ns[i] = (uint64_t)ns;
    }
    return 0;
}

static int parse_trace(const struct tt_json_at *at, const json_t *arm, struct tt_trace_check *out)
{
    const struct tt_json_at here = tt_json_below(at, "trace");
    json_t *object;

    int ret = tt_json_object(at, arm, "trace", true, &object);
    if (ret || !object)
        return ret;
    out->checked = true;
    struct {
        const char *key;
        uint64_t *number;
    } numbers[] = {
        {"expected", &out->expected},
        {"recorded_min", &out->recorded_min},
        {"accesses_min", &out->accesses_min},
        {"accesses_max", &out->accesses_max},
        {"lost", &out->lost},
    };
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        ret = tt_json_u64(&here, object, numbers[i].key, 0, TT_JSON_MAX_INTEGER, numbers[i].number);
        if (ret)
            return ret;
    }
    if (out->recorded_min > out->expected)
        return tt_json_refuse(&here, "recorded_min", "more than expected");
    if (out->accesses_min > out->accesses_max)
        return tt_json_refuse(&here, "accesses_min", "more than accesses_max");
    return tt_json_bool(&here, object, "complete", &out->complete);
}

static int parse_arms(const struct tt_json_at *at, const json_t *object, struct tt_target *out)
{
    const struct tt_json_at arms_at = tt_json_below(at, "arms");
    json_t *arms, *arm;
    size_t count = 0;

    int ret = tt_json_object(at, object, "arms", false, &arms);
    for (int i = 0; !ret && i < TT_ARM_COUNT; i++) {
        const struct tt_json_at here = tt_json_below(&arms_at, "%s", tt_arm_name((enum tt_arm)i));
        ret = tt_json_object(&arms_at, arms, tt_arm_name((enum tt_arm)i), true, &arm);
        if (ret || !arm)
            continue;
        ret = parse_samples(&here, arm, &out->arm[i]);
        if (!ret && i != TT_ARM_UNTRACKED)
            ret = parse_trace(&here, arm, &out->trace[i]);
        if (!ret && count && out->arm[i].count && out->arm[i].count != count)
            ret = tt_json_refuse(&here, "samples_ns", "%zu samples, and %zu in another arm",
                                 out->arm[i].count, count);
        if (out->arm[i].count)
            count = out->arm[i].count;
    }
    return ret;
}

/** An estimate is the three numbers NAME, NAME_low and NAME_high, or none of them. */
static int parse_estimate(const struct tt_json_at *at, const json_t *object,
                          const char *const key[3], struct tt_estimate *out)
{
    double ratio, low, high;

    json_t *value = json_object_get(object, key[0]);
    if (!value || json_is_null(value))
        return 0;
    int ret = tt_json_positive(at, object, key[0], &ratio);
    if (!ret)
        ret = tt_json_positive(at, object, key[1], &low);
    if (!ret)
        ret = tt_json_positive(at, object, key[2], &high);
    if (ret)
        return ret;
    if (low > ratio || ratio > high)
        return tt_json_refuse(at, key[0], "outside its own interval");
    *out = (struct tt_estimate){.known = true, .ratio = ratio, .low = low, .high = high};
    return 0;
}

static int parse_target(const struct tt_json_at *at, const json_t *object, struct tt_target *out)
{
    static const char *const overhead[3] = {"overhead_ratio", "overhead_ratio_low",
                                            "overhead_ratio_high"};
    static const char *const head_base[3] = {"head_base_ratio", "head_base_ratio_low",
                                             "head_base_ratio_high"};

    if (!json_is_object(object))
        return tt_json_refuse(at, NULL, "not an object");
    int ret = tt_json_text(at, object, "name", TT_RESULT_MAX_STRING_BYTES, false, &out->name);
    if (!ret)
        ret = tt_json_text(at, object, "operation", TT_RESULT_MAX_STRING_BYTES, false,
                           &out->operation);
    if (!ret)
        ret = tt_json_u64(at, object, "operations_count", 0, TT_JSON_MAX_INTEGER,
                          &out->operations_count);
    if (!ret)
        ret = tt_json_text(at, object, "void", TT_RESULT_MAX_STRING_BYTES, true, &out->void_reason);
    if (!ret)
        ret = parse_arms(at, object, out);
    if (!ret)
        ret = parse_estimate(at, object, overhead, &out->overhead);
    if (!ret)
        ret = parse_estimate(at, object, head_base, &out->head_base);
    if (!ret && out->void_reason && (out->overhead.known || out->head_base.known))
        ret = tt_json_refuse(at, "void", "a void target holds an estimate");
    return ret;
}

static int compare_targets(const void *a, const void *b)
{
    const struct tt_target *x = *(const struct tt_target *const *)a;
    const struct tt_target *y = *(const struct tt_target *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->operation, y->operation);
}

/** No two targets may have the same name and operation. */
static int check_unique(const struct tt_json_at *at, const struct tt_result *result)
{
    const struct tt_target **sorted = calloc(result->targets_count + 1, sizeof(*sorted));
    int ret = 0;

    if (!sorted)
        return out_of_memory(at);
    for (size_t i = 0; i < result->targets_count; i++)
        sorted[i] = &result->targets[i];
    qsort(sorted, result->targets_count, sizeof(*sorted), compare_targets);
    for (size_t i = 1; !ret && i < result->targets_count; i++) {
        if (!compare_targets(&sorted[i - 1], &sorted[i]))
            ret = tt_json_refuse(at, "targets", "%.60s, operation %.60s, is there twice",
                                 sorted[i]->name, sorted[i]->operation);
    }
    free(sorted);
    return ret;
}

static int parse_targets(const struct tt_json_at *at, const json_t *root, struct tt_result *out)
{
    json_t *array;

    int ret = tt_json_array(at, root, "targets", TT_RESULT_MAX_TARGETS, false, &array);
    const size_t count = json_array_size(array);
    if (ret || !count)
        return ret;
    out->targets = calloc(count, sizeof(*out->targets));
    if (!out->targets)
        return out_of_memory(at);
    for (size_t i = 0; !ret && i < count; i++) {
        const struct tt_json_at here = tt_json_below(at, "targets[%zu]", i);
        out->targets_count++;
        ret = parse_target(&here, json_array_get(array, i), &out->targets[i]);
    }
    return ret ? ret : check_unique(at, out);
}

int tt_result_parse(const char *name, const void *data, size_t size_bytes, struct tt_result *out,
                    struct err *err)
{
    const struct tt_json_at at = {.input = name, .format = "a tracetax result", .err = err};
    json_t *root = NULL;

    *out = (struct tt_result){0};
    if (size_bytes > TT_RESULT_MAX_BYTES)
        return err_set(err, -EPROTO, "cannot read %s: larger than %u bytes", name,
                       TT_RESULT_MAX_BYTES);
    int ret = tt_json_parse(&at, data, size_bytes, &root);
    if (!ret)
        ret = check_schema(&at, root);
    if (!ret)
        ret = parse_head(&at, root, out);
    if (!ret)
        ret = parse_platform(&at, root, out);
    if (!ret)
        ret = parse_ci(&at, root, out);
    if (!ret)
        ret = parse_suite(&at, root, out);
    if (!ret)
        ret = parse_engine(&at, root, out);
    if (!ret)
        ret = parse_files(&at, root, "head_files", &out->head_files, &out->head_files_count);
    if (!ret)
        ret = parse_files(&at, root, "base_files", &out->base_files, &out->base_files_count);
    if (!ret)
        ret = parse_targets(&at, root, out);
    json_decref(root);
    if (ret)
        tt_result_fini(out);
    return ret;
}
