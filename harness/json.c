/* SPDX-License-Identifier: MIT */
/* Values out of JSON that may come from a stranger, each checked as it is taken. */
#include "harness/json.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REASON_SIZE 160

int tt_json_parse(const struct tt_json_at *at, const void *data, size_t size_bytes, json_t **out)
{
    json_error_t where;

    *out = json_loadb(data, size_bytes, JSON_REJECT_DUPLICATES, &where);
    if (*out)
        return 0;
    /* Where jansson runs out of memory it often says nothing at all. */
    if (!*where.text || json_error_code(&where) == json_error_out_of_memory)
        return err_set(at->err, -ENOMEM, "cannot read %s: %s", at->input, err_text(-ENOMEM));
    return err_set(at->err, -EPROTO, "cannot read %s: not %s: line %d, column %d: %s", at->input,
                   at->format, where.line, where.column, where.text);
}

struct tt_json_at tt_json_below(const struct tt_json_at *at, const char *format, ...)
{
    struct tt_json_at below = *at;
    size_t used = strlen(below.place);
    va_list args;

    if (used && used + 1 < sizeof(below.place))
        below.place[used++] = '.';
    va_start(args, format);
    (void)vsnprintf(below.place + used, sizeof(below.place) - used, format, args);
    va_end(args);
    return below;
}

int tt_json_refuse(const struct tt_json_at *at, const char *key, const char *reason, ...)
{
    char text[REASON_SIZE];
    va_list args;

    va_start(args, reason);
    (void)vsnprintf(text, sizeof(text), reason, args);
    va_end(args);
    const char *dot = key && *at->place ? "." : "";
    const char *colon = key || *at->place ? ": " : "";
    return err_set(at->err, -EPROTO, "cannot read %s: not %s: %s%s%s%s%s", at->input, at->format,
                   at->place, dot, key ? key : "", colon, text);
}

/** The value at @key; null counts as absent. */
static int take(const struct tt_json_at *at, const json_t *object, const char *key, bool optional,
                json_t **out)
{
    json_t *value = json_object_get(object, key);
    *out = json_is_null(value) ? NULL : value;
    return *out || optional ? 0 : tt_json_refuse(at, key, "missing");
}

int tt_json_object(const struct tt_json_at *at, const json_t *object, const char *key,
                   bool optional, json_t **out)
{
    int ret = take(at, object, key, optional, out);
    if (!ret && *out && !json_is_object(*out)) {
        *out = NULL;
        ret = tt_json_refuse(at, key, "not an object");
    }
    return ret;
}

int tt_json_array(const struct tt_json_at *at, const json_t *object, const char *key,
                  size_t max_count, bool optional, json_t **out)
{
    int ret = take(at, object, key, optional, out);
    if (ret || !*out)
        return ret;
    if (!json_is_array(*out))
        ret = tt_json_refuse(at, key, "not an array");
    else if (json_array_size(*out) > max_count)
        ret = tt_json_refuse(at, key, "more than %zu elements", max_count);
    if (ret)
        *out = NULL;
    return ret;
}

int tt_json_check_text(const struct tt_json_at *at, const char *key, const json_t *value,
                       size_t max_bytes)
{
    if (!json_is_string(value))
        return tt_json_refuse(at, key, "not a string");
    size_t length = json_string_length(value);
    if (!length)
        return tt_json_refuse(at, key, "empty");
    if (length > max_bytes)
        return tt_json_refuse(at, key, "longer than %zu bytes", max_bytes);
    for (const char *c = json_string_value(value); *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            return tt_json_refuse(at, key, "holds a control character");
    }
    return 0;
}

int tt_json_text(const struct tt_json_at *at, const json_t *object, const char *key,
                 size_t max_bytes, bool optional, char **out)
{
    json_t *value;

    *out = NULL;
    int ret = take(at, object, key, optional, &value);
    if (ret || !value)
        return ret;
    ret = tt_json_check_text(at, key, value, max_bytes);
    if (ret)
        return ret;
    *out = strdup(json_string_value(value));
    return *out ? 0 : err_set(at->err, -ENOMEM, "cannot read %s: %s", at->input, err_text(-ENOMEM));
}

int tt_json_u64(const struct tt_json_at *at, const json_t *object, const char *key, uint64_t min,
                uint64_t max, uint64_t *out)
{
    json_t *value;

    *out = 0;
    int ret = take(at, object, key, false, &value);
    if (ret)
        return ret;
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 0 || (uint64_t)number < min || (uint64_t)number > max)
        return tt_json_refuse(at, key, "not a whole number from %llu to %llu",
                              (unsigned long long)min, (unsigned long long)max);
    *out = (uint64_t)number;
    return 0;
}

int tt_json_positive(const struct tt_json_at *at, const json_t *object, const char *key,
                     double *out)
{
    json_t *value;

    *out = 0;
    int ret = take(at, object, key, false, &value);
    if (ret)
        return ret;
    double number = json_number_value(value);
    if (!json_is_number(value) || !isfinite(number) || number <= 0)
        return tt_json_refuse(at, key, "not a number above 0");
    *out = number;
    return 0;
}

int tt_json_bool(const struct tt_json_at *at, const json_t *object, const char *key, bool *out)
{
    json_t *value;

    *out = false;
    int ret = take(at, object, key, false, &value);
    if (ret)
        return ret;
    if (!json_is_boolean(value))
        return tt_json_refuse(at, key, "neither true nor false");
    *out = json_is_true(value);
    return 0;
}
