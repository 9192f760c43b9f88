/* SPDX-License-Identifier: MIT */
/* From records in any order, honest or forged, to accesses and a summary. */
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

#include "common/wtf8.h"
#include "tests/unit/tracer/records.h"
#include "tracer/ops.h"
#include "tracer/trace.h"

/** A decoder, records for it, and what it passed on, a line an access. */
struct fixture {
    struct ft_decoder *decoder;
    struct buf records, lines;
    int status; /* of the sink */
};

static int write_line(void *context, const struct ft_access *access)
{
    struct fixture *fixture = context;
    assert_int_equal(strlen(access->path), access->path_bytes);
    (void)buf_printf(&fixture->lines, "%lu %s %u %u %s\n", (unsigned long)access->pid, access->op,
                     access->access, access->error, access->path);
    return fixture->status;
}

static int set_up(void **state)
{
    static struct fixture fixture;
    fixture = (struct fixture){0};
    buf_init(&fixture.records, 64u << 20);
    buf_init(&fixture.lines, 64u << 20);
    *state = &fixture;
    return ft_decoder_new(write_line, &fixture, &fixture.decoder);
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    ft_decoder_free(fixture->decoder);
    buf_fini(&fixture->records);
    buf_fini(&fixture->lines);
    return 0;
}

static void access_put(struct fixture *fixture, const char *base, const char *path)
{
    const struct ft_record head = {
        .pid = 7, .op = FT_OP_open, .kind = FT_KIND_ACCESS, .access = FT_READ};
    record_put(&fixture->records, head, base, path);
}

static void attempt_put(struct fixture *fixture, uint32_t pid, uint16_t id, unsigned access)
{
    const struct ft_record head = {.pid = pid,
                                   .op = FT_OP_execve,
                                   .id = id,
                                   .kind = FT_KIND_ATTEMPT,
                                   .access = (uint8_t)access};
    record_put(&fixture->records, head, "/bin", "x");
}

static void result_put(struct fixture *fixture, uint32_t pid, uint16_t id, uint16_t error)
{
    const struct ft_record head = {.pid = pid, .id = id, .kind = FT_KIND_RESULT, .error = error};
    record_put(&fixture->records, head, "", "");
}

static void kind_put(struct fixture *fixture, enum ft_kind kind, uint32_t pid, uint16_t error,
                     const char *path)
{
    const struct ft_record head = {.pid = pid,
                                   .op = FT_OP_loader,
                                   .kind = (uint8_t)kind,
                                   .error = error,
                                   .access =
                                       FT_READ | (kind == FT_KIND_EXPECT ? FT_EXPECT_START : 0)};
    record_put(&fixture->records, head, "", path);
}

/** Feed what was put, in memory of its exact size. */
static int feed(struct fixture *fixture)
{
    size_t size_bytes = fixture->records.size_bytes;
    char *exact = malloc(size_bytes ? size_bytes : 1);
    assert_non_null(exact);
    assert_int_equal(buf_status(&fixture->records), 0);
    memcpy(exact, fixture->records.data, size_bytes);
    buf_clear(&fixture->records);
    int ret =
        ft_decoder_feed(fixture->decoder, (const struct ft_record *)(void *)exact, size_bytes);
    free(exact);
    return ret;
}

static const struct ft_summary *finish(struct fixture *fixture)
{
    struct ft_summary *summary;
    assert_int_equal(ft_decoder_finish(fixture->decoder, &summary), 0);
    return summary;
}

static const char *lines(const struct fixture *fixture)
{
    return fixture->lines.data ? fixture->lines.data : "";
}

static void joins_and_counts(void **state)
{
    struct fixture *fixture = *state;
    access_put(fixture, "", "/etc/passwd");
    access_put(fixture, "/here/x", "../a//b");
    access_put(fixture, "/here", "/c");
    assert_int_equal(feed(fixture), 0);
    const struct ft_summary *summary = finish(fixture);
    assert_string_equal(lines(fixture),
                        "7 open 1 0 /etc/passwd\n7 open 1 0 /here/a/b\n7 open 1 0 /c\n");
    assert_int_equal(summary->accesses, 3);
    assert_int_equal(summary->processes, 1);
    assert_true(summary->complete);
    assert_int_equal(summary->incomplete_count, 0);
}

static void takes_a_failure_before_or_after_its_attempt(void **state)
{
    struct fixture *fixture = *state;
    attempt_put(fixture, 7, 1, FT_READ);
    attempt_put(fixture, 7, 2, FT_READ);
    attempt_put(fixture, 8, 1, FT_READ);
    result_put(fixture, 7, 1, ENOENT);
    result_put(fixture, 8, 2, EACCES); /* comes before its attempt */
    assert_int_equal(feed(fixture), 0);
    assert_string_equal(lines(fixture), "7 execve 1 2 /bin/x\n");
    attempt_put(fixture, 8, 2, FT_READ);
    assert_int_equal(feed(fixture), 0);
    assert_string_equal(lines(fixture), "7 execve 1 2 /bin/x\n8 execve 1 13 /bin/x\n");
    /* The others are executed: nobody can tell more. */
    assert_int_equal(finish(fixture)->accesses, 4);
    assert_string_equal(lines(fixture), "7 execve 1 2 /bin/x\n8 execve 1 13 /bin/x\n"
                                        "7 execve 1 0 /bin/x\n8 execve 1 0 /bin/x\n");
}

static void takes_an_id_that_comes_again(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < 3; i++) {
        attempt_put(fixture, 7, 1, FT_READ);
        result_put(fixture, 7, 1, (uint16_t)(ENOENT + i));
    }
    assert_int_equal(feed(fixture), 0);
    assert_string_equal(lines(fixture),
                        "7 execve 1 2 /bin/x\n7 execve 1 3 /bin/x\n7 execve 1 4 /bin/x\n");
}

static void misses_images_that_do_not_start(void **state)
{
    struct fixture *fixture = *state;
    attempt_put(fixture, 7, 1, FT_READ | FT_EXPECT_START);
    attempt_put(fixture, 7, 2, FT_READ | FT_EXPECT_START);
    attempt_put(fixture, 7, 3, FT_READ); /* goes the other way: nothing expected */
    kind_put(fixture, FT_KIND_START, 7, 0, "/bin/x");
    kind_put(fixture, FT_KIND_EXPECT, 8, 0, "/bin/y");
    kind_put(fixture, FT_KIND_EXPECT, 9, 0, "/bin/z");
    kind_put(fixture, FT_KIND_START, 9, 0, "/bin/z");
    assert_int_equal(feed(fixture), 0);
    const struct ft_summary *summary = finish(fixture);
    assert_false(summary->complete);
    assert_int_equal(summary->incomplete_total, 2);
    assert_int_equal(summary->incomplete[0].pid, 7);
    assert_int_equal(summary->incomplete[0].reason, FT_REASON_NOT_ENTERED);
    assert_string_equal(summary->incomplete[0].image, "/bin/x");
    assert_int_equal(summary->incomplete[1].pid, 8);
    assert_string_equal(summary->incomplete[1].image, "/bin/y");
    assert_int_equal(summary->processes, 3);
}

static void takes_a_start_before_its_attempt(void **state)
{
    struct fixture *fixture = *state;
    kind_put(fixture, FT_KIND_START, 7, 0, "/bin/x");
    attempt_put(fixture, 7, 1, FT_READ | FT_EXPECT_START);
    kind_put(fixture, FT_KIND_START, 8, 0, "/bin/y");
    kind_put(fixture, FT_KIND_EXPECT, 8, 0, "/bin/y");
    assert_int_equal(feed(fixture), 0);
    assert_true(finish(fixture)->complete);
}

/** A failed exec needs no start. */
static void expects_nothing_of_a_failure(void **state)
{
    struct fixture *fixture = *state;
    attempt_put(fixture, 7, 1, FT_READ | FT_EXPECT_START);
    result_put(fixture, 7, 1, ENOENT);
    assert_int_equal(feed(fixture), 0);
    assert_true(finish(fixture)->complete);
    assert_string_equal(lines(fixture), "7 execve 1 2 /bin/x\n");
}

static void passes_reasons_on(void **state)
{
    struct fixture *fixture = *state;
    kind_put(fixture, FT_KIND_NOTE, 7, FT_REASON_SETUID, "/bin/su");
    kind_put(fixture, FT_KIND_NOTE, 7, FT_REASON_SETUID, "/bin/su"); /* told once */
    kind_put(fixture, FT_KIND_NOTE, 7, FT_REASON_IO_URING, "");
    kind_put(fixture, FT_KIND_NOTE, 8, 60000, "/forged");
    assert_int_equal(feed(fixture), 0);
    ft_decoder_add_reason(fixture->decoder, 0, FT_REASON_LOST, NULL);
    const struct ft_summary *summary = finish(fixture);
    assert_false(summary->complete);
    assert_int_equal(summary->incomplete_count, 4);
    assert_string_equal(summary->incomplete[0].image, "/bin/su");
    assert_int_equal(summary->incomplete[1].reason, FT_REASON_IO_URING);
    assert_null(summary->incomplete[1].image);
    assert_string_equal(ft_reason_name(summary->incomplete[2].reason), "unknown");
    assert_null(summary->incomplete[3].image);
    assert_string_equal(lines(fixture), "");
}

static void keeps_a_bounded_number_of_reasons(void **state)
{
    struct fixture *fixture = *state;
    for (uint32_t pid = 1; pid <= FT_INCOMPLETE_MAX + 50; pid++)
        kind_put(fixture, FT_KIND_NOTE, pid, FT_REASON_SETUID, "/bin/su");
    assert_int_equal(feed(fixture), 0);
    const struct ft_summary *summary = finish(fixture);
    assert_int_equal(summary->incomplete_count, FT_INCOMPLETE_MAX);
    assert_int_equal(summary->incomplete_total, FT_INCOMPLETE_MAX + 50);
}

static void says_when_a_folder_is_not_known(void **state)
{
    struct fixture *fixture = *state;
    access_put(fixture, "", "x");
    assert_int_equal(feed(fixture), 0);
    const struct ft_summary *summary = finish(fixture);
    assert_string_equal(lines(fixture), "7 open 1 0 x\n");
    assert_int_equal(summary->incomplete[0].reason, FT_REASON_PATH_UNKNOWN);
    assert_string_equal(summary->incomplete[0].image, "x");
}

static void takes_the_end_from_its_record(void **state)
{
    struct fixture *fixture = *state;
    const struct ft_raw_summary end = {
        .lost = 5, .exit_code = -1, .exit_signal = 9, .kernel_guarantee = 1, .torn = 1};
    ft_decoder_set_end(fixture->decoder, &end);
    const struct ft_summary *summary = finish(fixture);
    assert_int_equal(summary->lost, 5);
    assert_int_equal(summary->exit_signal, 9);
    assert_int_equal(summary->exit_code, -1);
    assert_true(summary->kernel_guarantee);
    assert_false(summary->complete);
    assert_int_equal(summary->incomplete[0].reason, FT_REASON_LOST);
    assert_int_equal(summary->incomplete[1].reason, FT_REASON_KILLED);
    /* A record of another size is not ours. */
    kind_put(fixture, FT_KIND_SUMMARY, 0, 0, "short");
    assert_int_equal(feed(fixture), 0);
    assert_int_equal(finish(fixture)->lost, 5);
}

static void takes_forged_records(void **state)
{
    struct fixture *fixture = *state;
    const struct ft_record strange = {
        .pid = 7, .op = 60000, .error = 60000, .kind = FT_KIND_ACCESS, .access = 0xb9};
    record_put(&fixture->records, strange, "", "/x");
    for (unsigned kind = 0; kind < 256; kind++)
        kind_put(fixture, (enum ft_kind)kind, 0, 1, "/pid-0");
    kind_put(fixture, (enum ft_kind)99, 7, 0, "/no-such-kind");
    assert_int_equal(feed(fixture), 0);
    const struct ft_summary *summary = finish(fixture);
    assert_string_equal(lines(fixture), "7 unknown 1 60000 /x\n");
    assert_false(summary->complete);
    assert_int_equal(summary->incomplete[0].reason, FT_REASON_LOST);
}

/** The longest folder and path that a record has room for are longer than any path. */
static void takes_forged_lengths(void **state)
{
    struct fixture *fixture = *state;
    enum { SIZE = 65528 };
    char *data = malloc(SIZE);
    assert_non_null(data);
    memset(data, 'x', SIZE);
    struct ft_record head = {.state = FT_STATE_COMMITTED | SIZE,
                             .pid = 7,
                             .op = FT_OP_open,
                             .kind = FT_KIND_ACCESS,
                             .access = FT_READ};
    static const uint16_t lengths[][2] = {{32000, 33000}, {65508, 0}, {0, 65508}, {32769, 1},
                                          {1, 4097},      {65535, 1}, {1, 65535}, {32768, 4096}};
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        head.base_bytes = lengths[i][0];
        head.path_bytes = lengths[i][1];
        memcpy(data, &head, FT_RECORD_HEAD_BYTES);
        assert_int_equal(
            ft_decoder_feed(fixture->decoder, (const struct ft_record *)(void *)data, SIZE), 0);
    }
    free(data);
    /* Only the last one could be a path. */
    assert_int_equal(finish(fixture)->accesses, 1);
    assert_int_equal(fixture->lines.size_bytes, strlen("7 open 1 0 \n") + 32768 + 1 + 4096);
}

static void ends_a_path_at_its_nul(void **state)
{
    struct fixture *fixture = *state;
    access_put(fixture, "/base", "name/of-more");
    char *nul = memchr(fixture->records.data, 'n', fixture->records.size_bytes);
    assert_non_null(nul);
    nul[4] = '\0';
    assert_int_equal(feed(fixture), 0);
    (void)finish(fixture);
    assert_string_equal(lines(fixture), "7 open 1 0 /base/name\n");
}

enum { MORE_THAN_ARE_KEPT = 70000 };

static void waits_for_a_bounded_number_of_results(void **state)
{
    struct fixture *fixture = *state;
    for (uint32_t i = 0; i < MORE_THAN_ARE_KEPT; i++)
        attempt_put(fixture, 1 + i, 1, FT_READ);
    assert_int_equal(feed(fixture), 0);
    assert_true(fixture->lines.size_bytes > 0); /* the oldest are given up waiting for */
    assert_int_equal(finish(fixture)->accesses, MORE_THAN_ARE_KEPT);
}

static void keeps_a_bounded_number_of_results(void **state)
{
    struct fixture *fixture = *state;
    for (uint32_t i = 0; i < MORE_THAN_ARE_KEPT; i++)
        result_put(fixture, 1 + i, 1, ENOENT);
    attempt_put(fixture, 1, 1, FT_READ);
    assert_int_equal(feed(fixture), 0);
    assert_string_equal(lines(fixture), "1 execve 1 2 /bin/x\n");
    assert_int_equal(finish(fixture)->accesses, 1);
}

static void translates_operations(void **state)
{
    struct fixture *fixture = *state;
    static const char names[] = "unknown\0newcall\0\0\0";
    struct ft_record head = {.pid = 7, .op = 1, .kind = FT_KIND_ACCESS, .access = FT_LIST};
    assert_int_equal(ft_decoder_set_ops(fixture->decoder, names, sizeof(names) - 1), 0);
    record_put(&fixture->records, head, "", "/a");
    head.op = 50;
    record_put(&fixture->records, head, "", "/b");
    assert_int_equal(feed(fixture), 0);
    assert_string_equal(lines(fixture), "7 newcall 4 0 /a\n7 unknown 4 0 /b\n");
}

static void refuses_senseless_operations(void **state)
{
    struct fixture *fixture = *state;
    static char many[4096];
    assert_int_equal(ft_decoder_set_ops(fixture->decoder, "", 0), -EPROTO);
    assert_int_equal(ft_decoder_set_ops(fixture->decoder, "open", 4), -EPROTO); /* no NUL */
    assert_int_equal(ft_decoder_set_ops(fixture->decoder, many, sizeof(many)), -EPROTO);
    /* They are printed as they are. */
    static const char *const forged[] = {"a\"b", "a\nb", "a\\", "\x1b[2J", "\xff", "a b"};
    for (size_t i = 0; i < sizeof(forged) / sizeof(forged[0]); i++)
        assert_int_equal(ft_decoder_set_ops(fixture->decoder, forged[i], strlen(forged[i]) + 1),
                         -EPROTO);
}

static void passes_on_what_the_sink_says(void **state)
{
    struct fixture *fixture = *state;
    fixture->status = -ENOSPC;
    access_put(fixture, "", "/a");
    access_put(fixture, "", "/b");
    assert_int_equal(feed(fixture), -ENOSPC);
    assert_string_equal(lines(fixture), "7 open 1 0 /a\n");
    attempt_put(fixture, 7, 1, FT_READ);
    assert_int_equal(feed(fixture), 0);
    struct ft_summary *summary;
    assert_int_equal(ft_decoder_finish(fixture->decoder, &summary), -ENOSPC);
}

static void count_process(void *context, uint32_t pid)
{
    uint64_t *sum = context;
    *sum += pid;
}

static void names_each_process_once(void **state)
{
    struct fixture *fixture = *state;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 1000; i++)
        kind_put(fixture, FT_KIND_START, 1 + i % 100, 0, "/bin/x");
    assert_int_equal(feed(fixture), 0);
    ft_decoder_each_process(fixture->decoder, count_process, &sum);
    assert_int_equal(sum, 5050);
    assert_int_equal(finish(fixture)->processes, 100);
}

static void counts_without_a_sink(void **state)
{
    struct fixture *fixture = *state;
    struct ft_summary *summary;
    ft_decoder_free(fixture->decoder);
    assert_int_equal(ft_decoder_new(NULL, NULL, &fixture->decoder), 0);
    access_put(fixture, "", "/a");
    attempt_put(fixture, 7, 1, FT_READ);
    assert_int_equal(feed(fixture), 0);
    assert_int_equal(ft_decoder_finish(fixture->decoder, &summary), 0);
    assert_int_equal(summary->accesses, 2);
    ft_decoder_free(NULL);
}

/* Only a program that forges records has so many execs under way with such names. */
static void holds_back_little(void **state)
{
    static char folder[FT_BASE_MAX];
    struct fixture *fixture = *state;
    memset(folder, 'a', sizeof(folder) - 1);
    folder[0] = '/';
    const size_t attempts = (64u << 20) / sizeof(folder) + 1;
    for (size_t i = 0; i < attempts; i++) {
        const struct ft_record head = {
            .pid = 7, .op = FT_OP_execve, .id = (uint16_t)i, .kind = FT_KIND_ATTEMPT};
        buf_clear(&fixture->records);
        record_put(&fixture->records, head, folder, "x");
        assert_int_equal(ft_decoder_feed(fixture->decoder,
                                         (const struct ft_record *)fixture->records.data,
                                         fixture->records.size_bytes),
                         0);
        if (i < attempts / 2)
            assert_int_equal(fixture->lines.size_bytes, 0);
    }
    assert_true(fixture->lines.size_bytes > 0); /* the oldest did not wait any longer */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/** A record with names in the NT kernel's name space. */
static void nt_put(struct fixture *fixture, enum ft_kind kind, enum ft_op op, const char *base,
                   const char *path)
{
    uint16_t units[2][256];
    size_t count[2];
    const char *const texts[] = {base, path};
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(wtf8_to_utf16(texts[i], strlen(texts[i]), units[i], &count[i]), 0);
    struct ft_record head = {.pid = kind == FT_KIND_DEVICE ? 0 : 7,
                             .op = (uint16_t)op,
                             .kind = (uint8_t)kind,
                             .access = FT_READ | FT_NT_NAMES};
    record_put_bytes(&fixture->records, head, (const char *)units[0], 2 * count[0],
                     (const char *)units[1], 2 * count[1]);
}

static void maps_the_names_of_windows(void **state)
{
    struct fixture *fixture = *state;
    nt_put(fixture, FT_KIND_DEVICE, FT_OP_NONE, "\\Device\\HarddiskVolume3", "C:");
    nt_put(fixture, FT_KIND_START, FT_OP_loader, "", "\\??\\C:\\x.exe");
    nt_put(fixture, FT_KIND_ACCESS, FT_OP_NtCreateFile, "", "\\??\\c:\\dir\\f\xed\xa0\xbd");
    nt_put(fixture, FT_KIND_ACCESS, FT_OP_NtOpenFile, "\\Device\\HarddiskVolume3\\dir", "f");
    nt_put(fixture, FT_KIND_ACCESS, FT_OP_NtCreateFile, "", "\\??\\pipe\\x");
    assert_int_equal(feed(fixture), 0);
    const struct ft_summary *summary = finish(fixture);
    assert_string_equal(lines(fixture), "7 loader 1 0 C:\\x.exe\n"
                                        "7 NtCreateFile 1 0 C:\\dir\\f\xed\xa0\xbd\n"
                                        "7 NtOpenFile 1 0 C:\\dir\\f\n");
    assert_int_equal(summary->accesses, 3); /* a pipe is no file */
    assert_int_equal(summary->processes, 1);
    assert_true(summary->complete);
}

static void says_when_a_name_of_windows_is_not_whole(void **state)
{
    struct fixture *fixture = *state;
    nt_put(fixture, FT_KIND_ACCESS, FT_OP_NtOpenFile, "", "f");
    nt_put(fixture, FT_KIND_NOTE, FT_OP_loader, "", "\\??\\C:\\x.exe");
    assert_int_equal(feed(fixture), 0);
    const struct ft_summary *summary = finish(fixture);
    assert_false(summary->complete);
    assert_int_equal(summary->incomplete_count, 2);
    assert_int_equal(summary->incomplete[0].reason, FT_REASON_PATH_UNKNOWN);
    assert_string_equal(summary->incomplete[0].image, "f");
    assert_string_equal(summary->incomplete[1].image, "C:\\x.exe");
}

static void takes_forged_devices(void **state)
{
    struct fixture *fixture = *state;
    char name[FT_BASE_MAX];
    memset(name, 'x', sizeof(name));
    struct ft_record head = {.kind = FT_KIND_DEVICE, .access = FT_NT_NAMES};
    record_put_bytes(&fixture->records, head, name, sizeof(name), "C\0:", 4);
    record_put_bytes(&fixture->records, head, "\\\0X", 4, name, FT_PATH_MAX);
    record_put_bytes(&fixture->records, head, "", 0, "", 0);
    for (int i = 0; i < 100; i++) /* more than there is room for */
        nt_put(fixture, FT_KIND_DEVICE, FT_OP_NONE, "\\Device\\Y", "Y:");
    nt_put(fixture, FT_KIND_ACCESS, FT_OP_NtOpenFile, "", "\\Device\\Y\\f");
    /* an odd length of the folder: names begin at any address */
    head = (struct ft_record){
        .pid = 7, .op = FT_OP_NtOpenFile, .kind = FT_KIND_ACCESS, .access = FT_READ | FT_NT_NAMES};
    record_put_bytes(&fixture->records, head, "Y\0:\0\\\0?", 7, "f", 2);
    assert_int_equal(feed(fixture), 0);
    (void)finish(fixture);
    assert_string_equal(lines(fixture), "7 NtOpenFile 1 0 Y:\\f\n7 NtOpenFile 1 0 Y:\\f\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(joins_and_counts),
        TEST(takes_a_failure_before_or_after_its_attempt),
        TEST(takes_an_id_that_comes_again),
        TEST(misses_images_that_do_not_start),
        TEST(takes_a_start_before_its_attempt),
        TEST(expects_nothing_of_a_failure),
        TEST(passes_reasons_on),
        TEST(keeps_a_bounded_number_of_reasons),
        TEST(says_when_a_folder_is_not_known),
        TEST(takes_the_end_from_its_record),
        TEST(takes_forged_records),
        TEST(takes_forged_lengths),
        TEST(ends_a_path_at_its_nul),
        TEST(waits_for_a_bounded_number_of_results),
        TEST(holds_back_little),
        TEST(keeps_a_bounded_number_of_results),
        TEST(translates_operations),
        TEST(refuses_senseless_operations),
        TEST(passes_on_what_the_sink_says),
        TEST(names_each_process_once),
        TEST(counts_without_a_sink),
        TEST(maps_the_names_of_windows),
        TEST(says_when_a_name_of_windows_is_not_whole),
        TEST(takes_forged_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
