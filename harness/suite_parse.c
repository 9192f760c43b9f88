/* SPDX-License-Identifier: MIT */
/* A suite out of JSON; everything is checked, unknown keys are passed over. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/num.h"
#include "harness/argv.h"
#include "harness/json.h"
#include "harness/suite.h"

#define SCHEMA_NAME "tracetax.suite/"
#define TABLE_NAME "tracetax.table/"

static int out_of_memory(const struct tt_json_at *at)
{
    return err_set(at->err, -ENOMEM, "cannot read %s: %s", at->input, err_text(-ENOMEM));
}

static int check_schema(const struct tt_json_at *at, const json_t *root)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));
    uint64_t version;

    if (schema && !strcmp(schema, TT_SUITE_SCHEMA))
        return 0;
    if (schema && !strncmp(schema, SCHEMA_NAME, strlen(SCHEMA_NAME)) &&
        !num_parse_u64(schema + strlen(SCHEMA_NAME), 2, 1000000, &version))
        return err_set(at->err, -ENOTSUP,
                       "cannot read %s: written for a newer version (%s, this one knows %s); "
                       "update tracetax",
                       at->input, schema, TT_SUITE_SCHEMA);
    if (schema && !strncmp(schema, TABLE_NAME, strlen(TABLE_NAME)))
        return err_set(at->err, -EPROTOTYPE,
                       "cannot read %s: its plain commands are not measured untracked and tracked; "
                       "'tracetax table' runs such a suite",
                       at->input);
    return tt_json_refuse(at, "schema", "missing, or not \"" TT_SUITE_SCHEMA "\"");
}

/** An array of strings as a vector. @key may be NULL: the place itself */
static int take_argv(const struct tt_json_at *at, const char *key, const json_t *array, char ***out)
{
    size_t count = json_array_size(array);
    if (!count)
        return tt_json_refuse(at, key, "empty; the program comes first");
    *out = calloc(count + 1, sizeof(**out));
    if (!*out)
        return out_of_memory(at);
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_array_get(array, i);
        const char *text = json_string_value(value);
        if (!text)
            return tt_json_refuse(at, key, "[%zu] is not a string", i);
        if (json_string_length(value) > TT_SUITE_MAX_ARGUMENT_BYTES)
            return tt_json_refuse(at, key, "[%zu] is longer than %d bytes", i,
                                  TT_SUITE_MAX_ARGUMENT_BYTES);
        if (!i && !*text)
            return tt_json_refuse(at, key, "the program is empty");
        (*out)[i] = strdup(text);
        if (!(*out)[i])
            return out_of_memory(at);
    }
    return 0;
}

int tt_suite_parse_argv(const struct tt_json_at *at, const json_t *array, char ***out)
{
    *out = NULL;
    if (!json_is_array(array))
        return tt_json_refuse(at, NULL, "not an array of arguments");
    if (json_array_size(array) > TT_SUITE_MAX_ARGUMENTS)
        return tt_json_refuse(at, NULL, "more than %d arguments", TT_SUITE_MAX_ARGUMENTS);
    int ret = take_argv(at, NULL, array, out);
    if (ret) {
        tt_argv_free(*out);
        *out = NULL;
    }
    return ret;
}

/** An array of at least one text; an argument may be empty, but not the program. */
static int parse_argv(const struct tt_json_at *at, const json_t *object, const char *key,
                      bool optional, char ***out)
{
    json_t *array;

    int ret = tt_json_array(at, object, key, TT_SUITE_MAX_ARGUMENTS, optional, &array);
    return ret || !array ? ret : take_argv(at, key, array, out);
}

/** A tracker runs the command: "{command}" is an argument of its own, once. */
static int parse_tracker(const struct tt_json_at *at, const json_t *object, char ***out)
{
    size_t commands = 0;

    int ret = parse_argv(at, object, "tracker", true, out);
    if (ret || !*out)
        return ret;
    for (size_t i = 0; (*out)[i]; i++)
        commands += !strcmp((*out)[i], "{command}");
    if (commands != 1 || !strcmp((*out)[0], "{command}"))
        return tt_json_refuse(at, "tracker",
                              "\"{command}\" must be one argument after the program");
    return 0;
}

static int parse_target(const struct tt_json_at *at, const json_t *object, char **shared_tracker,
                        struct tt_suite_target *out)
{
    const struct tt_argv_values none = {0};

    if (!json_is_object(object))
        return tt_json_refuse(at, NULL, "not an object");
    int ret = tt_json_text(at, object, "name", TT_RESULT_MAX_STRING_BYTES, false, &out->name);
    if (!ret)
        ret = tt_json_text(at, object, "operation", TT_RESULT_MAX_STRING_BYTES, false,
                           &out->operation);
    if (!ret && json_object_get(object, "operations_count"))
        ret = tt_json_u64(at, object, "operations_count", 0, TT_JSON_MAX_INTEGER,
                          &out->operations_count);
    if (!ret)
        ret = parse_argv(at, object, "prepare", true, &out->prepare);
    if (!ret)
        ret = parse_argv(at, object, "command", false, &out->command);
    if (!ret)
        ret = parse_argv(at, object, "paths", true, &out->paths);
    if (!ret)
        ret = parse_tracker(at, object, &out->tracker);
    if (!ret && json_object_get(object, "backend"))
        ret = tt_json_text(at, object, "backend", TT_RESULT_MAX_STRING_BYTES, false, &out->backend);
    if (!ret && !out->tracker && shared_tracker) {
        ret = tt_argv_expand(tt_argv_view(shared_tracker), &none, &out->tracker);
        if (ret)
            (void)err_set(at->err, ret, "cannot read %s: %s", at->input, err_text(ret));
    }
    if (!ret && out->tracker && out->backend)
        ret = tt_json_refuse(at, "backend",
                             "it is for filetrace, and this target has another tracker");
    if (!ret && out->tracker && out->paths)
        ret = tt_json_refuse(at, "paths",
                             "only traces of filetrace are read, and this target "
                             "has another tracker");
    return ret;
}

static int check_unique(const struct tt_json_at *at, const struct tt_suite *suite)
{
    for (size_t i = 0; i < suite->targets_count; i++) {
        for (size_t j = 0; j < i; j++) {
            /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): each has been read */
            if (!strcmp(suite->targets[i].name, suite->targets[j].name) &&
                !strcmp(suite->targets[i].operation, suite->targets[j].operation))
                return tt_json_refuse(at, "targets", "%.60s, operation %.60s, is there twice",
                                      suite->targets[i].name, suite->targets[i].operation);
        }
    }
    return 0;
}

static int parse_targets(const struct tt_json_at *at, const json_t *root, char **shared_tracker,
                         struct tt_suite *out)
{
    json_t *array;

    int ret = tt_json_array(at, root, "targets", TT_RESULT_MAX_TARGETS, false, &array);
    if (ret)
        return ret;
    const size_t count = json_array_size(array);
    if (!count)
        return tt_json_refuse(at, "targets", "empty");
    out->targets = calloc(count, sizeof(*out->targets));
    if (!out->targets)
        return out_of_memory(at);
    for (size_t i = 0; !ret && i < count; i++) {
        const struct tt_json_at here = tt_json_below(at, "targets[%zu]", i);
        out->targets_count++;
        ret = parse_target(&here, json_array_get(array, i), shared_tracker, &out->targets[i]);
    }
    return ret ? ret : check_unique(at, out);
}

static int parse_parameters(const struct tt_json_at *at, const json_t *root, struct tt_suite *out)
{
    const struct tt_json_at here = tt_json_below(at, "parameters");
    json_t *object, *value;
    const char *key;

    int ret = tt_json_object(at, root, "parameters", true, &object);
    size_t count = ret ? 0 : json_object_size(object);
    if (!count)
        return ret;
    if (count > TT_RESULT_MAX_PARAMETERS)
        return tt_json_refuse(at, "parameters", "more than %d", TT_RESULT_MAX_PARAMETERS);
    out->parameters = calloc(count, sizeof(*out->parameters));
    if (!out->parameters)
        return out_of_memory(at);
    json_object_foreach(object, key, value)
    {
        struct tt_parameter *parameter = &out->parameters[out->parameters_count++];
        json_t *name = json_string(key);
        ret = name ? tt_json_check_text(&here, "name", name, TT_RESULT_MAX_STRING_BYTES)
                   : out_of_memory(at);
        json_decref(name);
        if (!ret)
            ret = tt_json_check_text(&here, key, value, TT_RESULT_MAX_STRING_BYTES);
        if (ret)
            return ret;
        parameter->name = strdup(key);
        parameter->value = strdup(json_string_value(value));
        if (!parameter->name || !parameter->value)
            return out_of_memory(at);
    }
    return 0;
}

int tt_suite_parse(const char *name, const void *data, size_t size_bytes, struct tt_suite *out,
                   struct err *err)
{
    const struct tt_json_at at = {.input = name, .format = "a tracetax suite", .err = err};
    char **tracker = NULL;
    json_t *root = NULL;

    *out = (struct tt_suite){0};
    if (size_bytes > TT_SUITE_MAX_BYTES)
        return err_set(err, -EPROTO, "cannot read %s: larger than %u bytes", name,
                       TT_SUITE_MAX_BYTES);
    int ret = tt_json_parse(&at, data, size_bytes, &root);
    if (!ret && !json_is_object(root))
        ret = tt_json_refuse(&at, NULL, "not an object");
    if (!ret)
        ret = check_schema(&at, root);
    if (!ret)
        ret = tt_json_text(&at, root, "name", TT_RESULT_MAX_STRING_BYTES, false, &out->name);
    if (!ret)
        ret = tt_json_text(&at, root, "version", TT_RESULT_MAX_STRING_BYTES, false, &out->version);
    if (!ret)
        ret = parse_parameters(&at, root, out);
    if (!ret)
        ret = parse_tracker(&at, root, &tracker);
    if (!ret)
        ret = parse_targets(&at, root, tracker, out);
    json_decref(root);
    tt_argv_free(tracker);
    if (ret)
        tt_suite_fini(out);
    return ret;
}
