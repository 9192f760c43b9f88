/* SPDX-License-Identifier: MIT */
/* Raw traces come back as they were written, and a damaged one gives one clear error. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tests/unit/tracer/records.h"
#include "tracer/ops.h"
#include "tracer/raw.h"

static const struct ft_raw_summary end = {.lost = 3, .exit_code = 42, .kernel_guarantee = 1};

/** A trace of some accesses, in memory. */
static char *make_trace(size_t *size_bytes)
{
    char *trace = NULL;
    struct buf records;
    struct ft_record head = {
        .pid = 7, .op = FT_OP_openat, .kind = FT_KIND_ACCESS, .access = FT_READ};
    buf_init(&records, 1u << 20);
    record_put(&records, head, "/here", "one");
    head.error = ENOENT;
    record_put(&records, head, "", "/two");

    FILE *stream = open_memstream(&trace, size_bytes);
    assert_non_null(stream);
    assert_int_equal(ft_raw_write_head(stream), 0);
    assert_int_equal(ft_raw_write_records(stream, (const void *)records.data, records.size_bytes),
                     0);
    assert_int_equal(ft_raw_write_summary(stream, &end), 0);
    assert_int_equal(fclose(stream), 0);
    buf_fini(&records);
    return trace;
}

/** What reading gave. */
struct outcome {
    int status;
    struct err err;
    struct buf lines;
    struct ft_summary summary; /* but for its images */
};

static int write_line(void *context, const struct ft_access *access)
{
    return buf_printf(context, "%lu %s %u %u %s\n", (unsigned long)access->pid, access->op,
                      access->access, access->error, access->path);
}

static void read_trace(const char *trace, size_t size_bytes, struct outcome *out)
{
    struct ft_decoder *decoder;
    struct ft_summary *summary;
    char *ops;

    *out = (struct outcome){0};
    buf_init(&out->lines, 64u << 20);
    FILE *stream = tmpfile(); /* not fmemopen(): it cannot be empty everywhere */
    assert_non_null(stream);
    assert_int_equal(fwrite(trace, 1, size_bytes, stream), size_bytes);
    rewind(stream);
    assert_int_equal(ft_decoder_new(write_line, &out->lines, &decoder), 0);
    out->status = ft_raw_read(stream, "trace", decoder, &ops, &out->err);
    if (!out->status) {
        assert_int_equal(ft_decoder_finish(decoder, &summary), 0);
        out->summary = *summary;
    }
    ft_decoder_free(decoder);
    free(ops);
    (void)fclose(stream);
}

/** One line that names the trace, why, and what to do. */
static void assert_refused(const char *trace, size_t size_bytes, int status, const char *reason)
{
    struct outcome outcome;
    read_trace(trace, size_bytes, &outcome);
    if (outcome.status != status)
        fail_msg("status %d instead of %d (%s)", outcome.status, status, outcome.err.text);
    assert_int_equal(outcome.err.code, status);
    const char *start = "cannot read the trace trace: ";
    assert_int_equal(strncmp(outcome.err.text, start, strlen(start)), 0);
    if (!strstr(outcome.err.text, reason))
        fail_msg("'%s' does not say '%s'", outcome.err.text, reason);
    assert_non_null(strchr(outcome.err.text, ';'));
    buf_fini(&outcome.lines);
}

static void comes_back(void **state)
{
    (void)state;
    size_t size_bytes;
    struct outcome outcome;
    char *trace = make_trace(&size_bytes);
    assert_int_equal(size_bytes % 8, 0);
    read_trace(trace, size_bytes, &outcome);
    assert_int_equal(outcome.status, 0);
    assert_string_equal(outcome.lines.data, "7 openat 1 0 /here/one\n7 openat 1 2 /two\n");
    assert_int_equal(outcome.summary.accesses, 2);
    assert_int_equal(outcome.summary.lost, 3);
    assert_int_equal(outcome.summary.exit_code, 42);
    assert_true(outcome.summary.kernel_guarantee);
    assert_false(outcome.summary.complete);
    buf_fini(&outcome.lines);
    free(trace);
}

static void is_written_as_documented(void **state)
{
    (void)state;
    size_t size_bytes;
    char *trace = make_trace(&size_bytes);
    struct ft_raw_head head;
    assert_int_equal(sizeof(head), 24);
    memcpy(&head, trace, sizeof(head));
    assert_memory_equal(trace, "\x1a\nftraw1", 8);
    assert_int_equal(head.version, 1);
    assert_int_equal(head.byte_order, 0x01020304);
    assert_int_equal(head.ops_bytes % 8, 0);
    assert_string_equal(trace + sizeof(head), "unknown");
    assert_string_equal(trace + sizeof(head) + sizeof("unknown"), "loader");
    /* The first record, by its offsets. */
    const char *record = trace + sizeof(head) + head.ops_bytes;
    uint32_t state_word, pid;
    uint16_t op, error, base_bytes, path_bytes, id;
    memcpy(&state_word, record, 4);
    memcpy(&pid, record + 4, 4);
    memcpy(&op, record + 8, 2);
    memcpy(&error, record + 10, 2);
    memcpy(&base_bytes, record + 12, 2);
    memcpy(&path_bytes, record + 14, 2);
    memcpy(&id, record + 18, 2);
    assert_int_equal(state_word, 0xf17e0000u | 32);
    assert_int_equal(pid, 7);
    assert_int_equal(op, FT_OP_openat);
    assert_int_equal(error, 0);
    assert_int_equal(base_bytes, 5);
    assert_int_equal(path_bytes, 3);
    assert_int_equal(record[16], FT_KIND_ACCESS);
    assert_int_equal(record[17], FT_READ);
    assert_int_equal(id, 0);
    assert_memory_equal(record + 20, "/hereone\0\0\0\0", 12);
    free(trace);
}

static void refuses_what_is_cut(void **state)
{
    (void)state;
    size_t size_bytes;
    char *trace = make_trace(&size_bytes);
    for (size_t cut = 0; cut < size_bytes; cut++)
        assert_refused(trace, cut, -EPROTO, ""); /* at every byte */
    assert_refused(trace, 0, -EPROTO, "not a raw trace of filetrace");
    assert_refused(trace, 23, -EPROTO, "not a raw trace of filetrace");
    assert_refused(trace, 30, -EPROTO, "its table of operations is damaged");
    assert_refused(trace, size_bytes - 1, -EPROTO, "cut short");
    assert_refused(trace, size_bytes - 48, -EPROTO, "cut short"); /* no summary */
    free(trace);
}

static void refuses_other_files(void **state)
{
    (void)state;
    static const char text[] = "{\"type\":\"access\",\"pid\":1}\n{\"type\":\"access\",\"pid\":2}\n";
    assert_refused(text, sizeof(text), -EPROTO, "not a raw trace of filetrace");
    char zeros[4096] = {0};
    assert_refused(zeros, sizeof(zeros), -EPROTO, "not a raw trace of filetrace");
}

static void refuses_what_comes_after(void **state)
{
    (void)state;
    size_t size_bytes;
    char *trace = make_trace(&size_bytes);
    char *longer = calloc(1, 2 * size_bytes);
    assert_non_null(longer);
    memcpy(longer, trace, size_bytes);
    for (size_t more = 1; more < 64; more++)
        assert_refused(longer, size_bytes + more, -EPROTO, "");
    memcpy(longer + size_bytes, trace, size_bytes); /* two traces in one file */
    assert_refused(longer, 2 * size_bytes, -EPROTO, "damaged in the middle");
    free(longer);
    free(trace);
}

static void refuses_other_versions(void **state)
{
    (void)state;
    size_t size_bytes;
    char *trace = make_trace(&size_bytes);
    struct ft_raw_head head;
    memcpy(&head, trace, sizeof(head));

    head.version = 2;
    memcpy(trace, &head, sizeof(head));
    assert_refused(trace, size_bytes, -ENOTSUP, "version 2, this filetrace reads 1");
    head.version = UINT32_MAX;
    memcpy(trace, &head, sizeof(head));
    assert_refused(trace, size_bytes, -ENOTSUP, "version 4294967295");
    free(trace);
}

/** As a machine of the other byte order writes it: every number turned round. */
static void refuses_the_other_byte_order(void **state)
{
    (void)state;
    size_t size_bytes;
    char *trace = make_trace(&size_bytes);
    struct ft_raw_head head;
    memcpy(&head, trace, sizeof(head));
    head.magic = __builtin_bswap64(head.magic);
    head.version = __builtin_bswap32(head.version);
    head.byte_order = __builtin_bswap32(head.byte_order);
    head.ops_bytes = __builtin_bswap32(head.ops_bytes);
    memcpy(trace, &head, sizeof(head));
    assert_refused(trace, size_bytes, -ENOTSUP, "another byte order");
    free(trace);
}

static void refuses_a_senseless_table(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {0, 1, 7, 65536 + 8, UINT32_MAX, UINT32_MAX - 7};
    size_t size_bytes;
    char *trace = make_trace(&size_bytes);
    struct ft_raw_head head;
    memcpy(&head, trace, sizeof(head));
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        head.ops_bytes = sizes[i];
        memcpy(trace, &head, sizeof(head));
        assert_refused(trace, size_bytes, -EPROTO, "its table of operations is damaged");
    }
    free(trace);
}

/** Any byte changed: an error, or a trace that says something else; never harm. */
static void survives_a_changed_byte(void **state)
{
    (void)state;
    static const unsigned char values[] = {0x00, 0xff};
    size_t size_bytes;
    char *trace = make_trace(&size_bytes);
    struct ft_raw_head head;
    memcpy(&head, trace, sizeof(head));
    size_t first = sizeof(head) + head.ops_bytes;
    for (size_t at = 0; at < size_bytes; at++) {
        if (at == sizeof(head) + 64)
            at = first - 64; /* the middle of the table is like its ends */
        for (size_t i = 0; i < sizeof(values); i++) {
            struct outcome outcome;
            unsigned char old = (unsigned char)trace[at];
            trace[at] = (char)values[i];
            read_trace(trace, size_bytes, &outcome);
            assert_true(outcome.status == 0 || outcome.status == -EPROTO ||
                        outcome.status == -ENOTSUP);
            /* The first word of the first record: its mark and size. */
            if (at >= first && at < first + 4 && values[i] != old)
                assert_int_equal(outcome.status, -EPROTO);
            buf_fini(&outcome.lines);
            trace[at] = (char)old;
        }
    }
    free(trace);
}

/** Lengths that no path has would not fit where paths are joined. */
static void refuses_forged_lengths(void **state)
{
    (void)state;
    size_t size_bytes;
    char *trace = make_trace(&size_bytes), *forged = malloc(size_bytes + 65528);
    struct ft_raw_head raw;
    assert_non_null(forged);
    memcpy(&raw, trace, sizeof(raw));
    size_t first = sizeof(raw) + raw.ops_bytes;
    memcpy(forged, trace, first);
    memset(forged + first, 'x', 65528);
    memcpy(forged + first + 65528, trace + first, size_bytes - first);
    const struct ft_record head = {.state = FT_STATE_COMMITTED | 65528,
                                   .pid = 7,
                                   .kind = FT_KIND_ACCESS,
                                   .base_bytes = 32000,
                                   .path_bytes = 33000};
    memcpy(forged + first, &head, FT_RECORD_HEAD_BYTES);
    assert_refused(forged, size_bytes + 65528, -EPROTO, "damaged in the middle");
    free(forged);
    free(trace);
}

/** More than one reading's worth, so that records stand across its edges. */
static void reads_what_is_larger_than_its_room(void **state)
{
    (void)state;
    enum { COUNT = 60000 };
    char *trace = NULL, *name = calloc(1, 200);
    size_t size_bytes;
    struct buf records;
    assert_non_null(name);
    buf_init(&records, 64u << 20);
    for (uint32_t i = 0; i < COUNT; i++) {
        const struct ft_record head = {.pid = 1 + i, .kind = FT_KIND_START};
        memset(name, 'n', i % 199);
        name[0] = '/';
        name[1 + i % 199] = '\0';
        record_put(&records, head, "", name);
    }
    FILE *stream = open_memstream(&trace, &size_bytes);
    assert_non_null(stream);
    assert_int_equal(ft_raw_write_head(stream), 0);
    assert_int_equal(ft_raw_write_records(stream, (const void *)records.data, records.size_bytes),
                     0);
    assert_int_equal(ft_raw_write_summary(stream, &end), 0);
    assert_int_equal(fclose(stream), 0);
    assert_true(size_bytes > 4u << 20);

    struct outcome outcome;
    read_trace(trace, size_bytes, &outcome);
    assert_int_equal(outcome.status, 0);
    assert_int_equal(outcome.summary.processes, COUNT);
    buf_fini(&outcome.lines);
    buf_fini(&records);
    free(name);
    free(trace);
}

static void says_when_it_cannot_be_written(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_int_equal(setvbuf(full, NULL, _IONBF, 0), 0);
    assert_int_equal(ft_raw_write_head(full), -ENOSPC);
    assert_int_equal(ft_raw_write_summary(full, &end), -ENOSPC);
    (void)fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back),
        cmocka_unit_test(is_written_as_documented),
        cmocka_unit_test(refuses_what_is_cut),
        cmocka_unit_test(refuses_other_files),
        cmocka_unit_test(refuses_what_comes_after),
        cmocka_unit_test(refuses_other_versions),
        cmocka_unit_test(refuses_the_other_byte_order),
        cmocka_unit_test(refuses_a_senseless_table),
        cmocka_unit_test(survives_a_changed_byte),
        cmocka_unit_test(refuses_forged_lengths),
        cmocka_unit_test(reads_what_is_larger_than_its_room),
        cmocka_unit_test(says_when_it_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
