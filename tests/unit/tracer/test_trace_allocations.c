/* SPDX-License-Identifier: MIT */
/* Each allocation of whoever reads a trace fails once, and those of what is common. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/buf.h"
#include "common/file.h"
#include "common/outfile.h"
#include "common/proc.h"
#include "tests/unit/allocations.h"
#include "tests/unit/tracer/records.h"
#include "tracer/image.h"
#include "tracer/ops.h"
#include "tracer/print.h"
#include "tracer/raw.h"

#define MAX_BYTES (16u << 20)

/** A raw trace of every kind of record; made before anything fails. */
static struct {
    FILE *trace, *sink;
    char path[64];
} input;

static void put_records(struct buf *out)
{
    char path[64];
    struct ft_record head = {.pid = 7, .op = FT_OP_openat, .access = FT_READ};

    head.kind = FT_KIND_START;
    record_put(out, head, "", "/bin/x");
    head.kind = FT_KIND_ACCESS;
    for (uint32_t i = 0; i < 300; i++) { /* of more processes than a table begins with */
        head.pid = 7 + i % 100;
        (void)snprintf(path, sizeof(path), "%s/%lu", i % 2 ? "" : "\xff", (unsigned long)i);
        record_put(out, head, "/here/and/there", path);
    }
    head.pid = 7;
    for (uint16_t id = 1; id < 40; id++) {
        head.kind = FT_KIND_ATTEMPT;
        head.id = id;
        head.access = FT_READ | FT_EXPECT_START;
        record_put(out, head, "", "/bin/other");
        head.kind = FT_KIND_RESULT;
        head.error = ENOENT;
        if (id % 2)
            record_put(out, head, "", "");
        head.error = 0;
    }
    head.kind = FT_KIND_EXPECT;
    record_put(out, head, "", "/bin/never");
    head.kind = FT_KIND_FORK;
    head.pid = 8;
    record_put(out, head, "", "");
    head.kind = FT_KIND_DEVICE;
    record_put(out, head, "\\Device\\X", "C:");
    head.kind = FT_KIND_NOTE;
    for (int reason = FT_REASON_SETUID; reason < FT_REASON_SETUID + 12; reason++) {
        head.error = (uint16_t)reason;
        record_put(out, head, "", "/bin/image");
    }
}

static int print_as(enum ft_format format, bool all)
{
    struct ft_printer *printer = NULL;
    struct ft_decoder *decoder = NULL;
    struct ft_summary *summary = NULL;
    char *ops = NULL;
    struct err err = {0};

    rewind(input.trace);
    int ret = ft_printer_new(input.sink, format, all, &printer);
    if (!ret)
        ret = ft_decoder_new(ft_printer_access, printer, &decoder);
    if (!ret) {
        ret = ft_raw_read(input.trace, "trace", decoder, &ops, &err);
        assert_int_equal(err.code, ret);
    }
    if (!ret)
        ret = ft_decoder_finish(decoder, &summary);
    if (!ret)
        ret = ft_printer_summary(printer, summary);
    ft_decoder_free(decoder);
    ft_printer_free(printer);
    free(ops);
    return ret;
}

static int print_json(void)
{
    return print_as(FT_FORMAT_JSON, false);
}

static int print_text(void)
{
    return print_as(FT_FORMAT_TEXT, false);
}

static int print_all(void)
{
    return print_as(FT_FORMAT_NUL, true);
}

static int read_file(void)
{
    struct buf out;
    struct err err = {0};

    buf_init(&out, MAX_BYTES);
    int ret = file_read(input.path, &out, &err);
    assert_int_equal(err.code, ret);
    buf_fini(&out);
    return ret;
}

static int write_file(void)
{
    struct outfile file = {0};
    struct err err = {0};
    char name[sizeof(input.path) + 4];

    (void)snprintf(name, sizeof(name), "%s.out", input.path);
    int ret = outfile_open(&file, name, stdout, &err);
    if (!ret && fputs("text\n", file.stream) < 0)
        ret = -EIO;
    if (!ret)
        ret = outfile_commit(&file, &err);
    outfile_discard(&file);
    assert_int_equal(remove(name) == 0, ret == 0);
    return ret;
}

static int find_program(void)
{
    char *path;

    int ret = proc_find("sh", &path);
    assert_int_equal(path == NULL, ret != 0);
    free(path);
    return ret;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const struct allocating rows[] = {
        {"print a trace as JSON", print_json, 20, false},
        {"print a trace as text", print_text, 20, false},
        {"print all of a trace", print_all, 20, false},
        {"read a file", read_file, 1, false},
        {"write a file", write_file, 1, false},
        {"find a program", find_program, 1, false},
    };
    allocations_fail_each(rows, ARRAY_LEN(rows));
}

static int set_up(void **state)
{
    (void)state;
    static const struct ft_raw_summary end = {.lost = 3, .exit_code = 42, .torn = 1};
    struct buf records;

    (void)snprintf(input.path, sizeof(input.path), "allocations-trace");
    input.trace = fopen(input.path, "w+b");
    input.sink = tmpfile();
    if (!input.trace || !input.sink)
        return -1;
    buf_init(&records, MAX_BYTES);
    put_records(&records);
    int ret = buf_status(&records);
    if (!ret)
        ret = ft_raw_write_head(input.trace);
    if (!ret)
        ret = ft_raw_write_records(input.trace, (const void *)records.data, records.size_bytes);
    if (!ret)
        ret = ft_raw_write_summary(input.trace, &end);
    buf_fini(&records);
    return ret ? ret : fflush(input.trace);
}

static int tear_down(void **state)
{
    (void)state;
    (void)fclose(input.sink);
    (void)fclose(input.trace);
    return remove(input.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
