/* SPDX-License-Identifier: MIT */
/* A comparison as JSON: the model as it is, for scripts (docs/format.md). */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

#include "harness/md_escape.h"
#include "harness/show.h"

#define TEXT_MAX_BYTES 65536

static const char *state_word(enum tt_cell_state state)
{
    switch (state) {
    case TT_CELL_EMPTY:
        return "empty";
    case TT_CELL_NUMBER:
        return "interval";
    case TT_CELL_POINT:
        return "point";
    case TT_CELL_GREY:
        return "not comparable";
    case TT_CELL_WORDS:
        return "words";
    }
    return "?";
}

/** A foreign text, made UTF-8 (a path need not be it, a cut may have broken it); null for NULL. */
static json_t *text(const char *foreign)
{
    struct buf safe;
    if (!foreign)
        return json_null();
    buf_init(&safe, TEXT_MAX_BYTES);
    tt_plain_escape(&safe, foreign, TEXT_MAX_BYTES);
    json_t *value = buf_status(&safe) ? NULL : json_string(safe.data ? safe.data : "");
    buf_fini(&safe);
    return value;
}

/** A number > 0, or null where it is not known. */
static json_t *number(double value)
{
    return value > 0 ? json_real(value) : json_null();
}

static json_t *cell_json(const struct tt_cell *cell)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:s, s:o, s:o}", "state", state_word(cell->state),
                     "ratio", number(cell->ratio), "low", number(cell->low), "high",
                     number(cell->high), "verdict", tt_verdict_word(cell->verdict), "detectable",
                     number(cell->detectable), "reason", text(cell->reason));
}

static json_t *change_json(const struct tt_cell *cell)
{
    json_t *value = cell_json(cell);
    if (value &&
        (json_object_set_new(value, "baseline_overhead_ratio",
                             number(cell->baseline_overhead_ratio)) ||
         json_object_set_new(value, "spread", number(cell->spread.tau)) ||
         json_object_set_new(value, "calibrated", json_boolean(cell->spread.calibrated)))) {
        json_decref(value);
        return NULL;
    }
    return value;
}

/** Add a value to an array. Fails on a NULL value as on a NULL array. */
static int append(json_t *array, json_t *value)
{
    return json_array_append_new(array, value) ? -ENOMEM : 0;
}

static json_t *row_json(const struct tt_comparison *comparison, const struct tt_row *row)
{
    json_t *changes = json_array();
    for (size_t i = 0; i < comparison->baselines_count; i++) {
        if (append(changes, change_json(&row->against[i]))) {
            json_decref(changes);
            return NULL;
        }
    }
    return json_pack("{s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "name",
                     text(row->name), "operation", text(row->operation), "rounds",
                     (json_int_t)row->rounds, "untracked_ns", number(row->untracked_ns),
                     "tracked_ns", number(row->tracked_ns), "tracked_base_ns",
                     number(row->tracked_base_ns), "overhead", cell_json(&row->overhead), "changes",
                     changes, "head_base", cell_json(&row->head_base), "verdict",
                     tt_verdict_word(row->verdict), "detectable", number(row->detectable));
}

static json_t *baseline_json(const struct tt_compared *compared)
{
    const struct tt_result *result = compared->baseline.result;
    return json_pack(
        "{s:s, s:o, s:s, s:s?, s:b, s:o}", "kind", tt_baseline_word(compared->baseline.kind),
        "where", text(compared->baseline.where), "created_at", result->created_at, "commit",
        result->commit, "comparable", compared->comparable, "reason", text(compared->reason));
}

static json_t *note_json(const struct tt_note *note)
{
    json_t *row = note->row == TT_NOTE_WHOLE ? json_null() : json_integer((json_int_t)note->row);
    return json_pack("{s:o, s:o}", "row", row, "text", text(note->text));
}

static json_t *comparison_json(const struct tt_comparison *comparison)
{
    json_t *baselines = json_array();
    json_t *rows = json_array();
    json_t *notes = json_array();
    int ret = 0;

    for (size_t i = 0; !ret && i < comparison->baselines_count; i++)
        ret = append(baselines, baseline_json(&comparison->baselines[i]));
    for (size_t i = 0; !ret && i < comparison->rows_count; i++)
        ret = append(rows, row_json(comparison, &comparison->rows[i]));
    for (size_t i = 0; !ret && i < comparison->notes_count; i++)
        ret = append(notes, note_json(&comparison->notes[i]));
    if (ret) {
        json_decref(baselines);
        json_decref(rows);
        json_decref(notes);
        return NULL;
    }
    return json_pack("{s:s, s:s, s:s?, s:s, s:f, s:f, s:o, s:o, s:o}", "schema",
                     "tracetax.comparison/1", "created_at", comparison->now->created_at, "commit",
                     comparison->now->commit, "platform", comparison->now->platform.id, "margin",
                     comparison->limits.margin, "unchanged_within",
                     comparison->limits.unchanged_within, "baselines", baselines, "targets", rows,
                     "notes", notes);
}

int tt_show_json(const struct tt_comparison *comparison, struct buf *out)
{
    json_t *value = comparison_json(comparison);
    char *dumped = value ? json_dumps(value, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) : NULL;
    if (dumped) {
        buf_puts(out, dumped);
        buf_puts(out, "\n");
    } else if (!out->status) {
        out->status = -ENOMEM;
    }
    free(dumped);
    json_decref(value);
    return buf_status(out);
}
