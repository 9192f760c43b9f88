/* SPDX-License-Identifier: MIT */
/* Values out of JSON that may come from a stranger, each checked as it is taken. */
#ifndef HARNESS_JSON_H
#define HARNESS_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "common/err.h"

/** Largest integer that every JSON reader holds exactly: 2^53 - 1. */
#define TT_JSON_MAX_INTEGER UINT64_C(9007199254740991)

/** Longest text of a place such as "targets[3].arms.tracked", with its NUL. */
#define TT_JSON_PLACE_SIZE 96

/** Where in which input a value stands, for the texts of errors. */
struct tt_json_at {
    const char *input;              /**< what the input is called; borrowed */
    const char *format;             /**< what it should be: "a tracetax result"; borrowed */
    char place[TT_JSON_PLACE_SIZE]; /**< "" at the top */
    struct err *err;                /**< may be NULL */
};

/**
 * Parse a text: one JSON value, UTF-8, no key twice in an object, no NUL in a string,
 * nested at most 2,048 deep (jansson's own limit).
 * @at  names the input
 * @out for json_decref(); NULL on failure
 * @return 0, -EPROTO with line and column in the error, or -ENOMEM; a shortage of memory within
 *         a token is called a wrong token by jansson, and is -EPROTO
 */
MUST_USE int tt_json_parse(const struct tt_json_at *at, const void *data, size_t size_bytes,
                           json_t **out);

/** The place of a member of @at's value; @key "arms" or, through the format, "targets[%zu]". */
struct tt_json_at tt_json_below(const struct tt_json_at *at, const char *format, ...)
    PRINTF_LIKE(2, 3);

/**
 * Say that @key (or the value itself, when NULL) is wrong.
 * @return -EPROTO, so that a caller can write `return tt_json_refuse(...)`
 */
int tt_json_refuse(const struct tt_json_at *at, const char *key, const char *reason, ...)
    PRINTF_LIKE(3, 4);

/**
 * The object or array at @key. An absent or null one is NULL when it is optional.
 * @out borrowed from @object; NULL on failure
 * @return 0 or -EPROTO
 */
MUST_USE int tt_json_object(const struct tt_json_at *at, const json_t *object, const char *key,
                            bool optional, json_t **out);
MUST_USE int tt_json_array(const struct tt_json_at *at, const json_t *object, const char *key,
                           size_t max_count, bool optional, json_t **out);

/**
 * The text at @key: at most @max_bytes bytes, not empty, without control characters.
 * @out the caller's to free(); NULL when it is optional and absent or null, and on failure
 * @return 0, -EPROTO or -ENOMEM
 */
MUST_USE int tt_json_text(const struct tt_json_at *at, const json_t *object, const char *key,
                          size_t max_bytes, bool optional, char **out);

/**
 * The whole number at @key.
 * @min, @max inclusive; @max at most TT_JSON_MAX_INTEGER
 * @out 0 on failure
 * @return 0 or -EPROTO
 */
MUST_USE int tt_json_u64(const struct tt_json_at *at, const json_t *object, const char *key,
                         uint64_t min, uint64_t max, uint64_t *out);

/** The finite number > 0 at @key. @out 0 on failure. @return 0 or -EPROTO. */
MUST_USE int tt_json_positive(const struct tt_json_at *at, const json_t *object, const char *key,
                              double *out);

/** The true or false at @key. @out false on failure. @return 0 or -EPROTO. */
MUST_USE int tt_json_bool(const struct tt_json_at *at, const json_t *object, const char *key,
                          bool *out);

/** Check one text as tt_json_text() does. @return 0 or -EPROTO, @key named. */
MUST_USE int tt_json_check_text(const struct tt_json_at *at, const char *key, const json_t *value,
                                size_t max_bytes);

#endif
