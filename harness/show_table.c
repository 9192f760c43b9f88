/* SPDX-License-Identifier: MIT */
/* A comparison as text for a terminal: one line a target where the terminal is wide enough,
   else the intervals below their numbers, else one block a target. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/md_escape.h"
#include "harness/show.h"

enum column { TARGET, UNTRACKED, TRACKED, OVERHEAD, CHANGE, HEAD_BASE, VERDICT, COLUMNS };

enum layout { ONE_LINE, TWO_LINES };

#define CELL_MAX_BYTES 1024
#define GAP 2

static const char *const headings[COLUMNS] = {
    "Target", "Untracked", "Tracked", "Overhead", "Normalized change", "Head / base", "Verdict"};

/** A cell's number and, in the line below or in parentheses, what it can prove. */
struct text_cell {
    char *main, *below;
    const char *color; /**< of the number; "" for none */
};

struct table {
    struct text_cell (*rows)[COLUMNS];
    size_t rows_count;
    bool shown[COLUMNS];
    size_t width[COLUMNS];
    enum layout layout;
    bool color;
};

static const char bold[] = "\033[1m";
static const char dim[] = "\033[2m";
static const char red[] = "\033[1;31m";
static const char green[] = "\033[1;32m";
static const char plain[] = "\033[0m";

static const char *verdict_color(enum tt_verdict verdict)
{
    switch (verdict) {
    case TT_VERDICT_REGRESSED:
        return red;
    case TT_VERDICT_IMPROVED:
        return green;
    case TT_VERDICT_NOT_COMPARABLE:
        return dim;
    default:
        return "";
    }
}

/** Move a buffer's text out; "" for an empty one. */
static int take_text(struct buf *text, char **out)
{
    if (!text->size_bytes)
        buf_puts(text, "");
    int ret = buf_status(text);
    *out = ret ? NULL : text->data ? buf_take(text) : strdup("");
    buf_fini(text);
    return ret ? ret : *out ? 0 : -ENOMEM;
}

static int ratio_cell(struct text_cell *out, const struct tt_cell *cell, const char *nothing)
{
    struct buf main_text;
    struct buf below;

    buf_init(&main_text, CELL_MAX_BYTES);
    buf_init(&below, CELL_MAX_BYTES);
    switch (cell->state) {
    case TT_CELL_EMPTY:
        buf_puts(&main_text, nothing);
        break;
    case TT_CELL_NUMBER:
        tt_text_percent(&main_text, cell->ratio, 2);
        tt_text_interval(&below, cell->low, cell->high, 2);
        break;
    case TT_CELL_POINT:
        tt_text_percent(&main_text, cell->ratio, 2);
        break;
    case TT_CELL_GREY:
        buf_puts(&main_text, "not comparable");
        out->color = dim;
        break;
    case TT_CELL_WORDS:
        tt_plain_escape(&main_text, cell->reason, 24);
        break;
    }
    int ret = take_text(&main_text, &out->main);
    int ret_below = take_text(&below, &out->below);
    return ret ? ret : ret_below;
}

static int text_cell(struct text_cell *out, struct buf *text)
{
    int ret = take_text(text, &out->main);
    out->below = strdup("");
    return ret ? ret : out->below ? 0 : -ENOMEM;
}

static int time_cell(struct text_cell *out, const struct tt_row *row, enum tt_arm arm)
{
    struct buf text;
    buf_init(&text, CELL_MAX_BYTES);
    tt_text_arm(&text, row, arm);
    return text_cell(out, &text);
}

static int fill_row(const struct tt_comparison *comparison, const struct tt_row *row,
                    struct text_cell out[COLUMNS])
{
    struct buf raw;
    struct buf text;

    for (int i = 0; i < COLUMNS; i++)
        out[i].color = "";
    buf_init(&raw, CELL_MAX_BYTES);
    buf_init(&text, CELL_MAX_BYTES);
    int ret = tt_text_label(&raw, comparison, row);
    if (!ret) {
        tt_plain_escape(&text, raw.data, TT_TEXT_MAX_CHARS);
        ret = text_cell(&out[TARGET], &text);
    }
    buf_fini(&raw);
    if (!ret)
        ret = time_cell(&out[UNTRACKED], row, TT_ARM_UNTRACKED);
    if (!ret)
        ret = time_cell(&out[TRACKED], row, TT_ARM_TRACKED);
    if (!ret)
        ret = ratio_cell(&out[OVERHEAD], &row->overhead, "-");
    if (!ret)
        ret = ratio_cell(&out[CHANGE], &row->against[0], "no baseline");
    if (!ret)
        ret = ratio_cell(&out[HEAD_BASE], &row->head_base, "-");
    if (ret)
        return ret;

    out[VERDICT].color = verdict_color(row->verdict);
    buf_init(&text, CELL_MAX_BYTES);
    buf_puts(&text, row->verdict == TT_VERDICT_NONE ? "-" : tt_verdict_word(row->verdict));
    ret = take_text(&text, &out[VERDICT].main);
    if (ret)
        return ret;
    buf_init(&text, CELL_MAX_BYTES);
    if (row->detectable > 0)
        buf_printf(&text, "would have seen %.2f%%", row->detectable * 100);
    return take_text(&text, &out[VERDICT].below);
}

static size_t cell_width(const struct text_cell *cell, enum layout layout)
{
    size_t main_width = tt_text_width(cell->main);
    size_t below = tt_text_width(cell->below);
    if (layout == ONE_LINE)
        return below ? main_width + below + 3 : main_width; /* " (" and ")" */
    return main_width > below ? main_width : below;
}

/** Widths of the columns. @return of the whole line */
static size_t measure(struct table *table, enum layout layout)
{
    size_t total = 0;
    table->layout = layout;
    for (int column = 0; column < COLUMNS; column++) {
        if (!table->shown[column])
            continue;
        size_t most = tt_text_width(headings[column]);
        for (size_t i = 0; i < table->rows_count; i++) {
            size_t width = cell_width(&table->rows[i][column], layout);
            most = width > most ? width : most;
        }
        table->width[column] = most;
        total += most + (column ? GAP : 0);
    }
    return total;
}

static void pad(struct buf *out, size_t columns)
{
    while (columns--)
        buf_puts(out, " ");
}

static void put_colored(struct buf *out, const struct table *table, const char *color,
                        const char *text)
{
    bool colored = table->color && *color && *text;
    buf_printf(out, "%s%s%s", colored ? color : "", text, colored ? plain : "");
}

/** Text flush right in its column; the first and the last column are flush left. */
static void put_cell(struct buf *out, const struct table *table, int column, const char *color,
                     const char *text, const char *after)
{
    size_t used = tt_text_width(text) + tt_text_width(after);
    size_t space = table->width[column] > used ? table->width[column] - used : 0;
    bool left = column == TARGET || column == VERDICT;

    if (column)
        pad(out, GAP);
    if (!left)
        pad(out, space);
    put_colored(out, table, color, text);
    buf_puts(out, after);
    if (left && column != VERDICT)
        pad(out, space);
}

/** A line end after no blanks. */
static void end_line(struct buf *out)
{
    size_t size_bytes = out->size_bytes;
    while (size_bytes && out->data[size_bytes - 1] == ' ')
        size_bytes--;
    buf_truncate(out, size_bytes);
    buf_puts(out, "\n");
}

static void put_line(struct buf *out, const struct table *table, size_t row, bool below)
{
    for (int column = 0; column < COLUMNS; column++) {
        const struct text_cell *cell = &table->rows[row][column];
        if (!table->shown[column])
            continue;
        if (below) {
            put_cell(out, table, column, "", cell->below, "");
        } else if (table->layout == ONE_LINE && *cell->below) {
            char after[CELL_MAX_BYTES + 4];
            (void)snprintf(after, sizeof(after), " (%s)", cell->below);
            put_cell(out, table, column, cell->color, cell->main, after);
        } else {
            put_cell(out, table, column, cell->color, cell->main, "");
        }
    }
    end_line(out);
}

static void put_lines(struct buf *out, const struct table *table)
{
    for (int column = 0; column < COLUMNS; column++) {
        if (table->shown[column])
            put_cell(out, table, column, bold, headings[column], "");
    }
    end_line(out);
    for (size_t row = 0; row < table->rows_count; row++) {
        put_line(out, table, row, false);
        if (table->layout == TWO_LINES)
            put_line(out, table, row, true);
    }
}

static void put_blocks(struct buf *out, const struct table *table)
{
    for (size_t row = 0; row < table->rows_count; row++) {
        const struct text_cell *cells = table->rows[row];
        buf_puts(out, row ? "\n" : "");
        put_colored(out, table, bold, cells[TARGET].main);
        buf_puts(out, "\n");
        for (int column = UNTRACKED; column < COLUMNS; column++) {
            if (!table->shown[column])
                continue;
            buf_printf(out, "  %-17s  ", headings[column]);
            put_colored(out, table, cells[column].color, cells[column].main);
            if (*cells[column].below)
                buf_printf(out, "\n  %-17s  %s", "", cells[column].below);
            buf_puts(out, "\n");
        }
    }
}

/** Words broken into lines of the terminal, later lines set in by @indent. */
static void put_wrapped(struct buf *out, const char *text, size_t width, size_t indent)
{
    size_t column = 0;
    while (*text) {
        char word[CELL_MAX_BYTES];
        size_t length = strcspn(text, " ");
        if (length >= sizeof(word))
            length = sizeof(word) - 1;
        memcpy(word, text, length);
        word[length] = '\0';
        size_t columns = tt_text_width(word);
        if (column && width && column + 1 + columns > width) {
            buf_puts(out, "\n");
            pad(out, indent);
            column = indent;
        } else if (column) {
            buf_puts(out, " ");
            column++;
        }
        buf_append(out, word, length);
        column += columns;
        text += length;
        text += strspn(text, " ");
    }
    buf_puts(out, "\n");
}

/** "HEAD: TEXT." with TEXT escaped; nothing when there is no text. */
static int put_sentence(struct buf *out, const struct tt_show_options *options, const char *head,
                        const struct buf *raw)
{
    struct buf line;
    if (!raw->size_bytes)
        return buf_status(raw);
    buf_init(&line, raw->limit_bytes * 8);
    buf_puts(&line, head);
    tt_plain_escape(&line, raw->data, raw->size_bytes);
    int ret = buf_status(&line);
    if (!ret)
        put_wrapped(out, line.data, options->width, 2);
    buf_fini(&line);
    return ret;
}

static int put_foot(struct buf *out, const struct tt_comparison *comparison,
                    const struct tt_show_options *options)
{
    struct buf raw;
    buf_init(&raw, 65536);
    buf_puts(out, "\n");

    int ret = 0;
    for (size_t i = 0; !ret && i < comparison->baselines_count; i++) {
        buf_clear(&raw);
        tt_text_baseline(&raw, &comparison->baselines[i]);
        ret = put_sentence(out, options, "Compared with ", &raw);
    }
    if (!ret) {
        buf_clear(&raw);
        tt_text_workload(&raw, comparison);
        ret = put_sentence(out, options, "Workload: ", &raw);
    }
    if (!ret) {
        buf_clear(&raw);
        tt_text_machine(&raw, comparison->now);
        ret = put_sentence(out, options, "Machine: ", &raw);
    }
    for (size_t i = 0; !ret && i < comparison->notes_count; i++) {
        const struct tt_note *note = &comparison->notes[i];
        buf_clear(&raw);
        if (note->row != TT_NOTE_WHOLE) {
            tt_text_label(&raw, comparison, &comparison->rows[note->row]);
            buf_puts(&raw, ": ");
        }
        buf_puts(&raw, note->text);
        ret = put_sentence(out, options, "Note: ", &raw);
    }
    buf_fini(&raw);
    return ret;
}

int tt_show_table(const struct tt_comparison *comparison, const struct tt_show_options *options,
                  struct buf *out)
{
    struct table table = {.rows_count = comparison->rows_count, .color = options->color};
    int ret = 0;

    table.rows = calloc(table.rows_count + 1, sizeof(*table.rows));
    if (!table.rows)
        return -ENOMEM;
    for (int column = 0; column < COLUMNS; column++)
        table.shown[column] = column != HEAD_BASE;
    for (size_t i = 0; !ret && i < table.rows_count; i++) {
        table.shown[HEAD_BASE] |= comparison->rows[i].head_base.state != TT_CELL_EMPTY;
        ret = fill_row(comparison, &comparison->rows[i], table.rows[i]);
    }
    if (ret)
        goto out;

    size_t width = options->width ? options->width : SIZE_MAX;
    bool fits = measure(&table, ONE_LINE) <= width || measure(&table, TWO_LINES) <= width;
    if (!table.rows_count)
        buf_puts(out, "This result holds no target.\n");
    else if (fits)
        put_lines(out, &table);
    else
        put_blocks(out, &table);
    ret = put_foot(out, comparison, options);
out:
    for (size_t i = 0; i < table.rows_count; i++) {
        for (int column = 0; column < COLUMNS; column++) {
            free(table.rows[i][column].main);
            free(table.rows[i][column].below);
        }
    }
    free(table.rows);
    return ret ? ret : buf_status(out);
}
