/* SPDX-License-Identifier: MIT */
/* The reporter against the stand-in: whose pull request, which baselines, one comment. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene.h"

#define PLAIN_COMMENT "<!-- tracetax:benchmark -->\nsomething old\n"

static json_t *run_of(struct scene *scene)
{
    return json_object_get(scene->event, "workflow_run");
}

static void set(json_t *object, const char *key, json_t *value)
{
    assert_int_equal(json_object_set_new(object, key, value), 0);
}

/* Issue: at most 20 requests for three platforms, no comment before, every baseline the first. */
static void fork_pull_request_gets_one_comment(void **state)
{
    struct scene *scene = *state;
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "### Linux x64");
    scene_expect_text(comment, "### macOS arm64");
    scene_expect_text(comment, "### Windows x64");
    scene_expect_text(comment, "3 of 3 platforms reported for [`ecf9e9a`]");
    scene_expect_text(comment, "previous PR run at [`594f3ce`]");
    scene_expect_text(comment, "`main` at [`7d61f2a`]");
    scene_expect_text(comment, "```mermaid");
    scene_expect_text(comment, "*Report*");
    scene_expect(scene, &scene->summary, "### Linux x64");
    assert_in_range(stand_in_count(scene->server, NULL, NULL), 1, 20);
    free(comment);
}

static void second_report_changes_nothing(void **state)
{
    struct scene *scene = *state;
    scene_report(scene, NULL);
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    scene_expect(scene, &scene->err, "up to date already");
    assert_int_equal(stand_in_count(scene->server, "POST", NULL), 1);
    assert_int_equal(stand_in_count(scene->server, "PATCH", NULL), 0);
    free(scene_comment(scene));
}

static void changed_text_is_patched(void **state)
{
    struct scene *scene = *state;
    scene_start(scene);
    stand_in_comment(scene->server, 7, STAND_IN_LOGIN, PLAIN_COMMENT);
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    assert_int_equal(stand_in_count(scene->server, "PATCH", NULL), 1);
    assert_int_equal(stand_in_count(scene->server, "POST", NULL), 0);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "### Linux x64");
    free(comment);
}

/* Faults 5 and 28: ours is the 101st comment, behind those of others. */
static void own_comment_on_page_two(void **state)
{
    struct scene *scene = *state;
    scene_start(scene);
    for (int i = 0; i < 120; i++)
        stand_in_comment(scene->server, 7, i % 2 ? "octocat" : STAND_IN_LOGIN, "another tool's");
    stand_in_comment(scene->server, 7, STAND_IN_LOGIN, PLAIN_COMMENT);
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    assert_int_equal(stand_in_count(scene->server, "POST", NULL), 0);
    free(scene_comment(scene));
}

/* Faults 7 and 26: the marker by somebody else, and our author without the marker. */
static void foreign_comments_are_left_alone(void **state)
{
    struct scene *scene = *state;
    scene_start(scene);
    stand_in_comment(scene->server, 7, "mallory", PLAIN_COMMENT);
    stand_in_comment(scene->server, 7, STAND_IN_LOGIN, "quote: <!-- tracetax:benchmark -->");
    stand_in_comment(scene->server, 7, STAND_IN_LOGIN, "<!-- tracetax:benchmark -->x\n");
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    assert_int_equal(stand_in_count(scene->server, "PATCH", NULL), 0);
    assert_int_equal(stand_in_count(scene->server, "POST", NULL), 1);
    json_t *comments = stand_in_comments(scene->server, 7);
    assert_int_equal(json_array_size(comments), 4);
    assert_string_equal(json_string_value(json_object_get(json_array_get(comments, 0), "body")),
                        PLAIN_COMMENT);
    json_decref(comments);
}

static void duplicates_are_repaired(void **state)
{
    struct scene *scene = *state;
    scene_start(scene);
    uint64_t first = stand_in_comment(scene->server, 7, STAND_IN_LOGIN, PLAIN_COMMENT);
    stand_in_comment(scene->server, 7, "octocat", "hello");
    stand_in_comment(scene->server, 7, STAND_IN_LOGIN, PLAIN_COMMENT);
    stand_in_comment(scene->server, 7, STAND_IN_LOGIN, PLAIN_COMMENT);
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    json_t *comments = stand_in_comments(scene->server, 7);
    assert_int_equal(json_array_size(comments), 2);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(comments, 0), "id")), first);
    json_decref(comments);
    free(scene_comment(scene));
}

/* Fault 21: the event of a fork names no pull request; 23: what the artifact says is no matter. */
static void pull_request_is_found_by_head(void **state)
{
    struct scene *scene = *state;
    json_t *decoy = json_deep_copy(scene_pull(scene));
    set(decoy, "number", json_integer(3));
    set(json_object_get(json_object_get(decoy, "head"), "repo"), "id", json_integer(999));
    json_array_insert_new(json_object_get(scene->state, "pulls"), 0, decoy);
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    free(scene_comment(scene));
    json_t *other = stand_in_comments(scene->server, 3);
    assert_int_equal(json_array_size(other), 0);
    json_decref(other);
}

static void pull_requests_of_the_event_are_not_believed(void **state)
{
    struct scene *scene = *state;
    set(run_of(scene), "pull_requests", json_pack("[{s:i}]", "number", 1));
    set(scene_pull(scene), "state", json_string("closed"));
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    assert_int_equal(stand_in_count(scene->server, "POST", NULL), 0);
}

/* Fault 22: a fork's branch called main is neither main's baseline nor a reason to stop. */
static void fork_branch_called_main(void **state)
{
    struct scene *scene = *state;
    set(run_of(scene), "head_branch", json_string("main"));
    json_t *head = json_object_get(scene_pull(scene), "head");
    set(head, "ref", json_string("main"));
    json_t *poison = json_deep_copy(scene_run(scene, 4000));
    set(poison, "id", json_integer(4600));
    set(poison, "run_number", json_integer(46));
    set(poison, "head_sha", json_string("bad0000000000000000000000000000000000bad"));
    set(json_object_get(poison, "head_repository"), "id", json_integer(200));
    json_array_insert_new(json_object_get(scene->state, "runs"), 0, poison);
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "`main` at [`7d61f2a`]");
    assert_null(strstr(comment, "bad0000"));
    assert_int_equal(stand_in_count(scene->server, NULL, "/runs/4600/"), 0);
    free(comment);
}

static void closed_pull_request(void **state)
{
    struct scene *scene = *state;
    set(scene_pull(scene), "state", json_string("closed"));
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    scene_expect(scene, &scene->err, "no open pull request");
    scene_expect(scene, &scene->summary, "no open pull request");
    assert_int_equal(stand_in_count(scene->server, NULL, NULL), 1);
}

static void moved_on_pull_request(void **state)
{
    struct scene *scene = *state;
    set(json_object_get(scene_pull(scene), "head"), "sha", json_string(SCENE_PREVIOUS));
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    scene_expect(scene, &scene->err, "moved on");
    assert_int_equal(stand_in_count(scene->server, "POST", NULL), 0);
}

static void locked_pull_request(void **state)
{
    struct scene *scene = *state;
    set(scene_pull(scene), "locked", json_true());
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    scene_expect(scene, &scene->err, "warning: ");
    scene_expect(scene, &scene->err, "locked");
    scene_expect(scene, &scene->summary, "locked");
    assert_int_equal(stand_in_count(scene->server, "POST", NULL), 0);
}

static void foreign_workflow_is_no_matter(void **state)
{
    struct scene *scene = *state;
    set(run_of(scene), "path", json_string(".github/workflows/evil.yml"));
    set(run_of(scene), "name", json_string("Benchmark"));
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    assert_int_equal(stand_in_count(scene->server, NULL, NULL), 0);
    scene_expect(scene, &scene->summary, "not one of our workflow");
}

static void event_of_another_repository(void **state)
{
    struct scene *scene = *state;
    set(json_object_get(scene->event, "repository"), "id", json_integer(101));
    scene_report(scene, NULL);
    scene_expect_status(scene, 3);
    scene_expect(scene, &scene->err, "another repository");
    assert_int_equal(stand_in_count(scene->server, NULL, NULL), 0);
}

/* Fault 34: listed, but expired or gone when asked for: the next older run. */
static void expired_baseline_walks_back(void **state)
{
    struct scene *scene = *state;
    set(scene_artifact(scene, 11), "gone", json_true());
    set(scene_artifact(scene, 12), "expired", json_true());
    json_t *older = json_deep_copy(scene_run(scene, 4500));
    set(older, "id", json_integer(4400));
    set(older, "run_number", json_integer(44));
    set(older, "head_sha", json_string("0aded00000000000000000000000000000000001"));
    json_array_append_new(json_object_get(scene->state, "runs"), older);
    for (unsigned int i = 0; i < 3; i++) {
        json_t *artifact = json_deep_copy(scene_artifact(scene, 21 + i));
        set(artifact, "id", json_integer(41 + i));
        set(json_object_get(artifact, "workflow_run"), "id", json_integer(4400));
        json_array_append_new(json_object_get(scene->state, "artifacts"), artifact);
    }
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "previous PR run at [`0aded00`]");
    scene_expect_text(comment, "previous PR run at [`594f3ce`]"); /* Windows had one */
    free(comment);
}

static void no_baseline_left(void **state)
{
    struct scene *scene = *state;
    for (unsigned int i = 0; i < 3; i++) {
        set(scene_artifact(scene, 11 + i), "gone", json_true());
        set(scene_artifact(scene, 21 + i), "gone", json_true());
    }
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    char *comment = scene_comment(scene);
    assert_null(strstr(comment, "previous PR run"));
    assert_null(strstr(comment, "`main` at"));
    free(comment);
}

/* Fault 33: main's run failed on Windows: its Linux result is the baseline all the same. */
static void failed_main_run_serves_its_platforms(void **state)
{
    struct scene *scene = *state;
    set(scene_run(scene, 4000), "conclusion", json_string("failure"));
    set(scene_artifact(scene, 23), "name", json_string("logs"));
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "`main` at [`7d61f2a`]");
    free(comment);
}

/* Faults 19 and 20: main has moved on by 12% after the fork point. */
static void merge_base_is_preferred_to_the_tip(void **state)
{
    struct scene *scene = *state;
    json_t *tip = json_deep_copy(scene_run(scene, 4000));
    set(tip, "id", json_integer(4800));
    set(tip, "run_number", json_integer(48));
    set(tip, "head_sha", json_string("7190000000000000000000000000000000000719"));
    set(tip, "created_at", json_string("2026-07-22T06:00:00Z"));
    json_array_insert_new(json_object_get(scene->state, "runs"), 0, tip);
    for (unsigned int i = 0; i < 3; i++) {
        json_t *artifact = json_deep_copy(scene_artifact(scene, 21 + i));
        set(artifact, "id", json_integer(51 + i));
        set(json_object_get(artifact, "workflow_run"), "id", json_integer(4800));
        json_array_append_new(json_object_get(scene->state, "artifacts"), artifact);
        static const char *const names[] = {"linux-x86_64", "macos-arm64", "windows-x86_64"};
        scene_result(scene, 1 + i, &(struct sample){.platform = names[i], .seed = i});
    }
    set(scene->state, "compare",
        json_pack("{s:{s:{s:s, s:{s:{s:s}}}}}", "main..." SCENE_HEAD, "merge_base_commit", "sha",
                  SCENE_MAIN, "commit", "committer", "date", "2026-07-20T05:50:00Z"));
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "`main` at [`7d61f2a`]");
    assert_null(strstr(comment, "7190000"));
    free(comment);
}

static void stale_platform_keeps_its_row(void **state)
{
    struct scene *scene = *state;
    set(scene_artifact(scene, 3), "name", json_string("windows-logs"));
    set(scene_artifact(scene, 2), "name", json_string("macos-logs"));
    set(scene_artifact(scene, 12), "name", json_string("macos-logs"));
    set(run_of(scene), "conclusion", json_string("failure"));
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "1 of 3 platforms reported");
    scene_expect_text(comment, "The run ended as *failure*");
    scene_expect_text(comment, "Below is the last one of this PR, at [`594f3ce`]");
    scene_expect_text(comment, "2 days ago");
    scene_expect_text(comment,
                      "This PR has none yet; below is the last one of `main`, at [`7d61f2a`]");
    free(comment);
}

static void no_readable_result(void **state)
{
    struct scene *scene = *state;
    for (unsigned int i = 1; i <= 3; i++)
        scene_file(scene, i, "result.json", "{}", 2);
    scene_report(scene, NULL);
    scene_expect_status(scene, 3);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "**No result** could be read.");
    scene_expect(scene, &scene->summary, "no result could be read");
    free(comment);
}

/* Fault 4: one unreadable result, and the others are reported. */
static void one_bad_artifact_of_three(void **state)
{
    struct scene *scene = *state;
    scene_file(scene, 2, "result.json", "{\"schema\":\"tracetax.result/1\",", 30);
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "2 of 3 platforms reported");
    scene_expect_text(comment, "no result of macos");
    free(comment);
}

static void shards_become_one_table(void **state)
{
    struct scene *scene = *state;
    set(scene_artifact(scene, 1), "name", json_string("tracetax-linux-x86_64-1of3"));
    set(scene_artifact(scene, 2), "name", json_string("tracetax-linux-x86_64-3of3"));
    scene_result(scene, 2, &(struct sample){.platform = "linux-x86_64", .target = "other"});
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "2 of 3 parts reported");
    scene_expect_text(comment, "| dynamic |");
    scene_expect_text(comment, "| other |");
    free(comment);
}

/* Two parts of three: what the third was to measure is a row without a number, and no pass. */
static void missing_part_is_no_pass(void **state)
{
    struct scene *scene = *state;
    set(scene_artifact(scene, 1), "name", json_string("tracetax-linux-x86_64-1of3"));
    set(scene_artifact(scene, 2), "name", json_string("tracetax-linux-x86_64-3of3"));
    const struct sample part = {
        .platform = "linux-x86_64", .rounds = 400, .base_commit = SCENE_MAIN, .head_base_ratio = 1};
    struct sample first = part, third = part, before = part;
    first.target = "one";
    third.target = "three";
    before.target = "two";
    scene_result(scene, 1, &first);
    scene_result(scene, 2, &third);
    scene_result(scene, 11, &before);
    json_array_remove(json_object_get(scene->state, "artifacts"), 2);
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "2 of 3 parts reported");
    scene_expect_text(comment,
                      "| two open-close | - | - | *missing* | - | - | - | *not measured* |");
    scene_expect_text(
        comment, "**No regression** in the 2 targets that were measured. **1 of 3 parts did not "
                 "report**");
    assert_null(strstr(comment, "**No regression.**"));
    free(comment);
}

/* All parts make a whole: a target that main had and none of them has is missing as ever. */
static void all_parts_are_a_whole(void **state)
{
    struct scene *scene = *state;
    set(scene_artifact(scene, 1), "name", json_string("tracetax-linux-x86_64-1of2"));
    set(scene_artifact(scene, 2), "name", json_string("tracetax-linux-x86_64-2of2"));
    scene_result(scene, 1, &(struct sample){.platform = "linux-x86_64", .target = "one"});
    scene_result(scene, 2, &(struct sample){.platform = "linux-x86_64", .target = "two"});
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "| one |");
    scene_expect_text(comment, "| two |");
    scene_expect_text(comment,
                      "dynamic: missing: a baseline has this target, this result has not");
    assert_null(strstr(comment, "parts reported"));
    free(comment);
}

static void artifact_of_the_wrong_platform(void **state)
{
    struct scene *scene = *state;
    scene_result(scene, 2, &(struct sample){.platform = "linux-x86_64"});
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    scene_expect(scene, &scene->err, "its artifact is named for macos-arm64");
}

/* A later attempt leaves what an earlier one made; the newest of a name counts. */
static void newest_artifact_of_a_name(void **state)
{
    struct scene *scene = *state;
    json_t *rerun = json_deep_copy(scene_artifact(scene, 1));
    set(rerun, "id", json_integer(61));
    set(rerun, "created_at", json_string("2026-07-23T18:03:00Z"));
    char path[128];
    (void)snprintf(path, sizeof(path), "%s/61.zip", scene->folder);
    set(rerun, "file", json_string(path));
    json_array_append_new(json_object_get(scene->state, "artifacts"), rerun);
    scene_result(scene, 61, &(struct sample){.platform = "linux-x86_64", .target = "again"});
    set(run_of(scene), "run_attempt", json_integer(2));
    set(run_of(scene), "run_started_at", json_string("2026-07-23T18:02:00Z"));
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "| again |");
    scene_expect_text(comment, "Measured by an earlier attempt");
    scene_expect_text(comment, "attempt 2");
    assert_int_equal(stand_in_count(scene->server, NULL, "artifacts/1/zip"), 0);
    free(comment);
}

static void older_attempt_does_not_overwrite(void **state)
{
    struct scene *scene = *state;
    set(run_of(scene), "run_attempt", json_integer(2));
    scene_report(scene, NULL);
    char *newer = scene_comment(scene);
    set(run_of(scene), "run_attempt", json_integer(1));
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    scene_expect(scene, &scene->err, "left as it is");
    char *after = scene_comment(scene);
    assert_string_equal(newer, after);
    free(newer);
    free(after);
}

static void older_run_does_not_overwrite(void **state)
{
    struct scene *scene = *state;
    scene_start(scene);
    stand_in_comment(scene->server, 7, STAND_IN_LOGIN,
                     "<!-- tracetax:benchmark -->\n<!-- tracetax:run 51 5100 1 -->\nnewer\n");
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    assert_int_equal(stand_in_count(scene->server, "PATCH", NULL), 0);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "newer");
    free(comment);
}

/* A renamed workflow counts its runs from 1 again: the comment must not be frozen. */
static void numbers_that_start_anew(void **state)
{
    struct scene *scene = *state;
    scene_start(scene);
    stand_in_comment(scene->server, 7, STAND_IN_LOGIN,
                     "<!-- tracetax:benchmark -->\n<!-- tracetax:run 500 4900 1 -->\nolder\n");
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    assert_int_equal(stand_in_count(scene->server, "PATCH", NULL), 1);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "### Linux x64");
    free(comment);
}

/* Two measuring workflows: each has its comment, and neither writes into the other's. */
static void two_workflows_keep_two_comments(void **state)
{
    struct scene *scene = *state;
    scene_report(scene, NULL);
    char *first = scene_comment(scene);
    set(run_of(scene), "path", json_string(".github/workflows/other.yml"));
    set(run_of(scene), "run_number", json_integer(3));
    for (int i = 0; i < 2; i++) {
        scene_report(scene, "--workflow .github/workflows/other.yml");
        scene_expect_status(scene, 0);
    }
    scene_expect(scene, &scene->err, "up to date already");
    json_t *comments = stand_in_comments(scene->server, 7);
    assert_int_equal(json_array_size(comments), 2);
    const char *second = json_string_value(json_object_get(json_array_get(comments, 1), "body"));
    scene_expect_text(second, "<!-- tracetax:benchmark .github%2Fworkflows%2Fother.yml -->\n");
    scene_expect_text(second, "### Linux x64");
    json_decref(comments);
    char *after = scene_comment(scene);
    assert_string_equal(first, after);
    free(first);
    free(after);
}

static void regression_fails_only_when_asked(void **state)
{
    struct scene *scene = *state;
    scene_result(scene, 1,
                 &(struct sample){.platform = "linux-x86_64",
                                  .commit = SCENE_HEAD,
                                  .base_commit = SCENE_MAIN,
                                  .head_base_ratio = 1.1});
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    scene_report(scene, "--fail-on regressed");
    scene_expect_status(scene, 1);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "**1 regression:** Linux x64 <code>dynamic</code> +");
    scene_expect_text(comment, "**regressed**");
    free(comment);
}

static void dry_run_writes_nothing(void **state)
{
    struct scene *scene = *state;
    scene_report(scene, "--dry-run");
    scene_expect_status(scene, 0);
    scene_expect(scene, &scene->out, "## tracetax benchmark");
    assert_int_equal(stand_in_count(scene->server, "POST", NULL), 0);
    assert_int_equal(stand_in_count(scene->server, "PATCH", NULL), 0);
}

static void push_of_a_fork_is_no_matter(void **state)
{
    struct scene *scene = *state;
    set(run_of(scene), "event", json_string("push"));
    set(run_of(scene), "head_branch", json_string("main"));
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    assert_int_equal(stand_in_count(scene->server, NULL, NULL), 0);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, scene_setup, scene_teardown)
    const struct CMUnitTest tests[] = {
        CASE(fork_pull_request_gets_one_comment),
        CASE(second_report_changes_nothing),
        CASE(changed_text_is_patched),
        CASE(own_comment_on_page_two),
        CASE(foreign_comments_are_left_alone),
        CASE(duplicates_are_repaired),
        CASE(pull_request_is_found_by_head),
        CASE(pull_requests_of_the_event_are_not_believed),
        CASE(fork_branch_called_main),
        CASE(closed_pull_request),
        CASE(moved_on_pull_request),
        CASE(locked_pull_request),
        CASE(foreign_workflow_is_no_matter),
        CASE(event_of_another_repository),
        CASE(expired_baseline_walks_back),
        CASE(no_baseline_left),
        CASE(failed_main_run_serves_its_platforms),
        CASE(merge_base_is_preferred_to_the_tip),
        CASE(stale_platform_keeps_its_row),
        CASE(no_readable_result),
        CASE(one_bad_artifact_of_three),
        CASE(shards_become_one_table),
        CASE(missing_part_is_no_pass),
        CASE(all_parts_are_a_whole),
        CASE(artifact_of_the_wrong_platform),
        CASE(newest_artifact_of_a_name),
        CASE(older_attempt_does_not_overwrite),
        CASE(older_run_does_not_overwrite),
        CASE(numbers_that_start_anew),
        CASE(two_workflows_keep_two_comments),
        CASE(regression_fails_only_when_asked),
        CASE(dry_run_writes_nothing),
        CASE(push_of_a_fork_is_no_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
