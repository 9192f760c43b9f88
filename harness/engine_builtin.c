/* SPDX-License-Identifier: MIT */
/* The engine of our own: posix_spawn, monotonic clock, wait4. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/proc.h"
#include "harness/engine.h"
#include "harness/version.h"

static int time_builtin(const struct tt_engine *engine, const char *const *argv,
                        struct tt_timing *out, struct err *err)
{
    const struct proc_spec spec = {
        .argv = argv, .in = PROC_NULL, .out = PROC_NULL, .err = PROC_NULL};
    struct proc_result result;

    (void)engine;
    *out = (struct tt_timing){0};
    int ret = proc_run(&spec, &result, err);
    if (ret)
        return ret;
    out->wall_ns = result.wall_ns;
    out->exit_code = result.signal ? 128 + result.signal : result.exit_code;
    return 0;
}

int tt_engine_open_builtin(struct tt_engine *out, struct err *err)
{
    *out =
        (struct tt_engine){.name = "builtin", .version = strdup(TT_VERSION), .time = time_builtin};
    return out->version ? 0 : err_set(err, -ENOMEM, "%s", err_text(-ENOMEM));
}
