/* SPDX-License-Identifier: MIT */
/* A result from a stranger: refused, or the same after it was written; and the comment about it,
   read as GitHub reads it, does nothing but show numbers. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "gfm.h"
#include "harness/compare.h"
#include "harness/show.h"
#include "report/export.h"
#include "report/markdown.h"
#include "report/results.h"

#define MAX_TEXT_BYTES (64u << 20)

/* @return what is written of it; the caller's */
static char *rewrite(const char *data, size_t size_bytes, struct tt_result *out)
{
    struct err err = {0};
    char *text = NULL;
    int ret = tt_result_parse("the result", data, size_bytes, out, &err);
    FUZZ_CHECK(!ret == !err.code, "a failure without words");
    if (ret)
        return NULL;
    FUZZ_CHECK(!tt_result_format(out, &text, &err), "what was read cannot be written");
    return text;
}

static void check_json(const struct buf *text)
{
    json_t *json = json_loadb(text->data, text->size_bytes, JSON_REJECT_DUPLICATES, NULL);
    FUZZ_CHECK(json, "the comparison is not JSON");
    json_decref(json);
}

/* Is the word one of the list, which has a space before and after each? */
static bool is_listed(const char *list, const char *word, size_t length)
{
    for (const char *at = list; (at = strchr(at, ' ')); at++) {
        if (!strncmp(at + 1, word, length) && at[1 + length] == ' ')
            return true;
    }
    return false;
}

/* An attribute of ours with its value. @return behind it */
static const char *check_attribute(const char *at)
{
    static const char names[] =
        " class d data-label aria-label role scope text-anchor width height x "
        "y x1 x2 y1 y2 r cx cy points transform viewBox ";
    size_t length = strcspn(at, "= >");
    FUZZ_CHECK(is_listed(names, at, length), "an attribute that is not ours");
    FUZZ_CHECK(at[length] == '=' && at[length + 1] == '"', "an attribute without quotes");
    const char *end = strchr(at + length + 2, '"');
    FUZZ_CHECK(end, "a value that does not end");
    return end + 1;
}

/* The HTML report: no tag but the ones that draw it, none that fetches or acts. */
static void check_html(const struct buf *text)
{
    static const char names[] =
        " section h2 h3 p em small span code dl dt dd ul li table thead tbody tr th td details "
        "summary figure figcaption svg g path line rect circle text title div b ";
    for (const char *at = text->data; (at = strchr(at, '<'));) {
        at += at[1] == '/' ? 2 : 1;
        size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789");
        FUZZ_CHECK(length && is_listed(names, at, length), "a tag that is not ours");
        at += length;
        while (*at == ' ')
            at = check_attribute(at + 1);
        at += *at == '/';
        FUZZ_CHECK(*at == '>', "a tag that does not end");
    }
}

static void show(const struct tt_comparison *comparison)
{
    static const struct tt_show_options narrow = {.width = 60, .color = true};
    struct buf text;
    buf_init(&text, MAX_TEXT_BYTES);
    FUZZ_CHECK(!tt_show_table(comparison, &narrow, &text), "no table");
    buf_clear(&text);
    FUZZ_CHECK(!tt_show_csv(comparison, &text), "no values");
    buf_clear(&text);
    FUZZ_CHECK(!tt_show_json(comparison, &text), "no JSON");
    check_json(&text);
    buf_clear(&text);
    FUZZ_CHECK(!tt_show_html(comparison, NULL, &text), "no HTML");
    check_html(&text);
    buf_clear(&text);
    FUZZ_CHECK(!tt_show_markdown(comparison, &text), "no Markdown");
    gfm_check_document(text.data, text.size_bytes, NULL);
    buf_fini(&text);
}

static void compare(const struct tt_result *now, const struct tt_result *before)
{
    const struct tt_baseline baseline = {.kind = TT_BASELINE_GIVEN, .result = before};
    const struct tt_compare_input input = {
        .now = now, .baselines = &baseline, .baselines_count = 1, .limits = TT_THRESHOLDS_DEFAULT};
    struct tt_comparison comparison;
    struct err err;
    FUZZ_CHECK(!tt_compare(&input, &comparison, &err), "no comparison");
    show(&comparison);
    tt_comparison_fini(&comparison);
}

/* Both results are taken over. */
static void comment(struct tt_result *now, struct tt_result *before)
{
    struct rep_results results[2] = {{0}};
    struct tt_result *const given[2] = {now, before};
    struct rep_view view = {.server_url = GFM_OUR_SERVER,
                            .workflow_path = REP_WORKFLOW_DEFAULT,
                            .repository = "o/r",
                            .head_sha = "ecf9e9af19c581f156188679cb2a9e8d458c9ba8",
                            .keeper = "report",
                            .conclusion = "success",
                            .stamp = {7, 5000, 1},
                            .now_unix = 1800000000,
                            .limits = TT_THRESHOLDS_DEFAULT};
    struct err err = {0};
    struct buf text;
    char *json = NULL;

    for (size_t i = 0; i < ARRAY_LEN(results); i++) {
        struct rep_result item = {
            .result = *given[i], .shard = 1, .shards = 1, .run = {.id = 5000}};
        (void)snprintf(item.platform, sizeof(item.platform), "%s", item.result.platform.id);
        FUZZ_CHECK(!rep_results_add(&results[i], &item, &err), "a result is not taken");
        FUZZ_CHECK(!rep_results_merge(&results[i]), "no memory to merge");
    }
    FUZZ_CHECK(!rep_view_build(&view, &results[0], NULL, &results[1], NULL, &err), "no view");
    FUZZ_CHECK(!rep_markdown_comment(&view, &text, &err), "no comment");
    FUZZ_CHECK(text.size_bytes <= REP_MARKDOWN_MAX_BYTES, "too long a comment");
    gfm_check_document(text.data, text.size_bytes, GFM_OUR_SERVER);
    FUZZ_CHECK(!rep_export_gab(&view, &json), "no export");
    free(json);
    FUZZ_CHECK(!rep_export_bmf(&view, &json), "no export");
    free(json);
    buf_fini(&text);
    rep_view_fini(&view);
    rep_results_fini(&results[0]);
    rep_results_fini(&results[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    struct tt_result result, again;
    char *first = rewrite((const char *)data, size_bytes, &result);
    if (!first)
        return 0;
    char *second = rewrite(first, strlen(first), &again);
    FUZZ_CHECK(second, "what was written is refused");
    FUZZ_CHECK(!strcmp(first, second), "not the same when written again");
    compare(&result, &again);
    comment(&result, &again);
    free(first);
    free(second);
    return 0;
}
