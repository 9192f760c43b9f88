/* SPDX-License-Identifier: MIT */
/* Hostile artifacts: each is refused with one line, and the other platforms are reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>
#include <zip.h>

#include "common/file.h"
#include "scene.h"

/* Characters that turn the direction of text around are what is tested.
   NOLINTBEGIN(misc-misleading-bidirectional) */
#define RIGHT_TO_LEFT "\xe2\x80\xae"
#define MEBIBYTE ((size_t)1 << 20)

/* The other platforms are there, this one is not, and one line says why. */
static void expect_refused(struct scene *scene, const char *why)
{
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "2 of 3 platforms reported");
    scene_expect(scene, &scene->err, "warning: no result of linux-x86_64 from run 5000: ");
    scene_expect(scene, &scene->err, why);
    scene_expect_text(comment, "- no result of linux");
    free(comment);
}

static void expect_entry_refused(void **state, const char *entry, const char *why)
{
    struct scene *scene = *state;
    scene_file(scene, 1, entry, "{}", 2);
    expect_refused(scene, why);
}

static void zip_slip(void **state)
{
    expect_entry_refused(state, "../../result.json", "../../result.json");
}

static void absolute_path(void **state)
{
    expect_entry_refused(state, "/etc/cron.d/result.json", "/etc/cron.d/result.json");
}

static void backslash_path(void **state)
{
    expect_entry_refused(state, "..\\result.json", "result.json");
}

static void foreign_file(void **state)
{
    expect_entry_refused(state, "pr-number.txt", "pr-number.txt");
}

/* Write an archive of artifact 1 by hand. */
static zip_t *open_archive(struct scene *scene)
{
    char path[128];
    int code = 0;
    (void)snprintf(path, sizeof(path), "%s/1.zip", scene->folder);
    zip_t *archive = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
    assert_non_null(archive);
    return archive;
}

static zip_int64_t add_file(zip_t *archive, const char *name, const char *text)
{
    return zip_file_add(archive, name, zip_source_buffer(archive, text, strlen(text), 0), 0);
}

static void second_entry(void **state)
{
    struct scene *scene = *state;
    zip_t *archive = open_archive(scene);
    add_file(archive, "result.json", "{}");
    add_file(archive, "more.json", "{}");
    assert_int_equal(zip_close(archive), 0);
    expect_refused(scene, "more.json");
}

static void read_archive(struct scene *scene, struct buf *out)
{
    char path[128];
    (void)snprintf(path, sizeof(path), "%s/1.zip", scene->folder);
    buf_init(out, 64 * MEBIBYTE);
    assert_int_equal(file_read(path, out, NULL), 0);
}

static void write_archive(struct scene *scene, struct buf *data)
{
    char path[128];
    (void)snprintf(path, sizeof(path), "%s/1.zip", scene->folder);
    assert_int_equal(file_write(path, data->data, data->size_bytes, NULL), 0);
    buf_fini(data);
}

/* Two entries of the same name: libzip would not write it, so the second is renamed in the bytes.
 */
static void duplicate_entry(void **state)
{
    struct scene *scene = *state;
    zip_t *archive = open_archive(scene);
    add_file(archive, "result.json", "{}");
    add_file(archive, "resulT.json", "{}");
    assert_int_equal(zip_close(archive), 0);
    struct buf data;
    read_archive(scene, &data);
    for (size_t i = 0; i + 11 <= data.size_bytes; i++) {
        if (!memcmp(data.data + i, "resulT.json", 11))
            data.data[i + 5] = 't';
    }
    write_archive(scene, &data);
    expect_refused(scene, "refused: ");
}

static void symbolic_link(void **state)
{
    struct scene *scene = *state;
    zip_t *archive = open_archive(scene);
    zip_int64_t index = add_file(archive, "result.json", "/etc/passwd");
    zip_file_set_external_attributes(archive, (zip_uint64_t)index, 0, ZIP_OPSYS_UNIX,
                                     (zip_uint32_t)(S_IFLNK | 0777) << 16);
    assert_int_equal(zip_close(archive), 0);
    expect_refused(scene, "a link or a device");
}

static void zip_bomb(void **state)
{
    struct scene *scene = *state;
    char *zeros = calloc(15, MEBIBYTE);
    assert_non_null(zeros);
    scene_file(scene, 1, "result.json", zeros, 15 * MEBIBYTE);
    free(zeros);
    expect_refused(scene, "as a bomb is");
}

static void larger_than_the_limit(void **state)
{
    struct scene *scene = *state;
    size_t size = 17 * MEBIBYTE;
    char *text = malloc(size);
    assert_non_null(text);
    for (size_t i = 0; i < size; i++)
        text[i] = (char)('a' + (i * i / 7) % 23);
    scene_file(scene, 1, "result.json", text, size);
    free(text);
    expect_refused(scene, "refused: result.json is ");
}

/* The size in the headers says 10 bytes. */
static void lying_size(void **state)
{
    struct scene *scene = *state;
    char *json = sample_json(&(struct sample){.platform = "linux-x86_64"});
    scene_file(scene, 1, "result.json", json, strlen(json));
    struct buf data;
    read_archive(scene, &data);
    uint32_t real = (uint32_t)strlen(json);
    free(json);
    for (size_t i = 0; i + 4 <= data.size_bytes; i++) {
        uint32_t value;
        memcpy(&value, data.data + i, 4);
        if (value == real) {
            value = 10;
            memcpy(data.data + i, &value, 4);
        }
    }
    write_archive(scene, &data);
    expect_refused(scene, "lies about the size");
}

static void wrong_checksum(void **state)
{
    struct scene *scene = *state;
    zip_t *archive = open_archive(scene);
    zip_int64_t index = add_file(archive, "result.json", "{\"schema\":\"tracetax.result/1\"}");
    zip_set_file_compression(archive, (zip_uint64_t)index, ZIP_CM_STORE, 0);
    assert_int_equal(zip_close(archive), 0);
    struct buf data;
    read_archive(scene, &data);
    char *at = memmem(data.data, data.size_bytes, "result/1", 8);
    assert_non_null(at);
    at[7] = '2';
    write_archive(scene, &data);
    expect_refused(scene, "damaged");
}

static void not_an_archive(void **state)
{
    struct scene *scene = *state;
    struct buf data;
    buf_init(&data, 100);
    buf_puts(&data, "PK\003\004 and then nothing of the kind");
    write_archive(scene, &data);
    expect_refused(scene, "not a whole zip archive");
}

static void bare_json_is_taken(void **state)
{
    struct scene *scene = *state;
    char *json = sample_json(&(struct sample){.platform = "linux-x86_64"});
    struct buf data;
    buf_init(&data, MEBIBYTE);
    buf_puts(&data, json);
    free(json);
    write_archive(scene, &data);
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "3 of 3 platforms");
    free(comment);
}

/* A chunked body announces no length: what comes is counted. */
static void endless_download(void **state)
{
    struct scene *scene = *state;
    json_object_set_new(scene_artifact(scene, 1), "stream_bytes", json_integer(1 << 30));
    expect_refused(scene, "larger than 8388608 bytes");
}

/* Change the JSON of a right result by text. */
static void expect_json_refused(void **state, const char *from, const char *to, const char *why)
{
    struct scene *scene = *state;
    char *json = sample_json(&(struct sample){.platform = "linux-x86_64", .rounds = 6});
    char *at = strstr(json, from);
    assert_non_null(at);
    struct buf data;
    buf_init(&data, 12 * MEBIBYTE);
    buf_append(&data, json, (size_t)(at - json));
    buf_puts(&data, to);
    buf_puts(&data, at + strlen(from));
    scene_file(scene, 1, "result.json", data.data, data.size_bytes);
    buf_fini(&data);
    free(json);
    expect_refused(scene, why);
}

static void not_a_number(void **state)
{
    expect_json_refused(state, "\"seed\": 1", "\"seed\": NaN", "result.json");
}

static void infinite_number(void **state)
{
    expect_json_refused(state, "\"seed\": 1", "\"seed\": 1e999", "result.json");
}

static void duplicate_key(void **state)
{
    expect_json_refused(state, "\"seed\": 1", "\"seed\": 1, \"seed\": 2", "result.json");
}

static void newer_schema(void **state)
{
    expect_json_refused(state, "tracetax.result/1", "tracetax.result/2", "newer");
}

static void deep_nesting(void **state)
{
    struct buf deep;
    buf_init(&deep, MEBIBYTE);
    buf_puts(&deep, "\"x\": ");
    for (int i = 0; i < 5000; i++)
        buf_puts(&deep, "[");
    for (int i = 0; i < 5000; i++)
        buf_puts(&deep, "]");
    buf_puts(&deep, ", \"seed\": 1");
    expect_json_refused(state, "\"seed\": 1", deep.data, "result.json");
    buf_fini(&deep);
}

static void string_of_ten_megabytes(void **state)
{
    struct buf text;
    buf_init(&text, 11 * MEBIBYTE);
    buf_puts(&text, "\"name\": \"");
    uint32_t number = 1;
    for (size_t i = 0; i < 10 * MEBIBYTE; i++) {
        number = number * 1664525u + 1013904223u;
        char c = (char)('a' + (number >> 24) % 20);
        buf_append(&text, &c, 1);
    }
    buf_puts(&text, "\"");
    expect_json_refused(state, "\"name\": \"dynamic\"", text.data, "re");
    buf_fini(&text);
}

static void negative_time(void **state)
{
    expect_json_refused(state, "\"samples_ns\": [", "\"samples_ns\": [-1,", "samples_ns");
}

/* Faults 31 and 32: Markdown, HTML, mentions, links, the marker, control and direction characters.
 */
static void hostile_names_do_nothing(void **state)
{
    struct scene *scene = *state;
    static const char name[] = "a|b`c` @octocat #12 <img src=x> [x](http://evil) "
                               "**b** ~~s~~ $x$ :tada:" RIGHT_TO_LEFT "\xe2\x80\x8b -->";
    scene_result(scene, 1,
                 &(struct sample){.platform = "linux-x86_64",
                                  .target = name,
                                  .cpu = "::error::x\n::set-output name=a::b\n"
                                         "<!-- tracetax:benchmark --> @org/team",
                                  .head_base_ratio = 1.1,
                                  .base_commit = SCENE_MAIN});
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    char *comment = scene_comment(scene);
    static const char *const forbidden[] = {
        "@octocat", "<img",         "](http://evil", "**b**",    "#12",
        "$x$",      ":tada:",       "`c`",           "a|b",      RIGHT_TO_LEFT,
        "@org",     "\xe2\x80\x8b", "\n::error",     "\n::set-", "--> "};
    const char *body = strchr(strchr(comment, '\n') + 1, '\n');
    for (size_t i = 0; i < ARRAY_LEN(forbidden); i++) {
        if (strstr(body, forbidden[i]))
            (void)fprintf(stderr, "there: %s\nin %s\n", forbidden[i], body);
        assert_null(strstr(body, forbidden[i]));
    }
    assert_null(strstr(body, "tracetax:benchmark"));
    free(comment);
}

/* Names of artifacts, of their entries and messages of the API go to the log: never a command,
 * neither where a line begins ("::") nor anywhere ("##["), never a line. */
static void log_lines_cannot_be_commands(void **state)
{
    struct scene *scene = *state;
    json_object_set_new(
        scene_artifact(scene, 1), "name",
        json_string("x\n::set-output name=a::b\r\n%0A::error::y##[set-env name=A]b"));
    scene_file(scene, 2, "##[set-output name=history]/home/x%0A!", "{}", 2);
    struct stand_in_fault fault = {.times = 1,
                                   .method = "POST",
                                   .status = 403,
                                   .message = "no\n::add-mask::x ##[add-path]y " RIGHT_TO_LEFT};
    scene_start(scene);
    stand_in_fail(scene->server, &fault);
    scene_report(scene, NULL);
    scene_expect_status(scene, 3);
    scene_expect(scene, &scene->err, "set-output");
    scene_expect(scene, &scene->err, "# #[set-output name=history]");
    scene_expect(scene, &scene->err, "# #[add-path]");
    char *copy = strdup(scene->err.data);
    for (char *line = strtok(copy, "\r\n"); line; line = strtok(NULL, "\r\n")) {
        int is_ours = !strncmp(line, "tracetax-report: ", 17) ||
                      !strncmp(line, "::warning::", 11) || !strncmp(line, "::error::", 9);
        if (!is_ours)
            (void)fprintf(stderr, "not ours: %s\n", line);
        assert_true(is_ours);
        if (strstr(line, "##["))
            (void)fprintf(stderr, "a command inside: %s\n", line);
        assert_null(strstr(line, "##["));
        /* an escaped line end of the text must not come alive in a command */
        assert_null(strncmp(line, "::", 2) ? NULL : strstr(line, "%0A"));
    }
    free(copy);
}

static void too_many_artifacts(void **state)
{
    struct scene *scene = *state;
    for (int i = 0; i < 300; i++) {
        json_t *more = json_deep_copy(scene_artifact(scene, 1));
        char name[64];
        (void)snprintf(name, sizeof(name), "tracetax-made-up-%d", i);
        json_object_set_new(more, "id", json_integer(10000 + i));
        json_object_set_new(more, "name", json_string(name));
        json_array_append_new(json_object_get(scene->state, "artifacts"), more);
    }
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    scene_expect(scene, &scene->err, "too many platforms");
    assert_true(stand_in_count(scene->server, "GET", "/_blob/") < 40);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "### Linux x64");
    free(comment);
}

/* Faults 6 and 25: 1,000 targets; whole rows go, also when the comment is updated. */
static void too_long_for_github(void **state)
{
    struct scene *scene = *state;
    for (int update = 0; update < 2; update++) {
        scene_result(scene, 1,
                     &(struct sample){.platform = "linux-x86_64",
                                      .targets = 1000,
                                      .rounds = 10,
                                      .target = "a long name with \xc3\xa4\xc3\xb6\xe2\x82\xac",
                                      .seed = (unsigned int)update});
        scene_report(scene, NULL);
        scene_expect_status(scene, 0);
        char *comment = scene_comment(scene);
        assert_true(strlen(comment) < 65000);
        assert_true(strlen(comment) > 50000);
        scene_expect_text(comment, " more of 1001 targets are left out");
        scene_expect_text(comment, "### Windows x64");
        scene_expect_text(comment, "</sub>\n");
        assert_int_equal(comment[strlen(comment) - 1], '\n');
        json_t *utf8 = json_string(comment);
        assert_non_null(utf8);
        json_decref(utf8);
        free(comment);
    }
    assert_int_equal(stand_in_count(scene->server, "PATCH", NULL), 1);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, scene_setup, scene_teardown)
    const struct CMUnitTest tests[] = {
        CASE(zip_slip),
        CASE(absolute_path),
        CASE(backslash_path),
        CASE(foreign_file),
        CASE(second_entry),
        CASE(duplicate_entry),
        CASE(symbolic_link),
        CASE(zip_bomb),
        CASE(larger_than_the_limit),
        CASE(lying_size),
        CASE(wrong_checksum),
        CASE(not_an_archive),
        CASE(bare_json_is_taken),
        CASE(endless_download),
        CASE(not_a_number),
        CASE(infinite_number),
        CASE(duplicate_key),
        CASE(newer_schema),
        CASE(deep_nesting),
        CASE(string_of_ten_megabytes),
        CASE(negative_time),
        CASE(hostile_names_do_nothing),
        CASE(log_lines_cannot_be_commands),
        CASE(too_many_artifacts),
        CASE(too_long_for_github),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* NOLINTEND(misc-misleading-bidirectional) */
