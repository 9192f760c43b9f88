/* SPDX-License-Identifier: MIT */
/* Which engine is taken. */
#include "harness/engine.h"

#include <errno.h>
#include <stdlib.h>

int tt_engine_open(enum tt_engine_kind kind, const char *work_dir, struct tt_engine *out,
                   struct err *fell_back, struct err *err)
{
    *fell_back = (struct err){0};
    if (kind == TT_ENGINE_BUILTIN)
        return tt_engine_open_builtin(out, err);
    if (kind == TT_ENGINE_HYPERFINE)
        return tt_engine_open_hyperfine(work_dir, out, err);
    if (!tt_engine_open_hyperfine(work_dir, out, fell_back)) {
        *fell_back = (struct err){0};
        return 0;
    }
    return tt_engine_open_builtin(out, err);
}

void tt_engine_close(struct tt_engine *engine)
{
    free(engine->version);
    free(engine->program);
    free(engine->export_path);
    *engine = (struct tt_engine){0};
}
