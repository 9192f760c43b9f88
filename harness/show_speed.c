/* SPDX-License-Identifier: MIT */
/* Tables of commands: Command, Mean, Min, Max, Relative, in the order of the suite. */
#include <errno.h>
#include <stdlib.h>

#include "harness/md_escape.h"
#include "harness/show.h"
#include "harness/speed.h"

#define COLUMNS 5
#define MD_MAX_CHARS 600
#define CELL_MAX_BYTES (TT_SPEED_MAX_TEXT_BYTES + 64)

/** One unit for a group, by its fastest mean, as hyperfine has it. */
struct unit {
    const char *name;
    double factor;
    int decimals;
};

static struct unit unit_of(const struct tt_speed_group *group)
{
    double least = group->speeds[0].mean;
    for (size_t i = 1; i < group->count; i++)
        least = group->speeds[i].mean < least ? group->speeds[i].mean : least;
    return least < 1 ? (struct unit){"ms", 1000, 1} : (struct unit){"s", 1, 3};
}

static void put_cell(struct buf *out, const struct tt_speed_group *group, size_t row, int column,
                     const struct unit *unit)
{
    const struct tt_speed *speed = &group->speeds[row];
    const int decimals = unit->decimals;

    switch (column) {
    case 0:
        buf_puts(out, speed->command);
        break;
    case 1:
        buf_printf(out, "%.*f", decimals, speed->mean * unit->factor);
        if (speed->stddev >= 0)
            buf_printf(out, " ± %.*f", decimals, speed->stddev * unit->factor);
        break;
    case 2:
    case 3:
        buf_printf(out, "%.*f", decimals, (column == 2 ? speed->min : speed->max) * unit->factor);
        break;
    default: {
        struct tt_speed_ratio relative = tt_speed_relative(speed, &group->speeds[group->reference]);
        buf_printf(out, "%.2f", relative.ratio);
        if (relative.error >= 0)
            buf_printf(out, " ± %.2f", relative.error);
    }
    }
}

static void put_heading(struct buf *out, int column, const struct unit *unit)
{
    static const char *const names[COLUMNS] = {"Command", "Mean", "Min", "Max", "Relative"};
    buf_puts(out, names[column]);
    if (column >= 1 && column <= 3)
        buf_printf(out, " [%s]", unit->name);
}

static void put_spaces(struct buf *out, size_t count)
{
    while (count--)
        buf_puts(out, " ");
}

/** A line of text or Markdown. @row the group's count: the heading */
static void put_line(struct buf *out, const struct tt_speed_group *group, size_t row,
                     const struct unit *unit, const size_t *widths, bool markdown, struct buf *cell)
{
    for (int column = 0; column < COLUMNS; column++) {
        buf_clear(cell);
        if (row == group->count)
            put_heading(cell, column, unit);
        else
            put_cell(cell, group, row, column, unit);
        if (buf_status(cell))
            continue; /* told by the caller, who looks at it once more */
        if (markdown) {
            bool code = row < group->count && column == 0;
            buf_puts(out, code ? "| <code>" : "| ");
            tt_md_escape(out, cell->data, MD_MAX_CHARS);
            buf_puts(out, code ? "</code> " : " ");
            continue;
        }
        size_t room = widths[column] - tt_text_width(cell->data);
        if (column)
            put_spaces(out, room + 2);
        buf_puts(out, cell->data);
        if (!column)
            put_spaces(out, room);
    }
    buf_puts(out, markdown ? "|\n" : "\n");
}

static int put_group(struct buf *out, const struct tt_speed_group *group, bool markdown)
{
    const struct unit unit = unit_of(group);
    size_t widths[COLUMNS] = {0};
    struct buf cell;
    int ret = 0;

    buf_init(&cell, CELL_MAX_BYTES);
    for (size_t row = 0; !ret && row <= group->count; row++) {
        for (int column = 0; !ret && column < COLUMNS; column++) {
            buf_clear(&cell);
            if (row == group->count)
                put_heading(&cell, column, &unit);
            else
                put_cell(&cell, group, row, column, &unit);
            ret = buf_status(&cell);
            size_t width = ret ? 0 : tt_text_width(cell.data);
            widths[column] = width > widths[column] ? width : widths[column];
        }
    }
    if (ret)
        goto out;
    if (group->name) {
        buf_puts(out, markdown ? "### " : "");
        if (markdown)
            tt_md_escape(out, group->name, MD_MAX_CHARS);
        else
            buf_puts(out, group->name);
        buf_puts(out, markdown ? "\n\n" : "\n");
    }
    put_line(out, group, group->count, &unit, widths, markdown, &cell);
    if (markdown)
        buf_puts(out, "|:--|--:|--:|--:|--:|\n");
    for (size_t row = 0; row < group->count; row++)
        put_line(out, group, row, &unit, widths, markdown, &cell);
    buf_puts(out, "\n");
out:
    buf_fini(&cell);
    return ret ? ret : buf_status(out);
}

static void put_versions(struct buf *out, const struct tt_speed_table *table, bool markdown)
{
    if (!table->versions_count)
        return;
    buf_puts(out, markdown ? "<details><summary>Versions</summary>\n\n" : "Versions\n");
    for (size_t i = 0; i < table->versions_count; i++) {
        /* Four spaces: code in Markdown, whatever the program printed. */
        buf_printf(out, "%s%s\n", markdown ? "    " : "  ", table->versions[i]);
    }
    buf_puts(out, markdown ? "\n</details>\n" : "");
}

int tt_show_speed(const struct tt_speed_table *table, bool markdown, struct buf *out)
{
    int ret = 0;
    for (size_t i = 0; !ret && i < table->count; i++)
        ret = put_group(out, &table->groups[i], markdown);
    put_versions(out, table, markdown);
    return ret ? ret : buf_status(out);
}
