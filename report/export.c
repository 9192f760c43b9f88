/* SPDX-License-Identifier: MIT */
/* The reported numbers in the formats of other services. */
#include "report/export.h"

#include <errno.h>
#include <stdlib.h>

#include <jansson.h>

#include "harness/md_escape.h"
#include "harness/show.h"

#define DIGITS 9
#define NAME_MAX_BYTES 4096

typedef int row_fn(json_t *root, const struct rep_platform *platform, const struct tt_row *row);

static char *name_of(const struct rep_platform *platform, const struct tt_row *row)
{
    struct buf raw, name;
    char *taken = NULL;
    buf_init(&raw, NAME_MAX_BYTES);
    buf_init(&name, (size_t)8 * NAME_MAX_BYTES);
    /* may go to standard output, and so into the log of a job that holds a token */
    if (!buf_printf(&raw, "%s/%s/%s", platform->id, row->name, row->operation) &&
        !tt_plain_escape(&name, raw.data, NAME_MAX_BYTES))
        taken = buf_take(&name);
    buf_fini(&raw);
    buf_fini(&name);
    return taken;
}

/* Every row of the reported commit that has an overhead: finite numbers, nothing else. */
static int each_row(const struct rep_view *view, json_t *root, row_fn *add)
{
    for (size_t i = 0; i < view->platforms_count; i++) {
        const struct rep_platform *platform = &view->platforms[i];
        for (size_t j = 0; platform->fresh == REP_FRESH && j < platform->parts_count; j++) {
            const struct tt_comparison *comparison = &platform->parts[j].comparison;
            for (size_t k = 0; k < comparison->rows_count; k++) {
                const struct tt_row *row = &comparison->rows[k];
                bool has_number =
                    row->overhead.state == TT_CELL_NUMBER || row->overhead.state == TT_CELL_POINT;
                int ret = row->now && has_number ? add(root, platform, row) : 0;
                if (ret)
                    return ret;
            }
        }
    }
    return 0;
}

static int write_json(json_t *root, int status, char **out)
{
    *out = NULL;
    if (!status && root) {
        struct buf text;
        buf_init(&text, SIZE_MAX);
        char *json = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS));
        if (json && !buf_printf(&text, "%s\n", json))
            *out = buf_take(&text);
        buf_fini(&text);
        free(json);
    }
    json_decref(root);
    return *out ? 0 : -ENOMEM;
}

static int add_gab(json_t *root, const struct rep_platform *platform, const struct tt_row *row)
{
    char *name = name_of(platform, row);
    json_t *entry = name ? json_pack("{s:s, s:s, s:f}", "name", name, "unit", "% overhead", "value",
                                     (row->overhead.ratio - 1) * 100)
                         : NULL;
    free(name);
    if (!entry)
        return -ENOMEM;
    struct buf text;
    buf_init(&text, 4096);
    int ret = 0;
    if (row->overhead.state == TT_CELL_NUMBER) {
        buf_printf(&text, "± %.2f", (row->overhead.high - row->overhead.low) / 2 * 100);
        ret = json_object_set_new(entry, "range", json_string(text.data ? text.data : ""));
        buf_clear(&text);
    }
    buf_puts(&text, "untracked ");
    tt_text_time(&text, row->untracked_ns);
    buf_puts(&text, ", tracked ");
    tt_text_time(&text, row->tracked_ns);
    if (!ret)
        ret = json_object_set_new(entry, "extra", json_string(text.data ? text.data : ""));
    buf_fini(&text);
    if (ret) {
        json_decref(entry);
        return -ENOMEM;
    }
    return json_array_append_new(root, entry) ? -ENOMEM : 0;
}

int rep_export_gab(const struct rep_view *view, char **out)
{
    json_t *root = json_array();
    return write_json(root, root ? each_row(view, root, add_gab) : -ENOMEM, out);
}

static int set_measure(json_t *entry, const char *name, double value)
{
    return value > 0 ? json_object_set_new(entry, name, json_pack("{s:f}", "value", value)) : 0;
}

static int add_bmf(json_t *root, const struct rep_platform *platform, const struct tt_row *row)
{
    json_t *entry = json_object();
    json_t *overhead = json_pack("{s:f}", "value", row->overhead.ratio);
    int ret = entry && overhead ? 0 : -1;
    if (!ret && row->overhead.state == TT_CELL_NUMBER) {
        ret = json_object_set_new(overhead, "lower_value", json_real(row->overhead.low)) ||
              json_object_set_new(overhead, "upper_value", json_real(row->overhead.high));
    }
    if (!ret)
        ret = json_object_set(entry, "overhead-ratio", overhead) ||
              set_measure(entry, "untracked-latency", row->untracked_ns) ||
              set_measure(entry, "tracked-latency", row->tracked_ns);
    json_decref(overhead);
    char *name = name_of(platform, row);
    if (!ret)
        ret = name ? json_object_set(root, name, entry) : -1;
    free(name);
    json_decref(entry);
    return ret ? -ENOMEM : 0;
}

int rep_export_bmf(const struct rep_view *view, char **out)
{
    json_t *root = json_object();
    return write_json(root, root ? each_row(view, root, add_bmf) : -ENOMEM, out);
}
