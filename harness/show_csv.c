/* SPDX-License-Identifier: MIT */
/* A comparison as comma-separated values (RFC 4180), for spreadsheets and scripts. */
#include <inttypes.h>
#include <string.h>

#include "harness/show.h"

/**
 * A text in quotes. One that a spreadsheet would take for a formula is set off by an
 * apostrophe (OWASP, "CSV Injection").
 */
static void put_text(struct buf *out, const char *text)
{
    buf_puts(out, strchr("=+-@\t\r", *text) && *text ? "\"'" : "\"");
    for (const char *c = text; *c; c++)
        buf_append(out, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    buf_puts(out, "\"");
}

/** A number, or nothing where it is not known. */
static void put_number(struct buf *out, double number)
{
    buf_puts(out, ",");
    if (number > 0)
        buf_printf(out, "%.9g", number);
}

static void put_cell(struct buf *out, const struct tt_cell *cell)
{
    bool known = cell->state == TT_CELL_NUMBER || cell->state == TT_CELL_POINT;
    put_number(out, known ? cell->ratio : 0);
    put_number(out, known ? cell->low : 0);
    put_number(out, known ? cell->high : 0);
}

int tt_show_csv(const struct tt_comparison *comparison, struct buf *out)
{
    buf_puts(out, "target,operation,rounds,untracked_ns,tracked_ns,"
                  "overhead_ratio,overhead_low,overhead_high,"
                  "change_ratio,change_low,change_high,"
                  "head_base_ratio,head_base_low,head_base_high,verdict,detectable\r\n");
    for (size_t i = 0; i < comparison->rows_count; i++) {
        const struct tt_row *row = &comparison->rows[i];
        put_text(out, row->name);
        buf_puts(out, ",");
        put_text(out, row->operation);
        buf_printf(out, ",%zu", row->rounds);
        put_number(out, row->untracked_ns);
        put_number(out, row->tracked_ns);
        put_cell(out, &row->overhead);
        put_cell(out, &row->against[0]);
        put_cell(out, &row->head_base);
        buf_printf(out, ",%s", tt_verdict_word(row->verdict));
        put_number(out, row->detectable);
        buf_puts(out, "\r\n");
    }
    return buf_status(out);
}
