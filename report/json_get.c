/* SPDX-License-Identifier: MIT */
/* Checked looks into GitHub's JSON. */
#include "report/json_get.h"

#include <errno.h>
#include <string.h>

#include "report/when.h"

#define KEY_SIZE 64

const json_t *rep_json_at(const json_t *object, const char *path)
{
    char key[KEY_SIZE];
    while (object) {
        size_t length = strcspn(path, ".");
        if (length >= sizeof(key))
            return NULL;
        memcpy(key, path, length);
        key[length] = '\0';
        object = json_object_get(object, key);
        if (!path[length])
            break;
        path += length + 1;
    }
    return object;
}

uint64_t rep_json_id(const json_t *value)
{
    json_int_t number = json_is_integer(value) ? json_integer_value(value) : 0;
    return number > 0 ? (uint64_t)number : 0;
}

bool rep_json_true(const json_t *value)
{
    return json_is_true(value);
}

bool rep_json_is(const json_t *value, const char *text)
{
    const char *string = json_string_value(value);
    return string && !strcmp(string, text);
}

int rep_json_sha(const json_t *value, char out[REP_SHA_SIZE])
{
    out[0] = '\0';
    const char *text = json_string_value(value);
    if (!text)
        return -EPROTO;
    size_t length = strspn(text, "0123456789abcdef");
    if (text[length] || (length != 40 && length != 64))
        return -EPROTO;
    memcpy(out, text, length + 1);
    return 0;
}

int64_t rep_json_time(const json_t *value)
{
    int64_t unix_s = 0;
    return rep_when_parse(json_string_value(value), &unix_s) ? 0 : unix_s;
}
