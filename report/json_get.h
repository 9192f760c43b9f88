/* SPDX-License-Identifier: MIT */
/* Checked looks into GitHub's JSON. NULL stands for a missing value everywhere. */
#ifndef REPORT_JSON_GET_H
#define REPORT_JSON_GET_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/compiler.h"

/** A commit's name: 40 or 64 hexadecimal digits and a NUL. */
#define REP_SHA_SIZE 65

/** Value at a path of keys: rep_json_at(object, "head.repo.id"). No key may hold a '.'. */
const json_t *rep_json_at(const json_t *object, const char *path);

/** A whole number above 0, as every id of GitHub; else 0. */
uint64_t rep_json_id(const json_t *value);

/** True for the JSON value true only. */
bool rep_json_true(const json_t *value);

/** True for exactly this string. */
bool rep_json_is(const json_t *value, const char *text);

/** Copy a commit's name. @return 0, or -EPROTO and "" */
MUST_USE int rep_json_sha(const json_t *value, char out[REP_SHA_SIZE]);

/** Seconds since 1970 of a time; 0 when there is none. */
int64_t rep_json_time(const json_t *value);

#endif
