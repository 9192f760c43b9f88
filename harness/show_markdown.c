/* SPDX-License-Identifier: MIT */
/* A comparison as GitHub Markdown: the seed's table, each number with its interval. */
#include "harness/md_escape.h"
#include "harness/show.h"

#define RAW_MAX_BYTES 65536
#define REASON_MAX_CHARS 40
#define NOTE_MAX_CHARS 600

static void put_ratio(struct buf *out, const struct tt_cell *cell, const char *nothing)
{
    switch (cell->state) {
    case TT_CELL_EMPTY:
        buf_puts(out, nothing);
        break;
    case TT_CELL_NUMBER:
        tt_text_percent(out, cell->ratio, 2);
        buf_puts(out, "<br><sub>");
        tt_text_interval(out, cell->low, cell->high, 2);
        buf_puts(out, "</sub>");
        break;
    case TT_CELL_POINT:
        tt_text_percent(out, cell->ratio, 2);
        break;
    case TT_CELL_GREY:
        buf_puts(out, "*not comparable*");
        break;
    case TT_CELL_WORDS:
        buf_puts(out, "*");
        tt_md_escape(out, cell->reason, REASON_MAX_CHARS);
        buf_puts(out, "*");
        break;
    }
}

static void put_verdict(struct buf *out, const struct tt_row *row)
{
    const char *mark = row->verdict == TT_VERDICT_REGRESSED ? "**" : "";
    buf_printf(out, "%s%s%s", mark,
               row->verdict == TT_VERDICT_NONE ? "-" : tt_verdict_word(row->verdict), mark);
    if (row->detectable > 0)
        buf_printf(out, "<br><sub>would have seen %.2f%%</sub>", row->detectable * 100);
}

static void put_row(struct buf *out, const struct tt_comparison *comparison,
                    const struct tt_row *row, bool with_base)
{
    struct buf label;

    buf_init(&label, RAW_MAX_BYTES);
    int ret = tt_text_label(&label, comparison, row);
    if (ret && !out->status)
        out->status = ret; /* a row without its name would mislead */
    buf_puts(out, "| ");
    tt_md_escape(out, label.data, TT_TEXT_MAX_CHARS);
    buf_fini(&label);
    buf_puts(out, " | ");
    tt_text_arm(out, row, TT_ARM_UNTRACKED);
    buf_puts(out, " | ");
    tt_text_arm(out, row, TT_ARM_TRACKED);
    buf_puts(out, " | ");
    put_ratio(out, &row->overhead, "-");
    buf_puts(out, " | ");
    put_ratio(out, &row->against[0], "*no baseline*");
    buf_puts(out, " | ");
    if (with_base) {
        put_ratio(out, &row->head_base, "-");
        buf_puts(out, " | ");
    }
    put_verdict(out, row);
    buf_puts(out, " |\n");
}

static void put_table(struct buf *out, const struct tt_comparison *comparison)
{
    bool with_base = false;
    for (size_t i = 0; i < comparison->rows_count; i++)
        with_base |= comparison->rows[i].head_base.state != TT_CELL_EMPTY;

    buf_printf(out,
               "| Target | Untracked | Tracked | Overhead | Normalized change | %sVerdict |\n"
               "|:--|--:|--:|--:|--:|%s:--|\n",
               with_base ? "Head / base | " : "", with_base ? "--:|" : "");
    for (size_t i = 0; i < comparison->rows_count; i++)
        put_row(out, comparison, &comparison->rows[i], with_base);
}

/** A paragraph or list item: @before, the escaped text, @after; nothing when there is none. */
static int put_text(struct buf *out, const char *before, struct buf *raw, const char *after)
{
    int ret = buf_status(raw);
    if (!ret && raw->size_bytes) {
        buf_puts(out, before);
        tt_md_escape(out, raw->data, NOTE_MAX_CHARS);
        buf_puts(out, after);
    }
    buf_clear(raw);
    return ret;
}

static int put_notes(struct buf *out, const struct tt_comparison *comparison, struct buf *raw)
{
    int ret = 0;
    for (size_t i = 0; !ret && i < comparison->notes_count; i++) {
        const struct tt_note *note = &comparison->notes[i];
        if (note->row != TT_NOTE_WHOLE) {
            tt_text_label(raw, comparison, &comparison->rows[note->row]);
            buf_puts(raw, ": ");
        }
        buf_puts(raw, note->text);
        ret = put_text(out, "- ", raw, "\n");
    }
    if (comparison->notes_count)
        buf_puts(out, "\n");
    return ret;
}

int tt_show_markdown(const struct tt_comparison *comparison, struct buf *out)
{
    struct buf raw;
    int ret = 0;

    buf_init(&raw, RAW_MAX_BYTES);
    for (size_t i = 0; !ret && i < comparison->baselines_count; i++) {
        ret = tt_text_baseline(&raw, &comparison->baselines[i]);
        if (!ret)
            ret = put_text(out, "Compared with ", &raw, ".\n\n");
    }
    if (ret)
        goto out;

    if (comparison->rows_count)
        put_table(out, comparison);
    else
        buf_puts(out, "This result holds no target.\n");
    buf_puts(out, "\n");
    ret = put_notes(out, comparison, &raw);
    if (!ret)
        ret = tt_text_workload(&raw, comparison);
    if (!ret)
        ret = put_text(out, "Workload: ", &raw, ".\n\n");
    if (!ret)
        ret = tt_text_machine(&raw, comparison->now);
    if (!ret)
        ret = put_text(out, "<sub>", &raw, "</sub>\n");
out:
    buf_fini(&raw);
    return ret ? ret : buf_status(out);
}
