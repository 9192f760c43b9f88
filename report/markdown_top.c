/* SPDX-License-Identifier: MIT */
/* The summary on top of the comment. */
#include "report/markdown.h"

#include <string.h>

#include "harness/md_escape.h"
#include "harness/show.h"

#define NAMED_MAX 3

/* What the rows of the reported commit say together. */
struct tally {
    size_t platforms, fresh;
    size_t rows, judged; /* judged: compared in the same job */
    size_t verdict[TT_VERDICT_NOT_COMPARABLE + 1];
    size_t maybe_regressed;
    double detectable;                 /* the largest one */
    unsigned int parts, parts_missing; /* of platforms that were measured in parts */
};

static struct tally tally_of(const struct rep_view *view)
{
    struct tally tally = {.platforms = view->platforms_count};
    for (size_t i = 0; i < view->platforms_count; i++) {
        const struct rep_platform *platform = &view->platforms[i];
        if (platform->fresh != REP_FRESH)
            continue;
        tally.fresh++;
        tally.parts += platform->shards;
        if (platform->shards_reported < platform->shards)
            tally.parts_missing += platform->shards - platform->shards_reported;
        for (size_t j = 0; j < platform->parts_count; j++) {
            const struct tt_comparison *comparison = &platform->parts[j].comparison;
            for (size_t k = 0; k < comparison->rows_count; k++) {
                const struct tt_row *row = &comparison->rows[k];
                tally.rows += row->now != NULL;
                tally.judged += row->head_base.state == TT_CELL_NUMBER;
                tally.verdict[row->head_base.verdict]++;
                tally.maybe_regressed += row->verdict == TT_VERDICT_MAYBE_REGRESSED;
                /* a regression was seen: what else would have been is said of the others */
                if (row->head_base.state == TT_CELL_NUMBER &&
                    row->head_base.verdict != TT_VERDICT_REGRESSED &&
                    row->detectable > tally.detectable) {
                    tally.detectable = row->detectable;
                }
            }
        }
    }
    return tally;
}

static void put_row(const char *title, const struct tt_comparison *comparison,
                    const struct tt_row *row, struct buf *out)
{
    struct buf label;
    buf_init(&label, 4096);
    tt_text_label(&label, comparison, row);
    tt_md_escape(out, title, TT_TEXT_MAX_CHARS);
    buf_puts(out, " <code>");
    tt_md_escape(out, label.data, TT_TEXT_MAX_CHARS);
    buf_puts(out, "</code> ");
    buf_fini(&label);
    tt_text_percent(out, row->head_base.ratio, 2);
    buf_puts(out, " (");
    tt_text_interval(out, row->head_base.low, row->head_base.high, 2);
    buf_puts(out, ")");
}

/* Name the rows with a verdict, the first few of them. */
static void put_rows(const struct rep_view *view, enum tt_verdict verdict, size_t total,
                     struct buf *out)
{
    size_t named = 0;
    for (size_t i = 0; i < view->platforms_count; i++) {
        const struct rep_platform *platform = &view->platforms[i];
        char title[2 * REP_PLATFORM_SIZE];
        rep_view_title(platform->id, title, sizeof(title));
        for (size_t j = 0; platform->fresh == REP_FRESH && j < platform->parts_count; j++) {
            const struct tt_comparison *comparison = &platform->parts[j].comparison;
            for (size_t k = 0; k < comparison->rows_count && named < NAMED_MAX; k++) {
                if (comparison->rows[k].head_base.verdict != verdict)
                    continue;
                buf_puts(out, named++ ? ", " : " ");
                put_row(title, comparison, &comparison->rows[k], out);
            }
        }
    }
    if (total > named)
        buf_printf(out, " and %zu more", total - named);
    buf_puts(out, ".");
}

static void put_found(const struct rep_view *view, const struct tally *tally, struct buf *out)
{
    size_t regressed = tally->verdict[TT_VERDICT_REGRESSED];
    size_t improved = tally->verdict[TT_VERDICT_IMPROVED];
    size_t unclear = tally->verdict[TT_VERDICT_INCONCLUSIVE];
    if (regressed) {
        buf_printf(out, "🔺 **%zu %s:**", regressed, regressed == 1 ? "regression" : "regressions");
        put_rows(view, TT_VERDICT_REGRESSED, regressed, out);
    } else if (!tally->judged) {
        buf_puts(out, "**No verdict:** head and base were not measured in the same job, and a "
                      "comparison with another run cannot say *regressed*.");
    } else if (unclear) {
        buf_printf(out, "**Inconclusive** for %zu of %zu targets, no regression in the others.",
                   unclear, tally->judged);
    } else if (tally->judged < tally->rows) {
        buf_printf(out,
                   "**No regression** in %zu of %zu targets; the others have no base build to "
                   "compare with.",
                   tally->judged, tally->rows);
    } else if (tally->parts_missing) {
        buf_printf(out, "**No regression** in the %zu targets that were measured.", tally->judged);
    } else {
        buf_puts(out, "**No regression.**");
    }
    if (tally->parts_missing)
        buf_printf(out, " **%u of %u parts did not report**, so that targets are missing.",
                   tally->parts_missing, tally->parts);
    if (improved) {
        buf_printf(out, " **%zu %s:**", improved, improved == 1 ? "improvement" : "improvements");
        put_rows(view, TT_VERDICT_IMPROVED, improved, out);
    }
    if (tally->maybe_regressed)
        buf_printf(out, " %zu may be slower than in an earlier run.", tally->maybe_regressed);
}

int rep_markdown_top(const struct rep_view *view, struct buf *out)
{
    struct tally tally = tally_of(view);
    if (!tally.fresh)
        buf_puts(out, "**No result** could be read.");
    else
        put_found(view, &tally, out);

    buf_printf(out, " %zu of %zu %s reported", tally.fresh, tally.platforms,
               tally.platforms == 1 ? "platform" : "platforms");
    if (*view->head_sha) {
        buf_puts(out, " for ");
        rep_markdown_commit(view, view->head_sha, true, out);
    }
    if (tally.judged && tally.detectable > 0)
        buf_printf(out, "; %sa change of %.1f%% or more would have been seen",
                   tally.verdict[TT_VERDICT_REGRESSED] ? "elsewhere " : "", tally.detectable * 100);
    buf_puts(out, ".");
    if (*view->conclusion && strcmp(view->conclusion, "success") != 0) {
        buf_puts(out, " The run ended as *");
        tt_md_escape(out, view->conclusion, TT_TEXT_MAX_CHARS);
        buf_puts(out, "*.");
    }
    return buf_puts(out, "\n\n");
}
