/* SPDX-License-Identifier: MIT */
/* Which commit is measured: from GitHub's environment, or from git. */
#include "harness/commit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "common/proc.h"

#define GIT_TIMEOUT_MS 10000u

bool tt_commit_is_valid(const char *text)
{
    size_t length = strlen(text);
    return (length == 40 || length == 64) && strspn(text, "0123456789abcdef") == length;
}

/** `git rev-parse HEAD`; no git, no work tree and no commit are all the same: NULL. */
static char *ask_git(void)
{
    const char *const call[] = {"git", "rev-parse", "--verify", "--quiet", "HEAD", NULL};
    struct proc_result result;
    char *out = NULL;
    struct buf answer;

    buf_init(&answer, 200);
    const struct proc_spec spec = {.argv = call,
                                   .in = PROC_NULL,
                                   .out = PROC_CAPTURE,
                                   .out_buf = &answer,
                                   .err = PROC_NULL,
                                   .timeout_ms = GIT_TIMEOUT_MS};
    if (!proc_run(&spec, &result, NULL) && !result.signal && !result.exit_code && answer.data) {
        answer.data[strcspn(answer.data, "\n")] = '\0';
        if (tt_commit_is_valid(answer.data))
            out = strdup(answer.data);
    }
    buf_fini(&answer);
    return out;
}

int tt_commit_find(char **out)
{
    const char *sha = getenv("GITHUB_SHA");

    *out = NULL;
    if (!sha || !*sha) {
        *out = ask_git();
        return 0;
    }
    if (!tt_commit_is_valid(sha))
        return -EINVAL;
    *out = strdup(sha);
    return 0;
}
