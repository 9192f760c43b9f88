/* SPDX-License-Identifier: MIT */
/* What is printed: no name can forge a record, and every byte can be had back. */
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

#include "common/compiler.h"
#include "tracer/print.h"

/** A printer and what it has printed. */
struct printed {
    struct ft_printer *printer;
    FILE *stream;
    char *text;
    size_t size_bytes;
};

static void start(struct printed *printed, enum ft_format format, bool all)
{
    *printed = (struct printed){0};
    printed->stream = open_memstream(&printed->text, &printed->size_bytes);
    assert_non_null(printed->stream);
    assert_int_equal(ft_printer_new(printed->stream, format, all, &printed->printer), 0);
}

static void print(struct printed *printed, const struct ft_access *access)
{
    assert_int_equal(ft_printer_access(printed->printer, access), 0);
}

static void assert_printed(struct printed *printed, const char *expected, size_t expected_bytes)
{
    assert_int_equal(fclose(printed->stream), 0);
    ft_printer_free(printed->printer);
    if (printed->size_bytes != expected_bytes || memcmp(printed->text, expected, expected_bytes))
        fail_msg("printed '%s' instead of '%s'", printed->text, expected);
    free(printed->text);
}

static struct ft_access access_to(const char *path)
{
    return (struct ft_access){
        .pid = 7, .op = "openat", .access = FT_READ, .path = path, .path_bytes = strlen(path)};
}

static void assert_one(enum ft_format format, const struct ft_access *access, const char *expected)
{
    struct printed printed;
    start(&printed, format, false);
    print(&printed, access);
    assert_printed(&printed, expected, strlen(expected));
}

static void finds_formats(void **state)
{
    (void)state;
    static const char *const names[] = {"text", "json", "nul", "raw"};
    static const char *const wrong[] = {"", "TEXT", "text ", "jsonl", "x"};
    enum ft_format format;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        assert_int_equal(ft_format_parse(names[i], &format), 0);
        assert_int_equal(format, FT_FORMAT_TEXT + i);
    }
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        assert_int_equal(ft_format_parse(wrong[i], &format), -EINVAL);
}

static void prints_text(void **state)
{
    (void)state;
    struct ft_access access = access_to("/a b");
    assert_one(FT_FORMAT_TEXT, &access, "read\t/a b\t-\n");
    access.access = FT_READ | FT_WRITE;
    access.error = ENOENT;
    assert_one(FT_FORMAT_TEXT, &access, "read,write\t/a b\tENOENT\n");
    access.access = FT_LIST;
    access.error = FT_ERROR_UNKNOWN;
    assert_one(FT_FORMAT_TEXT, &access, "list\t/a b\t?\n");
    access.error = 3999;
    assert_one(FT_FORMAT_TEXT, &access, "list\t/a b\t3999\n");
}

static void escapes_text(void **state)
{
    (void)state;
    static const struct {
        const char *path, *printed;
    } cases[] = {
        {"/a\nread\t/forged\t-", "/a\\nread\\t/forged\\t-"},
        {"/a\\n", "/a\\\\n"},
        {"/\r\x1b[2J\x7f\x01", "/\\r\\033[2J\\177\\001"},
        {"/\xc3\xa9\xff", "/\xc3\xa9\xff"},
        {"/a\0011", "/a\\0011"}, /* three digits, so that the next one is no part of it */
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char expected[100];
        const struct ft_access access = access_to(cases[i].path);
        (void)snprintf(expected, sizeof(expected), "read\t%s\t-\n", cases[i].printed);
        assert_one(FT_FORMAT_TEXT, &access, expected);
    }
    /* Whatever the byte, a record is a line of three fields. */
    for (int byte = 1; byte < 256; byte++) {
        const char path[] = {'/', (char)byte, 'x', '\0'};
        const struct ft_access access = access_to(path);
        struct printed printed;
        start(&printed, FT_FORMAT_TEXT, false);
        print(&printed, &access);
        assert_int_equal(fflush(printed.stream), 0);
        size_t tabs = 0, newlines = 0;
        for (size_t i = 0; i < printed.size_bytes; i++) {
            tabs += printed.text[i] == '\t';
            newlines += printed.text[i] == '\n';
        }
        assert_int_equal(tabs, 2);
        assert_int_equal(newlines, 1);
        assert_int_equal(fclose(printed.stream), 0);
        ft_printer_free(printed.printer);
        free(printed.text);
    }
}

#define JSON_HEAD "{\"type\":\"access\",\"pid\":7,\"op\":\"openat\",\"access\":[\"read\"],"

static void prints_json(void **state)
{
    (void)state;
    struct ft_access access = access_to("/a b");
    assert_one(FT_FORMAT_JSON, &access, JSON_HEAD "\"path\":\"/a b\",\"error\":null}\n");
    access.error = EACCES;
    assert_one(FT_FORMAT_JSON, &access, JSON_HEAD "\"path\":\"/a b\",\"error\":\"EACCES\"}\n");
    access.error = FT_ERROR_UNKNOWN;
    assert_one(FT_FORMAT_JSON, &access, JSON_HEAD "\"path\":\"/a b\",\"error\":\"unknown\"}\n");
    access.error = 0;
    access.pid = UINT32_MAX;
    access.access = FT_READ | FT_WRITE | FT_LIST;
    assert_one(FT_FORMAT_JSON, &access,
               "{\"type\":\"access\",\"pid\":4294967295,\"op\":\"openat\","
               "\"access\":[\"read\",\"write\",\"list\"],\"path\":\"/a b\",\"error\":null}\n");
    access.access = 0;
    access.pid = 7;
    assert_one(FT_FORMAT_JSON, &access,
               "{\"type\":\"access\",\"pid\":7,\"op\":\"openat\","
               "\"access\":[],\"path\":\"/a b\",\"error\":null}\n");
}

static void escapes_json(void **state)
{
    (void)state;
    static const struct {
        const char *path, *printed;
    } cases[] = {
        {"/\"\\", "\"path\":\"/\\\"\\\\\""},
        {"/\n\t\x01\x7f", "\"path\":\"/\\u000a\\u0009\\u0001\\u007f\""},
        {"/\xc3\xa9\xf0\x9f\x98\x80", "\"path\":\"/\xc3\xa9\xf0\x9f\x98\x80\""},
        /* Not UTF-8: all bytes, as base64 with its padding (RFC 4648). */
        {"/\xff", "\"path_base64\":\"L/8=\""},
        {"/\xff\xfe", "\"path_base64\":\"L//+\""},
        {"\x80", "\"path_base64\":\"gA==\""},
        {"/a\xed\xa0\x80", "\"path_base64\":\"L2HtoIA=\""},
        {"/\xc0\xaf\"", "\"path_base64\":\"L8CvIg==\""},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char expected[200];
        const struct ft_access access = access_to(cases[i].path);
        (void)snprintf(expected, sizeof(expected), JSON_HEAD "%s,\"error\":null}\n",
                       cases[i].printed);
        assert_one(FT_FORMAT_JSON, &access, expected);
    }
}

static void prints_nul(void **state)
{
    (void)state;
    struct printed printed;
    struct ft_access access = access_to("/a\n\t\\\xff");
    start(&printed, FT_FORMAT_NUL, false);
    print(&printed, &access);
    access.path = "/b";
    access.path_bytes = 2;
    access.access = FT_READ | FT_WRITE;
    access.error = ENOENT;
    print(&printed, &access);
    static const char expected[] = "read\0/a\n\t\\\xff\0-\0read,write\0/b\0ENOENT";
    assert_printed(&printed, expected, sizeof(expected));
}

static void drops_repeats(void **state)
{
    (void)state;
    struct printed printed;
    struct ft_access access = access_to("/a"), other = access;
    start(&printed, FT_FORMAT_TEXT, false);
    print(&printed, &access);
    print(&printed, &access);
    other.pid = 8;
    print(&printed, &other);
    print(&printed, &access);
    static const char once[] = "read\t/a\t-\nread\t/a\t-\n";
    assert_printed(&printed, once, strlen(once));

    start(&printed, FT_FORMAT_TEXT, true);
    print(&printed, &access);
    print(&printed, &access);
    print(&printed, &access);
    static const char all[] = "read\t/a\t-\nread\t/a\t-\nread\t/a\t-\n";
    assert_printed(&printed, all, strlen(all));
}

static void assert_summary(const struct ft_summary *summary, enum ft_format format,
                           const char *expected)
{
    struct printed printed;
    start(&printed, format, false);
    assert_int_equal(ft_printer_summary(printed.printer, summary), 0);
    assert_printed(&printed, expected, strlen(expected));
}

static void prints_the_summary(void **state)
{
    (void)state;
    static char su[] = "/bin/su", odd[] = "/\xff";
    struct ft_summary summary = {.accesses = 12, .processes = 2, .complete = true};
    assert_summary(&summary, FT_FORMAT_TEXT, "");
    assert_summary(&summary, FT_FORMAT_NUL, "");
    assert_summary(&summary, FT_FORMAT_JSON,
                   "{\"type\":\"summary\",\"accesses\":12,\"lost\":0,\"processes\":2,"
                   "\"complete\":true,\"guarantee\":\"calls\",\"incomplete_because\":[],"
                   "\"root_exit\":{\"code\":0}}\n");
    summary.complete = false;
    summary.kernel_guarantee = true;
    summary.lost = UINT64_MAX;
    summary.exit_code = -1;
    summary.exit_signal = 9;
    struct ft_incomplete incomplete[] = {
        {.pid = 1, .reason = FT_REASON_SETUID, .image = su},
        {.pid = 2, .reason = FT_REASON_NOT_ENTERED, .image = odd},
        {.reason = FT_REASON_LOST},
    };
    summary.incomplete = incomplete;
    summary.incomplete_count = 3;
    assert_summary(&summary, FT_FORMAT_JSON,
                   "{\"type\":\"summary\",\"accesses\":12,\"lost\":18446744073709551615,"
                   "\"processes\":2,\"complete\":false,\"guarantee\":\"kernel\","
                   "\"incomplete_because\":[{\"pid\":1,\"image\":\"/bin/su\","
                   "\"reason\":\"setuid\"},{\"pid\":2,\"image_base64\":\"L/8=\","
                   "\"reason\":\"not-entered\"},{\"pid\":0,\"reason\":\"lost\"}],"
                   "\"root_exit\":{\"signal\":9}}\n");
    const struct ft_summary injected = {
        .complete = true, .injected = 2, .not_injected = 1, .inject_error = EPERM};
    assert_summary(&injected, FT_FORMAT_JSON,
                   "{\"type\":\"summary\",\"accesses\":0,\"lost\":0,\"processes\":0,"
                   "\"complete\":true,\"guarantee\":\"calls\",\"incomplete_because\":[],"
                   "\"injected\":2,\"not_injected\":1,\"not_injected_because\":\"EPERM\","
                   "\"root_exit\":{\"code\":0}}\n");
}

static void says_when_the_stream_fails(void **state)
{
    (void)state;
    struct ft_printer *printer;
    const struct ft_access access = access_to("/a");
    const struct ft_summary summary = {.complete = true};
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_int_equal(setvbuf(full, NULL, _IONBF, 0), 0);
    assert_int_equal(ft_printer_new(full, FT_FORMAT_JSON, true, &printer), 0);
    assert_int_equal(ft_printer_access(printer, &access), -ENOSPC);
    assert_int_equal(ft_printer_summary(printer, &summary), -ENOSPC);
    ft_printer_free(printer);
    ft_printer_free(NULL);
    (void)fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_formats),
        cmocka_unit_test(prints_text),
        cmocka_unit_test(escapes_text),
        cmocka_unit_test(prints_json),
        cmocka_unit_test(escapes_json),
        cmocka_unit_test(prints_nul),
        cmocka_unit_test(drops_repeats),
        cmocka_unit_test(prints_the_summary),
        cmocka_unit_test(says_when_the_stream_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
