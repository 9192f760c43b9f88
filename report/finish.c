/* SPDX-License-Identifier: MIT */
/* What `comment` and `preview` do alike once the view is filled. */
#include "report/finish.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "report/export.h"
#include "report/fetch.h"
#include "report/markdown.h"

#define PATH_SIZE 4096

void rep_outcome_fini(struct rep_outcome *outcome)
{
    buf_fini(&outcome->comment);
    *outcome = (struct rep_outcome){0};
}

int rep_finish_committed(const char *folder, const struct rep_results *for_results,
                         struct rep_results *out, struct rep_log *log, struct err *err)
{
    for (size_t i = 0; i < for_results->count; i++) {
        const char *platform = for_results->item[i].platform;
        char path[PATH_SIZE];
        int n = snprintf(path, sizeof(path), "%s/%s.json", folder, platform);
        if (n < 0 || (size_t)n >= sizeof(path) || rep_results_find(out, platform, 0) != SIZE_MAX)
            continue;
        struct err why = {0};
        struct rep_result item = {.shard = 1, .shards = 1};
        (void)snprintf(item.platform, sizeof(item.platform), "%s", platform);
        int ret = tt_result_read(path, &item.result, &why);
        if (!ret)
            ret = rep_results_add(out, &item, &why);
        tt_result_fini(&item.result);
        if (ret == -ENOMEM)
            return err_set(err, ret, "%s", why.text);
        if (ret && ret != -ENOENT && ret != -ENOTDIR)
            rep_log(log, REP_WARNING, "a committed baseline is not used: %s", why.text);
    }
    return 0;
}

typedef int export_fn(const struct rep_view *view, char **out);

static int export_to(const char *path, export_fn *format, const struct rep_view *view,
                     struct err *err)
{
    char *text = NULL;
    if (!path)
        return 0;
    int ret = format(view, &text);
    if (ret)
        return err_set(err, ret, "cannot write %s: %s", path, err_text(ret));
    ret = file_write(path, text, strlen(text), err);
    free(text);
    return ret;
}

int rep_finish(const struct rep_options *options, const struct rep_view *view,
               struct rep_outcome *outcome, struct err *err)
{
    outcome->regressed = rep_view_count(view, TT_VERDICT_REGRESSED) > 0;
    int ret = rep_markdown_comment(view, &outcome->comment, err);
    if (!ret)
        ret = export_to(options->export_gab, rep_export_gab, view, err);
    if (!ret)
        ret = export_to(options->export_bmf, rep_export_bmf, view, err);
    return ret;
}
