/* SPDX-License-Identifier: MIT */
/* The history's file: one line a run, so that a diff shows what was added. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "common/num.h"
#include "common/utf8.h"
#include "harness/history.h"
#include "harness/json.h"

static int out_of_memory(const struct tt_json_at *at)
{
    return err_set(at->err, -ENOMEM, "cannot read %s: %s", at->input, err_text(-ENOMEM));
}

static int parse_cell(const struct tt_json_at *at, const json_t *object,
                      struct tt_history_cell *out)
{
    if (!json_is_object(object))
        return tt_json_refuse(at, NULL, "not an object");
    int ret = tt_json_text(at, object, "name", TT_RESULT_MAX_STRING_BYTES, false, &out->name);
    if (!ret)
        ret = tt_json_text(at, object, "operation", TT_RESULT_MAX_STRING_BYTES, false,
                           &out->operation);
    if (!ret)
        ret = tt_json_positive(at, object, "overhead_ratio", &out->overhead_ratio);
    if (ret || !json_object_get(object, "low"))
        return ret;
    ret = tt_json_positive(at, object, "low", &out->low);
    if (!ret)
        ret = tt_json_positive(at, object, "high", &out->high);
    if (!ret && (out->low > out->overhead_ratio || out->overhead_ratio > out->high))
        ret = tt_json_refuse(at, "overhead_ratio", "outside its own interval");
    return ret;
}

/** "2026-11-30T15:30:00Z": rows are kept in the order of this text. */
static bool is_time(const char *text)
{
    static const char pattern[] = "dddd-dd-ddTdd:dd:ddZ";
    if (strlen(text) != sizeof(pattern) - 1)
        return false;
    for (size_t i = 0; pattern[i]; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        if (pattern[i] == 'd' ? !digit : text[i] != pattern[i])
            return false;
    }
    return true;
}

static bool is_commit(const char *text)
{
    size_t length = strspn(text, "0123456789abcdef");
    return !text[length] && (length == 40 || length == 64);
}

static int parse_environment(const struct tt_json_at *at, const json_t *object,
                             struct tt_environment *out)
{
    const struct {
        const char *key;
        char **text;
        size_t max_bytes;
    } texts[] = {
        {"cpu", &out->cpu, TT_RESULT_MAX_STRING_BYTES},
        {"image", &out->image, TT_RESULT_MAX_STRING_BYTES},
        {"kernel", &out->kernel, TT_RESULT_MAX_STRING_BYTES},
        {"engine", &out->engine, TT_RESULT_MAX_STRING_BYTES},
        {"workload", &out->workload, TT_ENVIRONMENT_MAX_WORKLOAD_BYTES},
    };
    uint64_t cores = 0;

    int ret = 0;
    for (size_t i = 0; !ret && i < ARRAY_LEN(texts); i++)
        ret = tt_json_text(at, object, texts[i].key, texts[i].max_bytes, false, texts[i].text);
    if (!ret)
        ret = tt_json_u64(at, object, "cores", 1, 1u << 20, &cores);
    out->cores = (uint32_t)cores;
    return ret;
}

static int parse_row(const struct tt_json_at *at, const json_t *object, const char *platform,
                     struct tt_history_row *out)
{
    json_t *cells = NULL;

    if (!json_is_object(object))
        return tt_json_refuse(at, NULL, "not an object");
    out->environment.platform = strdup(platform);
    if (!out->environment.platform)
        return out_of_memory(at);
    int ret = parse_environment(at, object, &out->environment);
    if (!ret)
        ret = tt_json_text(at, object, "created_at", TT_RESULT_MAX_STRING_BYTES, false,
                           &out->created_at);
    if (!ret && !is_time(out->created_at))
        ret = tt_json_refuse(at, "created_at", "not a time such as 2026-11-30T15:30:00Z");
    if (!ret)
        ret = tt_json_text(at, object, "commit", TT_RESULT_MAX_STRING_BYTES, true, &out->commit);
    if (!ret && out->commit && !is_commit(out->commit))
        ret = tt_json_refuse(at, "commit", "not 40 or 64 hexadecimal digits");
    if (!ret)
        ret = tt_json_u64(at, object, "run_id", 0, TT_JSON_MAX_INTEGER, &out->run_id);
    if (!ret)
        ret = tt_json_array(at, object, "targets", TT_RESULT_MAX_TARGETS, false, &cells);
    if (ret)
        return ret;

    out->cells = calloc(json_array_size(cells) + 1, sizeof(*out->cells));
    if (!out->cells)
        return out_of_memory(at);
    for (size_t i = 0; !ret && i < json_array_size(cells); i++) {
        const struct tt_json_at here = tt_json_below(at, "targets[%zu]", i);
        out->cells_count++;
        ret = parse_cell(&here, json_array_get(cells, i), &out->cells[i]);
    }
    return ret;
}

static bool is_platform(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return length && length <= 64 && !text[length];
}

/** Rows of one platform; they must stand in the order in which they are written. */
static int parse_platform(const struct tt_json_at *at, const json_t *platforms,
                          const char *platform, struct tt_history *out)
{
    json_t *rows;

    if (!is_platform(platform))
        return tt_json_refuse(at, NULL, "a platform's name is not 1 to 64 of a-z 0-9 _ -");
    int ret = tt_json_array(at, platforms, platform, TT_HISTORY_MAX_ROWS, false, &rows);
    if (ret || !json_array_size(rows))
        return ret;

    size_t count = out->rows_count + json_array_size(rows);
    struct tt_history_row *grown = realloc(out->rows, count * sizeof(*grown));
    if (!grown)
        return out_of_memory(at);
    out->rows = grown;
    for (size_t i = 0; !ret && i < json_array_size(rows); i++) {
        const struct tt_json_at here = tt_json_below(at, "%s[%zu]", platform, i);
        struct tt_history_row *row = &out->rows[out->rows_count++];
        *row = (struct tt_history_row){0};
        ret = parse_row(&here, json_array_get(rows, i), platform, row);
        if (!ret && i && strcmp(row[-1].created_at, row->created_at) > 0)
            ret = tt_json_refuse(&here, "created_at", "older than the row before it");
    }
    return ret;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int parse_platforms(const struct tt_json_at *at, json_t *root, struct tt_history *out)
{
    const char *names[TT_HISTORY_MAX_PLATFORMS];
    json_t *platforms;
    size_t count = 0;

    int ret = tt_json_object(at, root, "platforms", false, &platforms);
    if (ret)
        return ret;
    if (json_object_size(platforms) > TT_HISTORY_MAX_PLATFORMS)
        return tt_json_refuse(at, "platforms", "more than %d", TT_HISTORY_MAX_PLATFORMS);
    for (void *i = json_object_iter(platforms); i; i = json_object_iter_next(platforms, i))
        names[count++] = json_object_iter_key(i);
    qsort(names, count, sizeof(names[0]), by_text);

    const struct tt_json_at here = tt_json_below(at, "platforms");
    for (size_t i = 0; !ret && i < count; i++)
        ret = parse_platform(&here, platforms, names[i], out);
    return ret;
}

static int check_schema(const struct tt_json_at *at, const json_t *root)
{
    static const char prefix[] = "tracetax.history/";
    if (!json_is_object(root))
        return tt_json_refuse(at, NULL, "not an object");
    const char *schema = json_string_value(json_object_get(root, "schema"));
    if (!schema || strncmp(schema, prefix, sizeof(prefix) - 1))
        return tt_json_refuse(at, "schema", "not \"%s\"", TT_HISTORY_SCHEMA);
    if (!strcmp(schema, TT_HISTORY_SCHEMA))
        return 0;
    uint64_t version;
    if (num_parse_u64(schema + sizeof(prefix) - 1, 2, 1000000, &version))
        return tt_json_refuse(at, "schema", "not \"%s\"", TT_HISTORY_SCHEMA);
    return err_set(at->err, -ENOTSUP,
                   "cannot read %s: written by a newer version (%s, this one knows %s); "
                   "update tracetax",
                   at->input, schema, TT_HISTORY_SCHEMA);
}

int tt_history_parse(const char *name, const void *data, size_t size_bytes, struct tt_history *out,
                     struct err *err)
{
    const struct tt_json_at at = {.input = name, .format = "a tracetax history", .err = err};
    json_t *root = NULL;

    *out = (struct tt_history){0};
    if (size_bytes > TT_HISTORY_MAX_BYTES)
        return err_set(err, -EPROTO, "cannot read %s: larger than %u bytes", name,
                       TT_HISTORY_MAX_BYTES);
    int ret = tt_json_parse(&at, data, size_bytes, &root);
    if (!ret)
        ret = check_schema(&at, root);
    if (!ret)
        ret = parse_platforms(&at, root, out);
    json_decref(root);
    if (ret)
        tt_history_fini(out);
    return ret;
}

int tt_history_read(const char *path, struct tt_history *out, struct err *err)
{
    struct buf text;

    *out = (struct tt_history){0};
    buf_init(&text, TT_HISTORY_MAX_BYTES);
    int ret = file_read(path, &text, err);
    if (ret == -EFBIG)
        ret = -EPROTO;
    if (!ret)
        ret = tt_history_parse(path, text.data ? text.data : "", text.size_bytes, out, err);
    buf_fini(&text);
    return ret;
}

static json_t *cell_json(const struct tt_history_cell *cell)
{
    if (cell->low > 0)
        return json_pack("{s:s, s:s, s:f, s:f, s:f}", "name", cell->name, "operation",
                         cell->operation, "overhead_ratio", cell->overhead_ratio, "low", cell->low,
                         "high", cell->high);
    return json_pack("{s:s, s:s, s:f}", "name", cell->name, "operation", cell->operation,
                     "overhead_ratio", cell->overhead_ratio);
}

static json_t *row_json(const struct tt_history_row *row)
{
    json_t *cells = json_array();
    for (size_t i = 0; cells && i < row->cells_count; i++) {
        if (json_array_append_new(cells, cell_json(&row->cells[i]))) {
            json_decref(cells);
            return NULL;
        }
    }
    if (!cells)
        return NULL;
    return json_pack("{s:s, s:s?, s:I, s:s, s:I, s:s, s:s, s:s, s:s, s:o}", "created_at",
                     row->created_at, "commit", row->commit, "run_id", (json_int_t)row->run_id,
                     "cpu", row->environment.cpu, "cores", (json_int_t)row->environment.cores,
                     "image", row->environment.image, "kernel", row->environment.kernel, "engine",
                     row->environment.engine, "workload", row->environment.workload, "targets",
                     cells);
}

/** Can the row be written at all? Then a failure is a shortage of memory. */
static bool is_sound(const struct tt_history_row *row)
{
    const char *const texts[] = {row->created_at,          row->commit ? row->commit : "",
                                 row->environment.cpu,     row->environment.image,
                                 row->environment.kernel,  row->environment.engine,
                                 row->environment.workload};
    bool sound = true;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        sound &= utf8_is_valid(texts[i], strlen(texts[i]));
    for (size_t i = 0; i < row->cells_count; i++) {
        const struct tt_history_cell *cell = &row->cells[i];
        sound &= utf8_is_valid(cell->name, strlen(cell->name)) &&
                 utf8_is_valid(cell->operation, strlen(cell->operation)) &&
                 isfinite(cell->overhead_ratio) && isfinite(cell->low) && isfinite(cell->high);
    }
    return sound;
}

static void put_row(struct buf *out, const struct tt_history_row *row)
{
    json_t *value = row_json(row);
    char *text = value ? json_dumps(value, JSON_REAL_PRECISION(9)) : NULL;
    if (text)
        buf_puts(out, text);
    else if (!out->status)
        out->status = is_sound(row) ? -ENOMEM : -EINVAL;
    free(text);
    json_decref(value);
}

/** What is written must be what can be read: a wrong value is found here, not by the reader. */
static int check_readable(const struct buf *text, struct err *err)
{
    struct tt_history again;

    int ret = tt_history_parse("the new history", text->data, text->size_bytes, &again, err);
    tt_history_fini(&again);
    if (ret != -EPROTO)
        return ret;
    if (err)
        err->code = -EINVAL;
    return -EINVAL;
}

int tt_history_format(const struct tt_history *history, char **out, struct err *err)
{
    struct buf text;
    const char *platform = NULL;

    *out = NULL;
    buf_init(&text, TT_HISTORY_MAX_BYTES);
    buf_printf(&text, "{\n  \"schema\": \"%s\",\n  \"platforms\": {", TT_HISTORY_SCHEMA);
    for (size_t i = 0; i < history->rows_count; i++) {
        const char *next = history->rows[i].environment.platform;
        if (!platform || strcmp(platform, next))
            buf_printf(&text, "%s\n    \"%s\": [\n      ", platform ? "\n    ]," : "", next);
        else
            buf_puts(&text, ",\n      ");
        put_row(&text, &history->rows[i]);
        platform = next;
    }
    buf_puts(&text, platform ? "\n    ]\n  }\n}\n" : "}\n}\n");
    int ret = buf_status(&text);
    if (ret) {
        (void)err_set(err, ret, "cannot write the history: %s", err_text(ret));
        goto out;
    }
    ret = check_readable(&text, err);
    if (!ret)
        *out = buf_take(&text);
out:
    buf_fini(&text);
    return ret;
}

int tt_history_write(const struct tt_history *history, const char *path, struct err *err)
{
    char *text;

    int ret = tt_history_format(history, &text, err);
    if (!ret)
        ret = file_write(path, text, strlen(text), err);
    free(text);
    return ret;
}
