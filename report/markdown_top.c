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
    size_t rows;   /* each is one of the next five */
    size_t judged; /* compared in the same job, with an interval */
    size_t no_interval, no_base, is_void, gone;
    size_t verdict[TT_VERDICT_NOT_COMPARABLE + 1]; /* of those judged */
    size_t maybe_regressed[TT_BASELINE_COMMITTED + 1];
    double detectable;                 /* the largest one */
    unsigned int parts, parts_missing; /* of platforms that were measured in parts */
};

/* Against which kind of baseline a row may be slower; -1: none. */
static int maybe_regressed(const struct tt_comparison *comparison, const struct tt_row *row)
{
    if (row->verdict != TT_VERDICT_MAYBE_REGRESSED || row->judged_by == TT_ROW_SAME_JOB)
        return -1;
    return (int)comparison->baselines[row->judged_by].baseline.kind;
}

/* Of a platform that lacks parts, what is not there is said to be in those. */
static bool is_counted(const struct rep_platform *platform, const struct tt_row *row)
{
    return row->now || platform->shards_reported >= platform->shards;
}

static void count_row(struct tally *tally, const struct tt_comparison *comparison,
                      const struct tt_row *row)
{
    tally->rows++;
    if (!row->now) {
        tally->gone++;
    } else if (row->now->void_reason) {
        tally->is_void++;
    } else if (row->head_base.state == TT_CELL_EMPTY) {
        tally->no_base++;
    } else if (row->head_base.state != TT_CELL_NUMBER) {
        tally->no_interval++;
    } else {
        tally->judged++;
        tally->verdict[row->head_base.verdict]++;
        /* a regression was seen: what else would have been is said of the others */
        if (row->head_base.verdict != TT_VERDICT_REGRESSED && row->detectable > tally->detectable)
            tally->detectable = row->detectable;
    }
    int kind = maybe_regressed(comparison, row);
    if (kind >= 0)
        tally->maybe_regressed[kind]++;
}

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
                if (is_counted(platform, &comparison->rows[k]))
                    count_row(&tally, comparison, &comparison->rows[k]);
            }
        }
    }
    return tally;
}

/* Which rows are to be named. */
enum pick {
    PICK_REGRESSED,
    PICK_IMPROVED,
    PICK_VOID,
    PICK_GONE,
    PICK_MAYBE, /* and those after it: PICK_MAYBE + enum tt_baseline_kind */
};

static bool is_picked(const struct tt_comparison *comparison, const struct tt_row *row, int pick)
{
    switch (pick) {
    case PICK_REGRESSED:
        return row->head_base.verdict == TT_VERDICT_REGRESSED;
    case PICK_IMPROVED:
        return row->head_base.verdict == TT_VERDICT_IMPROVED;
    case PICK_VOID:
        return row->now && row->now->void_reason;
    case PICK_GONE:
        return !row->now;
    default:
        return maybe_regressed(comparison, row) == pick - PICK_MAYBE;
    }
}

static void put_row(const char *title, const struct tt_comparison *comparison,
                    const struct tt_row *row, int pick, struct buf *out)
{
    struct buf label;
    buf_init(&label, 4096);
    tt_text_label(&label, comparison, row);
    tt_md_escape(out, title, TT_TEXT_MAX_CHARS);
    buf_puts(out, " <code>");
    tt_md_escape(out, label.data, TT_TEXT_MAX_CHARS);
    buf_puts(out, "</code>");
    buf_fini(&label);
    if (pick == PICK_GONE)
        return;
    if (pick == PICK_VOID) {
        buf_puts(out, " (");
        tt_md_escape(out, row->now->void_reason, TT_TEXT_MAX_CHARS);
        buf_puts(out, ")");
        return;
    }
    const struct tt_cell *cell =
        pick >= PICK_MAYBE ? &row->against[row->judged_by] : &row->head_base;
    buf_puts(out, " ");
    tt_text_percent(out, cell->ratio, 2);
    buf_puts(out, " (");
    tt_text_interval(out, cell->low, cell->high, 2);
    buf_puts(out, ")");
}

/* Name the rows picked, the first few of them. */
static void put_rows(const struct rep_view *view, int pick, size_t total, struct buf *out)
{
    size_t named = 0;
    for (size_t i = 0; i < view->platforms_count; i++) {
        const struct rep_platform *platform = &view->platforms[i];
        char title[2 * REP_PLATFORM_SIZE];
        rep_view_title(platform->id, title, sizeof(title));
        for (size_t j = 0; platform->fresh == REP_FRESH && j < platform->parts_count; j++) {
            const struct tt_comparison *comparison = &platform->parts[j].comparison;
            for (size_t k = 0; k < comparison->rows_count && named < NAMED_MAX; k++) {
                if (!is_counted(platform, &comparison->rows[k]) ||
                    !is_picked(comparison, &comparison->rows[k], pick))
                    continue;
                buf_puts(out, named++ ? ", " : " ");
                put_row(title, comparison, &comparison->rows[k], pick, out);
            }
        }
    }
    if (total > named)
        buf_printf(out, " and %zu more", total - named);
    buf_puts(out, ".");
}

/* What the targets that were judged say. */
static void put_judged(const struct rep_view *view, const struct tally *tally, struct buf *out)
{
    size_t regressed = tally->verdict[TT_VERDICT_REGRESSED];
    size_t unclear = tally->verdict[TT_VERDICT_INCONCLUSIVE];
    if (regressed) {
        buf_printf(out, "🔺 **%zu %s:**", regressed, regressed == 1 ? "regression" : "regressions");
        put_rows(view, PICK_REGRESSED, regressed, out);
    } else if (!tally->judged && tally->no_base && !tally->no_interval) {
        buf_puts(out, "**No verdict:** head and base were not measured in the same job, and a "
                      "comparison with another run cannot say *regressed*.");
    } else if (!tally->judged) {
        buf_puts(out, "**No verdict:** no target has a comparison of head and base that can be "
                      "judged.");
    } else if (unclear) {
        buf_printf(out, "**Inconclusive** for %zu of %zu targets%s.", unclear, tally->rows,
                   unclear < tally->judged ? ", no regression seen in the others that were judged"
                                           : "");
    } else if (tally->judged < tally->rows) {
        buf_printf(out, "**No regression** in %zu of %zu targets.", tally->judged, tally->rows);
    } else if (tally->parts_missing) {
        buf_printf(out, "**No regression** in the %zu targets that were measured.", tally->judged);
    } else {
        buf_puts(out, "**No regression.**");
    }
}

/* Why others were not judged. */
static void put_not_judged(const struct rep_view *view, const struct tally *tally, struct buf *out)
{
    if (tally->no_interval)
        buf_printf(out, " %zu %s head against base without an interval.", tally->no_interval,
                   tally->no_interval == 1 ? "has" : "have");
    if (tally->no_base && (tally->judged || tally->no_interval))
        buf_printf(out, " %zu %s no base build to compare with.", tally->no_base,
                   tally->no_base == 1 ? "has" : "have");
    if (tally->gone) {
        buf_printf(out, " ⚠️ **%zu %s no longer measured:**", tally->gone,
                   tally->gone == 1 ? "target is" : "targets are");
        put_rows(view, PICK_GONE, tally->gone, out);
    }
    if (tally->parts_missing)
        buf_printf(out, " **%u of %u parts did not report**, so that targets are missing.",
                   tally->parts_missing, tally->parts);
}

static void put_found(const struct rep_view *view, const struct tally *tally, struct buf *out)
{
    size_t improved = tally->verdict[TT_VERDICT_IMPROVED];
    if (tally->is_void) {
        buf_printf(out, "⚠️ **%zu %s void:**", tally->is_void,
                   tally->is_void == 1 ? "target is" : "targets are");
        put_rows(view, PICK_VOID, tally->is_void, out);
        buf_puts(out, " ");
    }
    put_judged(view, tally, out);
    put_not_judged(view, tally, out);
    if (improved) {
        buf_printf(out, " **%zu %s:**", improved, improved == 1 ? "improvement" : "improvements");
        put_rows(view, PICK_IMPROVED, improved, out);
    }
    for (size_t i = 0; i < ARRAY_LEN(tally->maybe_regressed); i++) {
        size_t count = tally->maybe_regressed[i];
        if (!count)
            continue;
        buf_printf(out, " **%zu may be slower than in %s:**", count,
                   i == TT_BASELINE_PREVIOUS ? "the previous run"
                                             : tt_baseline_word((enum tt_baseline_kind)i));
        put_rows(view, PICK_MAYBE + (int)i, count, out);
    }
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
        buf_printf(out, "; %sa change of %.1f%% or more would be seen in four of five runs",
                   tally.verdict[TT_VERDICT_REGRESSED] ? "elsewhere " : "", tally.detectable * 100);
    buf_puts(out, ".");
    if (*view->conclusion && strcmp(view->conclusion, "success") != 0) {
        buf_puts(out, " The run ended as *");
        tt_md_escape(out, view->conclusion, TT_TEXT_MAX_CHARS);
        buf_puts(out, "*.");
    }
    return buf_puts(out, "\n\n");
}
