/* SPDX-License-Identifier: MIT */
/* How long plain commands take, relative to each other, and hyperfine's JSON of it. */
#include "harness/speed.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/json.h"
#include "harness/result.h"

#define MAX_SECONDS 86400.0

void tt_speed_table_fini(struct tt_speed_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        struct tt_speed_group *group = &table->groups[i];
        for (size_t j = 0; j < group->count; j++) {
            free(group->speeds[j].command);
            free(group->speeds[j].seconds);
        }
        free(group->speeds);
        free(group->name);
    }
    for (size_t i = 0; i < table->versions_count; i++)
        free(table->versions[i]);
    free(table->versions);
    free(table->groups);
    *table = (struct tt_speed_table){0};
}

void tt_speed_summarise(struct tt_speed *speed)
{
    double sum = 0, squares = 0;

    speed->min = speed->max = speed->seconds[0];
    for (size_t i = 0; i < speed->count; i++) {
        sum += speed->seconds[i];
        speed->min = fmin(speed->min, speed->seconds[i]);
        speed->max = fmax(speed->max, speed->seconds[i]);
    }
    speed->mean = sum / (double)speed->count;
    for (size_t i = 0; i < speed->count; i++)
        squares += (speed->seconds[i] - speed->mean) * (speed->seconds[i] - speed->mean);
    speed->stddev = speed->count > 1 ? sqrt(squares / (double)(speed->count - 1)) : -1;
}

struct tt_speed_ratio tt_speed_relative(const struct tt_speed *speed,
                                        const struct tt_speed *reference)
{
    struct tt_speed_ratio out = {.ratio = 1, .error = -1};

    if (speed == reference || !(reference->mean > 0))
        return out;
    out.ratio = speed->mean / reference->mean;
    if (speed->stddev >= 0 && reference->stddev >= 0 && speed->mean > 0)
        out.error =
            out.ratio * hypot(speed->stddev / speed->mean, reference->stddev / reference->mean);
    return out;
}

/** Is it the command, or its first word? */
static bool is_called(const char *command, const char *name)
{
    size_t length = strlen(name);
    return length && !strncmp(command, name, length) &&
           (command[length] == '\0' || command[length] == ' ');
}

int tt_speed_choose(struct tt_speed_table *table, const char *name, struct err *err)
{
    for (size_t i = 0; i < table->count; i++) {
        struct tt_speed_group *group = &table->groups[i];
        size_t found = 0;
        while (found < group->count && !is_called(group->speeds[found].command, name))
            found++;
        if (found == group->count)
            return err_set(err, -ENOENT, "--reference %.60s: no command of %.60s begins with it",
                           name, group->name ? group->name : "the table");
        group->reference = found;
    }
    return 0;
}

/* Reading. */

static int out_of_memory(const struct tt_json_at *at)
{
    return err_set(at->err, -ENOMEM, "cannot read %s: %s", at->input, err_text(-ENOMEM));
}

/** A number of seconds. */
static int take_seconds(const struct tt_json_at *at, const char *key, const json_t *value,
                        double *out)
{
    *out = json_number_value(value);
    return json_is_number(value) && *out >= 0 && *out <= MAX_SECONDS
               ? 0
               : tt_json_refuse(at, key, "not a number of seconds from 0 to a day");
}

static int parse_times(const struct tt_json_at *at, const json_t *times, struct tt_speed *out)
{
    size_t count = json_array_size(times);
    int ret = 0;

    if (count > TT_RESULT_MAX_ROUNDS)
        return tt_json_refuse(at, "times", "more than %d", TT_RESULT_MAX_ROUNDS);
    out->seconds = calloc(count, sizeof(*out->seconds));
    if (!out->seconds)
        return out_of_memory(at);
    out->count = count;
    for (size_t i = 0; !ret && i < count; i++)
        ret = take_seconds(at, "times", json_array_get(times, i), &out->seconds[i]);
    if (!ret)
        tt_speed_summarise(out);
    return ret;
}

static int parse_speed(const struct tt_json_at *at, const json_t *object, struct tt_speed *out)
{
    const json_t *times = json_object_get(object, "times");
    const json_t *stddev = json_object_get(object, "stddev");

    if (!json_is_object(object))
        return tt_json_refuse(at, NULL, "not an object");
    int ret = tt_json_text(at, object, "command", TT_SPEED_MAX_TEXT_BYTES, false, &out->command);
    if (ret || json_array_size(times))
        return ret ? ret : parse_times(at, times, out);
    ret = take_seconds(at, "mean", json_object_get(object, "mean"), &out->mean);
    if (!ret)
        ret = take_seconds(at, "min", json_object_get(object, "min"), &out->min);
    if (!ret)
        ret = take_seconds(at, "max", json_object_get(object, "max"), &out->max);
    out->stddev = -1;
    if (!ret && stddev && !json_is_null(stddev))
        ret = take_seconds(at, "stddev", stddev, &out->stddev);
    return ret;
}

/** The group that a result belongs to: the last one when it has the same name. */
static int find_group(const struct tt_json_at *at, struct tt_speed_table *table, size_t first,
                      char *name, struct tt_speed_group **out)
{
    if (table->count > first) {
        struct tt_speed_group *last = &table->groups[table->count - 1];
        if (!strcmp(last->name ? last->name : "", name ? name : "")) {
            free(name);
            *out = last;
            return 0;
        }
    }
    struct tt_speed_group *grown = table->count < TT_SPEED_MAX_GROUPS
                                       ? realloc(table->groups, (table->count + 1) * sizeof(*grown))
                                       : NULL;
    if (!grown) {
        free(name);
        return table->count < TT_SPEED_MAX_GROUPS
                   ? out_of_memory(at)
                   : tt_json_refuse(at, "group", "more than %d", TT_SPEED_MAX_GROUPS);
    }
    table->groups = grown;
    *out = &table->groups[table->count++];
    **out = (struct tt_speed_group){.name = name};
    return 0;
}

static int parse_result(const struct tt_json_at *at, const json_t *object, size_t first,
                        struct tt_speed_table *table)
{
    struct tt_speed_group *group = NULL;
    char *name = NULL;

    int ret = tt_json_text(at, object, "group", TT_RESULT_MAX_STRING_BYTES, true, &name);
    if (!ret)
        ret = find_group(at, table, first, name, &group);
    if (ret || !group)
        return ret;
    if (group->count == TT_SPEED_MAX_COMMANDS)
        return tt_json_refuse(at, NULL, "more than %d commands in a group", TT_SPEED_MAX_COMMANDS);
    struct tt_speed *grown = realloc(group->speeds, (group->count + 1) * sizeof(*grown));
    if (!grown)
        return out_of_memory(at);
    group->speeds = grown;
    grown[group->count] = (struct tt_speed){0};
    return parse_speed(at, object, &grown[group->count++]);
}

int tt_speed_parse(const char *name, const void *data, size_t size_bytes,
                   struct tt_speed_table *table, struct err *err)
{
    const struct tt_json_at at = {.input = name, .format = "hyperfine's JSON", .err = err};
    const size_t first = table->count;
    json_t *root = NULL, *results;

    int ret = tt_json_parse(&at, data, size_bytes, &root);
    if (!ret && !json_is_object(root))
        ret = tt_json_refuse(&at, NULL, "not an object");
    if (!ret)
        ret = tt_json_array(&at, root, "results",
                            (size_t)TT_SPEED_MAX_GROUPS * TT_SPEED_MAX_COMMANDS, false, &results);
    if (!ret && !json_array_size(results))
        ret = tt_json_refuse(&at, "results", "empty");
    for (size_t i = 0; !ret && i < json_array_size(results); i++) {
        const struct tt_json_at here = tt_json_below(&at, "results[%zu]", i);
        ret = parse_result(&here, json_array_get(results, i), first, table);
    }
    json_decref(root);
    return ret;
}

/* Writing. */

static json_t *speed_json(const struct tt_speed_group *group, const struct tt_speed *speed)
{
    json_t *times = json_array(), *codes = json_array();

    for (size_t i = 0; i < speed->count; i++) {
        json_array_append_new(times, json_real(speed->seconds[i]));
        json_array_append_new(codes, json_integer(0)); /* another status is never recorded */
    }
    json_t *out =
        json_pack("{s:s, s:f, s:f, s:f, s:o, s:o, s:o, s:o?}", "command", speed->command, "mean",
                  speed->mean, "min", speed->min, "max", speed->max, "stddev",
                  speed->stddev < 0 ? json_null() : json_real(speed->stddev), "times", times,
                  "exit_codes", codes, "group", group->name ? json_string(group->name) : NULL);
    return out;
}

int tt_speed_format(const struct tt_speed_table *table, char **out, struct err *err)
{
    json_t *results = json_array();
    json_t *root = json_pack("{s:o}", "results", results);
    int ret = root ? 0 : -ENOMEM;

    *out = NULL;
    for (size_t i = 0; !ret && i < table->count; i++) {
        for (size_t j = 0; !ret && j < table->groups[i].count; j++) {
            json_t *one = speed_json(&table->groups[i], &table->groups[i].speeds[j]);
            ret = !one ? -EINVAL : json_array_append_new(results, one) ? -ENOMEM : 0;
        }
    }
    if (!ret && !(*out = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15))))
        ret = -ENOMEM;
    json_decref(root);
    return ret ? err_set(err, ret, "cannot write the times as JSON: %s", err_text(ret)) : 0;
}
