/* SPDX-License-Identifier: MIT */
/* Each allocation of the reporter's pure parts fails once. */
#include <errno.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/file.h"
#include "report/export.h"
#include "report/fetch.h"
#include "report/log.h"
#include "report/markdown.h"
#include "report/results.h"
#include "report/url.h"
#include "report/view.h"
#include "tests/unit/allocations.h"

#define MAX_FILE_BYTES (1u << 20)

/** Read before anything fails. */
static struct {
    struct buf now_text, before_text;
    struct rep_results now, before;
    struct rep_log log;
} input;

/** The same result as two parts of one platform. */
static int parse_parts(const struct buf *text, struct rep_results *out, struct err *err)
{
    int ret = 0;
    for (unsigned int shard = 1; shard <= 2 && !ret; shard++) {
        struct rep_result item = {.shard = shard, .shards = 2};
        ret = tt_result_parse("text", text->data, text->size_bytes, &item.result, err);
        if (!ret) {
            (void)snprintf(item.platform, sizeof(item.platform), "%s", item.result.platform.id);
            item.result.suite.shard = shard;
            item.result.suite.shards = 2;
            ret = rep_results_add(out, &item, err);
        }
        tt_result_fini(&item.result);
    }
    return ret;
}

static int merge_parts(void)
{
    struct rep_results results = {0};
    struct err err = {0};

    int ret = parse_parts(&input.now_text, &results, &err);
    if (!ret)
        ret = rep_results_merge(&results);
    rep_results_fini(&results);
    return ret;
}

/** Build a view of the results and give it to @use. */
static int with_view(int (*use)(const struct rep_view *view))
{
    const struct rep_results none = {0};
    struct rep_view view = {.server_url = "https://github.com",
                            .workflow_path = REP_WORKFLOW_DEFAULT,
                            .repository = "o/n",
                            .head_sha = "",
                            .keeper = "report",
                            .conclusion = "success",
                            .limits = TT_THRESHOLDS_DEFAULT,
                            .log = &input.log};
    struct err err = {0};

    int ret = rep_view_build(&view, &input.now, &input.before, &input.before, &none, &err);
    if (!ret)
        ret = use(&view);
    rep_view_fini(&view);
    return ret;
}

static int use_nothing(const struct rep_view *view)
{
    return view->platforms_count ? 0 : -EINVAL;
}

static int build_view(void)
{
    return with_view(use_nothing);
}

static int use_comment(const struct rep_view *view)
{
    struct buf out;
    struct err err = {0};

    buf_init(&out, MAX_FILE_BYTES);
    int ret = rep_markdown_comment(view, &out, &err);
    assert_int_equal(err.code, ret);
    buf_fini(&out);
    return ret;
}

static int write_comment(void)
{
    return with_view(use_comment);
}

static int use_exports(const struct rep_view *view)
{
    char *gab = NULL, *bmf = NULL;

    int ret = rep_export_gab(view, &gab);
    assert_int_equal(gab == NULL, ret != 0);
    if (!ret) {
        ret = rep_export_bmf(view, &bmf);
        assert_int_equal(bmf == NULL, ret != 0);
    }
    free(gab);
    free(bmf);
    return ret;
}

static int export(void)
{
    return with_view(use_exports);
}

static int next_of_link(void)
{
    char *out;

    int ret =
        rep_url_next_of_link("<https://a/1>; rel=\"prev\", <https://a/2>; rel=\"next\"", &out);
    assert_int_equal(out == NULL, ret != 0);
    free(out);
    return ret;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const struct allocating rows[] = {
        {"merge parts", merge_parts, 100, true},       {"build a view", build_view, 100, true},
        {"write a comment", write_comment, 100, true}, {"export", export, 100, true},
        {"next page", next_of_link, 1, false},
    };
    allocations_fail_each(rows, ARRAY_LEN(rows));
}

static int read_text(const char *name, struct buf *out)
{
    char path[4096];
    struct err err = {0};

    (void)snprintf(path, sizeof(path), "%s/%s", TEST_DATA, name);
    buf_init(out, MAX_FILE_BYTES);
    return file_read(path, out, &err);
}

static int set_up(void **state)
{
    (void)state;
    json_set_alloc_funcs(allocations_malloc, allocations_free);
    struct err err = {0};
    int ret = read_text("compare/head-base.json", &input.now_text);
    if (!ret)
        ret = read_text("compare/before.json", &input.before_text);
    if (!ret)
        ret = parse_parts(&input.now_text, &input.now, &err);
    if (!ret)
        ret = parse_parts(&input.before_text, &input.before, &err);
    if (!ret)
        ret = rep_results_merge(&input.now);
    return ret ? ret : rep_results_merge(&input.before);
}

static int tear_down(void **state)
{
    (void)state;
    rep_results_fini(&input.now);
    rep_results_fini(&input.before);
    buf_fini(&input.now_text);
    buf_fini(&input.before_text);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
