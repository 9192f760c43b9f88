/* SPDX-License-Identifier: MIT */
/* Numbers and sentences that all formats share. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/num.h"
#include "common/utf8.h"
#include "harness/show.h"

#define MAX_OPERATIONS_SHOWN 8

/** A change in percent as it is printed; never "-0.00". */
static int put_change(struct buf *out, double ratio, int decimals, const char *unit)
{
    double percent = (ratio - 1) * 100;
    double unit_step = pow(10, -decimals);
    if (fabs(percent) < unit_step / 2)
        percent = 0;
    return buf_printf(out, "%+.*f%s", decimals, percent, unit);
}

int tt_text_percent(struct buf *out, double ratio, int decimals)
{
    return put_change(out, ratio, decimals, "%");
}

int tt_text_interval(struct buf *out, double low, double high, int decimals)
{
    put_change(out, low, decimals, " … ");
    return put_change(out, high, decimals, "");
}

int tt_text_time(struct buf *out, double ns)
{
    return buf_printf(out, "%.3f ms", ns / 1e6);
}

int tt_text_arm(struct buf *out, const struct tt_row *row, enum tt_arm arm)
{
    const double medians[TT_ARM_COUNT] = {row->untracked_ns, row->tracked_ns, row->tracked_base_ns};
    if (!row->now || !row->now->arm[arm].count)
        return buf_puts(out, "-");
    return tt_text_time(out, medians[arm]);
}

int tt_text_label(struct buf *out, const struct tt_comparison *comparison, const struct tt_row *row)
{
    buf_puts(out, row->name);
    for (size_t i = 0; i < comparison->rows_count; i++) {
        if (strcmp(comparison->rows[i].operation, row->operation))
            return buf_printf(out, " %s", row->operation);
    }
    return buf_status(out);
}

int tt_text_verdict(struct buf *out, enum tt_verdict verdict, double detectable)
{
    buf_puts(out, tt_verdict_word(verdict));
    if (detectable > 0)
        buf_printf(out, " (would have seen %.2f%%)", detectable * 100);
    return buf_status(out);
}

/** "8,192" */
static int put_grouped(struct buf *out, uint64_t number)
{
    if (number >= 1000) {
        put_grouped(out, number / 1000);
        return buf_printf(out, ",%03u", (unsigned)(number % 1000));
    }
    return buf_printf(out, "%u", (unsigned)number);
}

static void put_parameter(struct buf *out, const struct tt_parameter *parameter)
{
    uint64_t number;
    bool is_number = !num_parse_u64(parameter->value, 0, UINT64_MAX, &number);
    if (is_number && !strcmp(parameter->name, "threads")) {
        put_grouped(out, number);
        buf_puts(out, number == 1 ? " thread" : " threads");
    } else if (is_number && !strcmp(parameter->name, "files")) {
        put_grouped(out, number);
        buf_puts(out, number == 1 ? " file per thread" : " files per thread");
    } else {
        buf_printf(out, "%s %s", parameter->name, parameter->value);
    }
}

static bool shown_before(const struct tt_comparison *comparison, size_t row)
{
    const struct tt_target *now = comparison->rows[row].now;
    for (size_t i = 0; i < row; i++) {
        const struct tt_target *earlier = comparison->rows[i].now;
        if (earlier && earlier->operations_count == now->operations_count &&
            !strcmp(earlier->operation, now->operation))
            return true;
    }
    return false;
}

int tt_text_workload(struct buf *out, const struct tt_comparison *comparison)
{
    const struct tt_result *now = comparison->now;
    const char *separator = "";
    size_t shown = 0;

    /* Threads, then files, then whatever else: as the sentence is read. */
    static const char *const first[] = {"threads", "files"};
    for (size_t pass = 0; pass <= ARRAY_LEN(first); pass++) {
        for (size_t i = 0; i < now->suite.parameters_count; i++) {
            const char *name = now->suite.parameters[i].name;
            size_t turn = !strcmp(name, first[0]) ? 0 : !strcmp(name, first[1]) ? 1 : 2;
            if (turn != pass)
                continue;
            buf_puts(out, separator);
            put_parameter(out, &now->suite.parameters[i]);
            separator = ", ";
        }
    }
    for (size_t i = 0; i < comparison->rows_count && shown < MAX_OPERATIONS_SHOWN; i++) {
        const struct tt_target *target = comparison->rows[i].now;
        if (!target || !target->operations_count || shown_before(comparison, i))
            continue;
        buf_puts(out, separator);
        put_grouped(out, target->operations_count);
        buf_printf(out, " total %s operation%s",
                   strcmp(target->operation, "open-close") ? target->operation : "open-and-close",
                   target->operations_count == 1 ? "" : "s");
        separator = ", ";
        shown++;
    }
    return buf_status(out);
}

int tt_text_machine(struct buf *out, const struct tt_result *result)
{
    buf_printf(out, "%s · %s · %" PRIu32 " %s · %s · kernel %s · ", result->platform.arch,
               result->platform.cpu, result->platform.cores,
               result->platform.cores == 1 ? "core" : "cores", result->platform.image,
               result->platform.kernel);
    if (!strcmp(result->engine.name, "builtin"))
        buf_puts(out, "builtin engine");
    else
        buf_printf(out, "%s %s", result->engine.name, result->engine.version);
    if (result->suite.shards > 1)
        buf_printf(out, " · shard %" PRIu32 " of %" PRIu32, result->suite.shard,
                   result->suite.shards);
    if (result->ci.provider)
        buf_printf(out, " · run %" PRIu64, result->ci.run_id);
    return buf_status(out);
}

int tt_text_baseline(struct buf *out, const struct tt_compared *compared)
{
    const struct tt_result *result = compared->baseline.result;
    buf_printf(out, "%s of %s", tt_baseline_word(compared->baseline.kind), result->created_at);
    if (result->commit)
        buf_printf(out, " at %.8s", result->commit);
    if (compared->baseline.where)
        buf_printf(out, " (%s)", compared->baseline.where);
    return buf_status(out);
}

/** Columns of one code point: marks that combine take none, East Asian wide ones two. */
static size_t char_width(uint32_t c)
{
    static const struct {
        uint32_t first, last;
        size_t width;
    } ranges[] = {
        {0x0300, 0x036F, 0}, {0x1AB0, 0x1AFF, 0}, {0x20D0, 0x20FF, 0},   {0xFE20, 0xFE2F, 0},
        {0x1100, 0x115F, 2}, {0x2E80, 0xA4CF, 2}, {0xAC00, 0xD7A3, 2},   {0xF900, 0xFAFF, 2},
        {0xFE30, 0xFE6F, 2}, {0xFF01, 0xFF60, 2}, {0x1F300, 0x1FAFF, 2}, {0x20000, 0x3FFFD, 2},
    };
    for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
        if (c >= ranges[i].first && c <= ranges[i].last)
            return ranges[i].width;
    }
    return 1;
}

size_t tt_text_width(const char *text)
{
    size_t width = 0;
    while (*text) {
        uint32_t value;
        size_t size_bytes = utf8_decode(text, strnlen(text, 4), &value);
        width += size_bytes ? char_width(value) : 1;
        text += size_bytes ? size_bytes : 1;
    }
    return width;
}
