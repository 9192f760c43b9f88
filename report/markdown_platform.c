/* SPDX-License-Identifier: MIT */
/* One platform's section of the comment. */
#include "report/markdown.h"

#include <inttypes.h>
#include <string.h>

#include "harness/md_escape.h"
#include "harness/show.h"
#include "report/when.h"

#define RAW_MAX_BYTES 65536
#define REASON_MAX_CHARS 40
#define NOTE_MAX_CHARS 300
#define PERCENT_DECIMALS 2
#define INTERVAL_DECIMALS 1

/* Which columns a table has. */
struct columns {
    bool base, previous, main;
};

/* Escape what a tt_text_*() wrote into @raw, and empty it. */
static void put_raw(struct buf *out, struct buf *raw, size_t max_chars)
{
    if (!buf_status(raw) && raw->size_bytes)
        tt_md_escape(out, raw->data, max_chars);
    buf_clear(raw);
}

static void put_label(struct buf *out, const struct tt_comparison *comparison,
                      const struct tt_row *row)
{
    struct buf raw;
    buf_init(&raw, RAW_MAX_BYTES);
    tt_text_label(&raw, comparison, row);
    put_raw(out, &raw, TT_TEXT_MAX_CHARS);
    buf_fini(&raw);
}

static void put_time(struct buf *out, double ns)
{
    if (ns > 0)
        tt_text_time(out, ns);
    else
        buf_puts(out, "-");
}

static void put_number(struct buf *out, const struct tt_cell *cell, bool bold)
{
    const char *mark = bold ? "**" : "";
    struct buf raw;
    buf_init(&raw, RAW_MAX_BYTES);
    buf_puts(out, mark);
    tt_text_percent(out, cell->ratio, PERCENT_DECIMALS);
    buf_printf(out, "%s<br><sub>", mark);
    tt_text_interval(&raw, cell->low, cell->high, INTERVAL_DECIMALS);
    for (const char *c = raw.data; c && *c; c++) {
        if (*c != ' ') /* narrow: eight columns must fit the page */
            buf_append(out, c, 1);
    }
    buf_puts(out, "</sub>");
    buf_fini(&raw);
}

static void put_cell(struct buf *out, const struct tt_cell *cell, bool bold)
{
    switch (cell->state) {
    case TT_CELL_EMPTY:
        buf_puts(out, "-");
        break;
    case TT_CELL_NUMBER:
        put_number(out, cell, bold);
        break;
    case TT_CELL_POINT:
        tt_text_percent(out, cell->ratio, PERCENT_DECIMALS);
        buf_puts(out, "<br><sub>no interval</sub>");
        break;
    case TT_CELL_GREY:
        buf_puts(out, "<sub>");
        if (cell->ratio > 0) {
            tt_text_percent(out, cell->ratio, PERCENT_DECIMALS);
            buf_puts(out, "<br>");
        }
        buf_puts(out, "*not comparable*</sub>");
        break;
    case TT_CELL_WORDS:
        buf_puts(out, "*");
        tt_md_escape(out, cell->reason, REASON_MAX_CHARS);
        buf_puts(out, "*");
        break;
    }
}

/* The overhead itself, with half of its interval: one number less to read in each row. */
static void put_overhead(struct buf *out, const struct tt_cell *cell)
{
    if (cell->state != TT_CELL_NUMBER) {
        put_cell(out, cell, false);
        return;
    }
    double half_percent = (cell->high - cell->low) / 2 * 100;
    tt_text_percent(out, cell->ratio, PERCENT_DECIMALS);
    buf_printf(out, "<br><sub>±%.*f</sub>", half_percent < 0.1 ? 2 : 1, half_percent);
}

static void put_verdict(struct buf *out, const struct tt_row *row)
{
    switch (row->verdict) {
    case TT_VERDICT_NONE:
        buf_puts(out, "-");
        break;
    case TT_VERDICT_REGRESSED:
        buf_puts(out, "**regressed**");
        break;
    case TT_VERDICT_IMPROVED:
        buf_puts(out, "**improved**");
        break;
    default:
        buf_puts(out, tt_verdict_word(row->verdict));
        break;
    }
    if (row->detectable > 0)
        buf_printf(out, "<br><sub>sees ≥\u00a0%.1f%%</sub>", row->detectable * 100);
}

static struct columns columns_of(const struct rep_part *part)
{
    struct columns columns = {.previous = part->previous_index != SIZE_MAX,
                              .main = part->main_index != SIZE_MAX};
    for (size_t i = 0; i < part->comparison.rows_count; i++)
        columns.base |= part->comparison.rows[i].head_base.state != TT_CELL_EMPTY;
    return columns;
}

static void put_heading(struct buf *out, const struct rep_part *part, const struct columns *columns)
{
    /* with all eight columns, small headings, or the verdict is beyond the page's edge */
    bool is_wide = columns->base && columns->previous && columns->main;
    const char *start = is_wide ? "<sub>" : "";
    const char *middle = is_wide ? "<br>" : "<br><sub>";
    buf_printf(out, "| Target | %sUntracked%s | %sTracked%s | Overhead |", start,
               is_wide ? "</sub>" : "", start, is_wide ? "</sub>" : "");
    if (columns->base)
        buf_puts(out, " Head / base<br><sub>same job</sub> |");
    if (columns->previous)
        buf_printf(out, " %sNormalized change%sprevious run</sub> |", start, middle);
    if (columns->main)
        buf_printf(out, " %sNormalized change%s%s</sub> |", start, middle,
                   part->main_is_committed ? "baselines/" : "main");
    buf_puts(out, " Verdict |\n|:--|--:|--:|--:|");
    for (int i = 0; i < columns->base + columns->previous + columns->main; i++)
        buf_puts(out, "--:|");
    buf_puts(out, ":--|\n");
}

static void put_row(struct buf *out, const struct rep_part *part, const struct tt_row *row,
                    const struct columns *columns)
{
    buf_puts(out, "| ");
    put_label(out, &part->comparison, row);
    buf_puts(out, " | ");
    put_time(out, row->untracked_ns);
    buf_puts(out, " | ");
    put_time(out, row->tracked_ns);
    buf_puts(out, " | ");
    put_overhead(out, &row->overhead);
    if (columns->base) {
        buf_puts(out, " | ");
        put_cell(out, &row->head_base, row->head_base.verdict == TT_VERDICT_REGRESSED);
    }
    if (columns->previous) {
        buf_puts(out, " | ");
        put_cell(out, &row->against[part->previous_index], false);
    }
    if (columns->main) {
        buf_puts(out, " | ");
        put_cell(out, &row->against[part->main_index], false);
    }
    buf_puts(out, " | ");
    put_verdict(out, row);
    buf_puts(out, " |\n");
}

/* A target of a part that did not report: no number may stand in for it. */
static void put_missing_row(struct buf *out, const struct rep_missing *missing,
                            const struct columns *columns)
{
    buf_puts(out, "| ");
    tt_md_escape(out, missing->name, TT_TEXT_MAX_CHARS);
    buf_puts(out, " ");
    tt_md_escape(out, missing->operation, TT_TEXT_MAX_CHARS);
    buf_puts(out, " | - | - | *missing* |");
    for (int i = 0; i < columns->base + columns->previous + columns->main; i++)
        buf_puts(out, " - |");
    buf_puts(out, " *not measured* |\n");
}

/* The lower, the longer a row stays when rows must go. */
static int rank(const struct tt_row *row)
{
    switch (row->verdict) {
    case TT_VERDICT_REGRESSED:
        return 0;
    case TT_VERDICT_MAYBE_REGRESSED:
        return 1;
    case TT_VERDICT_IMPROVED:
        return 2;
    default:
        return 3;
    }
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The rows of a part, and below them what is missing of the platform. */
static void put_table(struct buf *out, const struct rep_part *part, const struct columns *columns,
                      const struct rep_missing *missing, size_t missing_count, size_t limit)
{
    const struct tt_comparison *comparison = &part->comparison;
    /* all rows of the ranks before @last, and the first few of @last */
    int last = 0;
    size_t whole = 0;
    for (; last <= 3; last++) {
        size_t of_rank = 0;
        for (size_t i = 0; i < comparison->rows_count; i++)
            of_rank += rank(&comparison->rows[i]) == last;
        if (whole + of_rank > limit)
            break;
        whole += of_rank;
    }
    size_t few = limit - whole;

    if (limit)
        put_heading(out, part, columns);
    for (size_t i = 0; i < comparison->rows_count && !buf_status(out); i++) {
        int rank_here = rank(&comparison->rows[i]);
        if (rank_here > last || (rank_here == last && !few))
            continue;
        few -= rank_here == last;
        put_row(out, part, &comparison->rows[i], columns);
    }
    size_t shown = smaller(comparison->rows_count, limit);
    for (size_t i = 0; i < missing_count && shown < limit && !buf_status(out); i++, shown++)
        put_missing_row(out, &missing[i], columns);
    buf_puts(out, "\n");
    size_t total = comparison->rows_count + missing_count;
    if (total > shown)
        buf_printf(out,
                   "%zu more of %zu targets are left out to keep this comment below GitHub's "
                   "limit: see the result files of the run.\n\n",
                   total - shown, total);
}

/* "at [`594f3ce`](...), 2 days ago" */
static void put_origin(const struct rep_view *view, const struct rep_result *result,
                       struct buf *out)
{
    bool is_checked = result->run.id != 0;
    const char *sha = is_checked ? result->run.sha : result->result.commit;
    if (sha && *sha) {
        buf_puts(out, " at ");
        rep_markdown_commit(view, sha, is_checked, out);
    }
    int64_t then = result->run.created_unix;
    if (then || !rep_when_parse(result->result.created_at, &then)) {
        buf_puts(out, ", ");
        rep_when_age(out, view->now_unix, then);
    }
}

/* Between what is compared: "Compared with A, with B, and with C". */
static void put_with(struct buf *out, int index, int count)
{
    if (index == 0)
        buf_puts(out, "Compared with ");
    else
        buf_puts(out, index == count - 1 ? ", and with " : ", with ");
}

static void put_base(const struct rep_view *view, const struct rep_part *part, struct buf *out)
{
    buf_puts(out, "the base build");
    if (part->now->result.base_commit) {
        buf_puts(out, " ");
        rep_markdown_commit(view, part->now->result.base_commit, false, out);
    }
    buf_puts(out, " in the same job");
    if (part->comparison.rows_count && part->comparison.rows[0].rounds)
        buf_printf(out, " (%zu rounds)", part->comparison.rows[0].rounds);
}

/* The sentence that says what the numbers are compared with. */
static void put_compared(const struct rep_view *view, const struct rep_part *part,
                         const struct columns *columns, struct buf *out)
{
    int count = columns->base + columns->previous + columns->main;
    int index = 0;
    if (!count) {
        buf_puts(out, "Nothing to compare with yet: no earlier result was found.\n\n");
        return;
    }
    if (columns->base) {
        put_with(out, index++, count);
        put_base(view, part, out);
    }
    if (columns->previous) {
        put_with(out, index++, count);
        buf_puts(out, "previous PR run");
        put_origin(view, part->previous, out);
    }
    if (columns->main) {
        put_with(out, index, count);
        buf_puts(out, part->main_is_committed ? "the committed baseline" : "`main`");
        put_origin(view, part->main, out);
    }
    if (!columns->previous && columns->main)
        buf_puts(out, " (no earlier run of this PR)");
    buf_puts(out, ".\n\n");
}

static void put_notes(const struct tt_comparison *comparison, size_t limit, struct buf *out)
{
    size_t shown = comparison->notes_count < limit ? comparison->notes_count : limit;
    for (size_t i = 0; i < shown; i++) {
        const struct tt_note *note = &comparison->notes[i];
        buf_puts(out, "- ");
        if (note->row != TT_NOTE_WHOLE) {
            put_label(out, comparison, &comparison->rows[note->row]);
            buf_puts(out, ": ");
        }
        tt_md_escape(out, note->text, NOTE_MAX_CHARS);
        buf_puts(out, ".\n");
    }
    if (comparison->notes_count > shown)
        buf_printf(out, "- %zu more notes are left out.\n", comparison->notes_count - shown);
    if (comparison->notes_count)
        buf_puts(out, "\n");
}

/* "X64 · AMD EPYC · 4 cores · ... · [run 30028036239](...)" */
static void put_machine(const struct rep_view *view, const struct rep_result *now, struct buf *out)
{
    const struct tt_result *result = &now->result;
    const char *const texts[] = {result->platform.arch, result->platform.cpu};
    buf_puts(out, "<sub>");
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        tt_md_escape(out, texts[i], TT_TEXT_MAX_CHARS);
        buf_puts(out, " · ");
    }
    buf_printf(out, "%" PRIu32 " %s · ", result->platform.cores,
               result->platform.cores == 1 ? "core" : "cores");
    tt_md_escape(out, result->platform.image, TT_TEXT_MAX_CHARS);
    buf_puts(out, " · ");
    if (!strcmp(result->engine.name, "builtin")) {
        buf_puts(out, "builtin engine");
    } else {
        tt_md_escape(out, result->engine.name, TT_TEXT_MAX_CHARS);
        buf_puts(out, " ");
        tt_md_escape(out, result->engine.version, TT_TEXT_MAX_CHARS);
    }
    if (now->run.id) {
        buf_puts(out, " · ");
        rep_markdown_run(view, now->run.id, out);
    }
    buf_puts(out, "</sub>\n\n");
}

static void put_part(const struct rep_view *view, const struct rep_platform *platform,
                     const struct rep_part *part, const struct rep_markdown_size *size,
                     struct buf *out)
{
    struct columns columns = columns_of(part);
    if (platform->fresh == REP_FRESH)
        put_compared(view, part, &columns, out);
    if (part->now->earlier_attempt)
        buf_puts(out, "Measured by an earlier attempt of this run.\n\n");
    if (platform->fresh == REP_FRESH && part->now->result.commit && part->now->run.id &&
        strcmp(part->now->result.commit, part->now->run.sha) != 0) {
        buf_puts(out, "The result says that it measured ");
        rep_markdown_commit(view, part->now->result.commit, false, out);
        buf_puts(out, " (a merge of this commit, or something else).\n\n");
    }
    bool is_first = part == platform->parts; /* what is missing is said once */
    put_table(out, part, &columns, platform->missing, is_first ? platform->missing_count : 0,
              size->rows);
    if (platform->fresh == REP_FRESH && size->trends)
        rep_markdown_trend(view, part, out);
    put_notes(&part->comparison, size->notes, out);

    struct buf raw;
    buf_init(&raw, RAW_MAX_BYTES);
    if (!tt_text_workload(&raw, &part->comparison) && raw.size_bytes) {
        buf_puts(out, "Workload: ");
        put_raw(out, &raw, NOTE_MAX_CHARS);
        buf_puts(out, ".\n\n");
    }
    buf_fini(&raw);
    put_machine(view, part->now, out);
}

static void put_stale(const struct rep_view *view, const struct rep_platform *platform,
                      struct buf *out)
{
    const char *what = platform->fresh == REP_STALE_PREVIOUS
                           ? "Below is the last one of this PR,"
                           : "This PR has none yet; below is the last one of `main`,";
    buf_printf(out, "> [!NOTE]\n> No result from this commit. %s", what);
    put_origin(view, platform->parts[0].now, out);
    buf_puts(out, ".\n\n");
}

int rep_markdown_platform(const struct rep_view *view, const struct rep_platform *platform,
                          const struct rep_markdown_size *size, struct buf *out)
{
    char title[2 * REP_PLATFORM_SIZE];
    rep_view_title(platform->id, title, sizeof(title));
    buf_puts(out, "### ");
    tt_md_escape(out, title, TT_TEXT_MAX_CHARS);
    buf_puts(out, "\n\n");
    if (platform->fresh != REP_FRESH && platform->parts_count)
        put_stale(view, platform, out);
    if (platform->fresh == REP_FRESH && platform->shards_reported < platform->shards)
        buf_printf(out,
                   "> [!WARNING]\n> %u of %u parts reported. What the others were to measure is "
                   "%s.\n\n",
                   platform->shards_reported, platform->shards,
                   platform->missing_count ? "shown as *missing*" : "not known");
    for (size_t i = 0; i < platform->parts_count; i++)
        put_part(view, platform, &platform->parts[i], size, out);
    return buf_status(out);
}
