/* SPDX-License-Identifier: MIT */
/* Which commit is measured. */
#ifndef HARNESS_COMMIT_H
#define HARNESS_COMMIT_H

#include <stdbool.h>

#include "common/compiler.h"

/** True for 40 or 64 lower-case hexadecimal digits, as git prints a commit. */
bool tt_commit_is_valid(const char *text);

/**
 * The commit that GITHUB_SHA names, else that of the work tree that the current folder
 * belongs to.
 * @out the caller's to free(); NULL when there is none
 * @return 0, or -EINVAL: GITHUB_SHA is set and no commit (@out is NULL)
 */
MUST_USE int tt_commit_find(char **out);

#endif
