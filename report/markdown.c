/* SPDX-License-Identifier: MIT */
/* The comment as GitHub Markdown: its frame, and what is left out when it is too long. */
#include "report/markdown.h"

#include <errno.h>
#include <inttypes.h>

#include "harness/md_escape.h"
#include "report/when.h"

#define SHORT_SHA 7
#define REFUSED_SHOWN_MAX 10

int rep_markdown_commit(const struct rep_view *view, const char *sha, bool is_checked,
                        struct buf *out)
{
    /* a claim of an artifact is hexadecimal, the reader of results saw to it, but not a link */
    if (!is_checked || !view->server_url || !view->repository)
        return buf_printf(out, "`%.*s`", SHORT_SHA, sha);
    return buf_printf(out, "[`%.*s`](%s/%s/commit/%s)", SHORT_SHA, sha, view->server_url,
                      view->repository, sha);
}

int rep_markdown_run(const struct rep_view *view, uint64_t run_id, struct buf *out)
{
    if (!view->server_url || !view->repository)
        return buf_printf(out, "run %" PRIu64, run_id);
    return buf_printf(out, "[run %" PRIu64 "](%s/%s/actions/runs/%" PRIu64 ")", run_id,
                      view->server_url, view->repository, run_id);
}

/* What was refused: the reader must see that something is missing, and why. */
static void put_refused(const struct rep_view *view, struct buf *out)
{
    size_t shown = 0;
    size_t warnings = 0;
    for (size_t i = 0; view->log && i < view->log->entries_count; i++) {
        const struct rep_log_entry *entry = &view->log->entries[i];
        if (entry->level != REP_WARNING)
            continue;
        warnings++;
        if (shown == REFUSED_SHOWN_MAX)
            continue;
        shown++;
        buf_puts(out, "- ");
        tt_md_escape(out, entry->line, 200);
        buf_puts(out, "\n");
    }
    if (warnings > shown)
        buf_printf(out, "- and %zu more, in the log of the job\n", warnings - shown);
    if (warnings)
        buf_puts(out, "\n");
}

static void put_foot(const struct rep_view *view, struct buf *out)
{
    buf_puts(out, "---\n\n<sub>Overhead = tracked / untracked − 1. Head / base and normalized "
                  "change = change of tracked / untracked, with its 95% interval. Only head / "
                  "base, measured in one job, can say *regressed*; *sees* is the change that would "
                  "have been found. ");
    if (view->stamp.run_id) {
        buf_puts(out, "This comment is kept by the workflow *");
        tt_md_escape(out, view->keeper, TT_TEXT_MAX_CHARS);
        buf_puts(out, "* · updated ");
        rep_when_format(out, view->now_unix);
        buf_puts(out, " by ");
        rep_markdown_run(view, view->stamp.run_id, out);
        buf_printf(out, ", attempt %" PRIu64, view->stamp.attempt);
    } else {
        buf_puts(out, "Preview made from files");
    }
    buf_puts(out, "</sub>\n");
}

static int render(const struct rep_view *view, const struct rep_markdown_size *size,
                  struct buf *out)
{
    buf_clear(out);
    rep_comment_head(out, view->workflow_path, &view->stamp);
    buf_puts(out, "## tracetax benchmark\n\n");
    rep_markdown_top(view, out);
    put_refused(view, out);
    size_t shown =
        view->platforms_count < size->platforms ? view->platforms_count : size->platforms;
    for (size_t i = 0; i < shown && !buf_status(out); i++)
        rep_markdown_platform(view, &view->platforms[i], size, out);
    if (view->platforms_count > shown)
        buf_printf(out,
                   "%zu more of %zu platforms are left out to keep this comment below GitHub's "
                   "limit.\n\n",
                   view->platforms_count - shown, view->platforms_count);
    put_foot(view, out);
    return buf_status(out);
}

static size_t most_rows(const struct rep_view *view)
{
    size_t most = 0;
    for (size_t i = 0; i < view->platforms_count; i++) {
        for (size_t j = 0; j < view->platforms[i].parts_count; j++) {
            size_t rows = view->platforms[i].parts[j].comparison.rows_count;
            if (j == 0)
                rows += view->platforms[i].missing_count;
            most = rows > most ? rows : most;
        }
    }
    return most;
}

/* The largest number of rows that fits, by halving; @fits is known to fit, @too_many not to. */
static int fit_rows(const struct rep_view *view, struct rep_markdown_size *size, size_t too_many,
                    struct buf *out)
{
    size_t fits = 0;
    while (too_many - fits > 1) {
        size->rows = fits + (too_many - fits) / 2;
        int ret = render(view, size, out);
        if (ret == -EFBIG)
            too_many = size->rows;
        else if (ret)
            return ret;
        else
            fits = size->rows;
    }
    size->rows = fits;
    return render(view, size, out);
}

int rep_markdown_comment(const struct rep_view *view, struct buf *out, struct err *err)
{
    static const struct rep_markdown_size sizes[] = {
        {.rows = SIZE_MAX, .notes = 12, .trends = true, .platforms = SIZE_MAX},
        {.rows = SIZE_MAX, .notes = 4, .trends = true, .platforms = SIZE_MAX},
        {.rows = SIZE_MAX, .notes = 4, .trends = false, .platforms = SIZE_MAX},
        {.rows = 0, .notes = 1, .trends = false, .platforms = SIZE_MAX},
    };
    buf_init(out, REP_MARKDOWN_MAX_BYTES - 1);
    int ret = -EFBIG;
    size_t step = 0;
    for (; step < ARRAY_LEN(sizes); step++) {
        ret = render(view, &sizes[step], out);
        if (ret != -EFBIG)
            break;
    }
    if (!ret && step == ARRAY_LEN(sizes) - 1) {
        struct rep_markdown_size size = sizes[step];
        ret = fit_rows(view, &size, most_rows(view) + 1, out);
    }
    /* even without a row: fewer sections */
    for (size_t platforms = view->platforms_count; ret == -EFBIG && platforms > 0; platforms--) {
        struct rep_markdown_size size = sizes[ARRAY_LEN(sizes) - 1];
        size.platforms = platforms - 1;
        ret = render(view, &size, out);
    }
    return ret ? err_set(err, ret, "cannot write the comment: %s", err_text(ret)) : 0;
}
