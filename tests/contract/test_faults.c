/* SPDX-License-Identifier: MIT */
/* The reporter when GitHub fails: retries, limits, lost answers, races. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/proc.h"
#include "scene.h"

static void fail_next(struct scene *scene, struct stand_in_fault fault)
{
    if (!scene->server)
        scene_start(scene);
    if (!fault.times)
        fault.times = 1;
    stand_in_fail(scene->server, &fault);
}

/* One fault somewhere, and the comment is right all the same. */
static void expect_recovery(struct scene *scene, struct stand_in_fault fault)
{
    fail_next(scene, fault);
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "3 of 3 platforms reported");
    free(comment);
}

static void status_429_with_retry_after(void **state)
{
    expect_recovery(*state,
                    (struct stand_in_fault){
                        .match = "/pulls", .status = 429, .header = "Retry-After", .value = "1"});
}

static void status_403_with_retry_after(void **state)
{
    expect_recovery(
        *state, (struct stand_in_fault){
                    .match = "/comments", .status = 403, .header = "Retry-After", .value = "0"});
}

/* Nothing says when: GitHub asks for a minute at least, which the time limit does not have. */
static void status_429_without_retry_after(void **state)
{
    struct scene *scene = *state;
    fail_next(scene, (struct stand_in_fault){.match = "/pulls", .status = 429});
    scene_report(scene, "--time-limit 5");
    scene_expect_status(scene, 3);
    scene_expect(scene, &scene->err, "60 s, more than the time left");
    scene_expect(scene, &scene->summary, "rate limit");
    assert_int_equal(stand_in_count(scene->server, NULL, NULL), 1);
}

static void status_403_with_no_requests_left(void **state)
{
    struct scene *scene = *state;
    fail_next(scene, (struct stand_in_fault){.match = "/pulls",
                                             .status = 403,
                                             .header = "X-RateLimit-Remaining",
                                             .value = "0"});
    scene_report(scene, "--time-limit 5");
    scene_expect_status(scene, 3);
    scene_expect(scene, &scene->err, "rate limit");
}

static void status_502_in_a_list(void **state)
{
    expect_recovery(*state, (struct stand_in_fault){.match = "/artifacts", .status = 502});
}

static void status_500_for_ever(void **state)
{
    struct scene *scene = *state;
    fail_next(scene, (struct stand_in_fault){.times = 1000,
                                             .match = "/comments",
                                             .status = 500,
                                             .header = "Retry-After",
                                             .value = "0"});
    scene_report(scene, NULL);
    scene_expect_status(scene, 3);
    scene_expect(scene, &scene->err, "the API gave up: 4 tries");
    scene_expect(scene, &scene->summary, "### Linux x64"); /* the table is not lost */
    assert_int_equal(stand_in_count(scene->server, NULL, "/comments"), 4);
}

static void dropped_connection(void **state)
{
    expect_recovery(*state, (struct stand_in_fault){.match = "/runs", .drop = true});
}

static void answer_broken_off(void **state)
{
    expect_recovery(*state, (struct stand_in_fault){.match = "/pulls", .break_off = true});
}

static void cut_json(void **state)
{
    expect_recovery(*state, (struct stand_in_fault){.match = "/artifacts", .cut = true});
}

static void storage_fails_once(void **state)
{
    expect_recovery(*state, (struct stand_in_fault){.match = "/_blob/", .status = 503});
}

static void storage_breaks_off(void **state)
{
    expect_recovery(*state, (struct stand_in_fault){.match = "/_blob/2", .break_off = true});
}

static void hanging_server_ends_with_the_time_limit(void **state)
{
    struct scene *scene = *state;
    fail_next(scene, (struct stand_in_fault){.match = "/pulls", .hang = true});
    scene_report(scene, "--time-limit 2");
    scene_expect_status(scene, 3);
    scene_expect(scene, &scene->summary, "tracetax benchmark");
}

/* Applied, but the answer was lost: no second comment. */
static void post_applied_but_unanswered(void **state)
{
    struct scene *scene = *state;
    fail_next(scene, (struct stand_in_fault){.method = "POST", .apply = true, .drop = true});
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    assert_int_equal(stand_in_count(scene->server, "POST", NULL), 1);
    free(scene_comment(scene));
}

static void post_applied_but_502(void **state)
{
    struct scene *scene = *state;
    fail_next(scene, (struct stand_in_fault){.method = "POST", .apply = true, .status = 502});
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    assert_int_equal(stand_in_count(scene->server, "POST", NULL), 1);
    free(scene_comment(scene));
}

static void post_not_applied_is_repeated(void **state)
{
    struct scene *scene = *state;
    fail_next(scene, (struct stand_in_fault){.method = "POST", .status = 502});
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    assert_int_equal(stand_in_count(scene->server, "POST", NULL), 2);
    free(scene_comment(scene));
}

/* A list that is a little older than what was just written: never a second comment. */
static void expect_one_with_lag(struct scene *scene, int lists, const struct stand_in_fault *fault)
{
    json_object_set_new(scene->state, "lag", json_integer(lists));
    if (fault)
        fail_next(scene, *fault);
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    scene_expect(scene, &scene->err, "the comment was created");
    assert_int_equal(stand_in_count(scene->server, "POST", NULL), 1);
    free(scene_comment(scene));
}

static void list_that_lags(void **state)
{
    expect_one_with_lag(*state, 1, NULL);
}

static void list_that_never_shows_it(void **state)
{
    expect_one_with_lag(*state, 1000, NULL);
}

static void list_that_lags_after_a_lost_answer(void **state)
{
    expect_one_with_lag(*state, 1,
                        &(struct stand_in_fault){.method = "POST", .apply = true, .status = 502});
}

static void list_that_shows_a_deleted_comment(void **state)
{
    struct scene *scene = *state;
    scene_start(scene);
    stand_in_comment(scene->server, 7, STAND_IN_LOGIN, "<!-- tracetax:benchmark -->\nold\n");
    fail_next(scene, (struct stand_in_fault){.method = "PATCH", .status = 404, .times = 1000});
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    scene_expect(scene, &scene->err, "the comment was created");
    assert_int_equal(stand_in_count(scene->server, "POST", NULL), 1);
}

static void forget(struct stand_in *server, void *context)
{
    (void)context;
    stand_in_forget_comments(server, 7);
}

/* The comment was there in the list and is gone when it is changed: created once. */
static void patch_of_a_deleted_comment(void **state)
{
    struct scene *scene = *state;
    scene_start(scene);
    stand_in_comment(scene->server, 7, STAND_IN_LOGIN, "<!-- tracetax:benchmark -->\nold\n");
    fail_next(scene, (struct stand_in_fault){.method = "PATCH", .hook = forget});
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    assert_int_equal(stand_in_count(scene->server, "PATCH", NULL), 1);
    assert_int_equal(stand_in_count(scene->server, "POST", NULL), 1);
    free(scene_comment(scene));
}

/* Fault 29: GitHub refuses because it was locked meanwhile. */
static void locked_while_writing(void **state)
{
    struct scene *scene = *state;
    fail_next(scene, (struct stand_in_fault){
                         .method = "POST",
                         .status = 403,
                         .message = "Unable to create comment because issue is locked."});
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    scene_expect(scene, &scene->err, "warning: the comment is not written");
    scene_expect(scene, &scene->summary, "### Linux x64");
}

/* Fault 30: a token that may not write is never a green job, and the table is not lost. */
static void read_only_token(void **state)
{
    struct scene *scene = *state;
    fail_next(scene, (struct stand_in_fault){.method = "POST",
                                             .status = 403,
                                             .message = "Resource not accessible by integration"});
    scene_report(scene, NULL);
    scene_expect_status(scene, 3);
    scene_expect(scene, &scene->err, "pull-requests: write");
    scene_expect(scene, &scene->err, "Resource not accessible by integration");
    scene_expect(scene, &scene->summary, "### Linux x64");
    scene_expect(scene, &scene->summary, "no permission");
    assert_int_equal(stand_in_count(scene->server, "POST", NULL), 1);
}

static void token_not_accepted(void **state)
{
    struct scene *scene = *state;
    fail_next(scene, (struct stand_in_fault){
                         .match = "/pulls", .status = 401, .message = "Bad credentials"});
    scene_report(scene, NULL);
    scene_expect_status(scene, 3);
    scene_expect(scene, &scene->err, "GITHUB_TOKEN");
}

static void artifacts_may_not_be_read(void **state)
{
    struct scene *scene = *state;
    fail_next(scene, (struct stand_in_fault){.times = 9,
                                             .match = "/artifacts",
                                             .status = 403,
                                             .message = "Resource not accessible by integration"});
    scene_report(scene, NULL);
    scene_expect_status(scene, 3);
    scene_expect(scene, &scene->err, "actions: read");
}

/* Another reporter's comment appears between our look and our writing. */
static void other_reporter_was_first(struct stand_in *server, void *context)
{
    stand_in_comment(server, 7, STAND_IN_LOGIN, context);
}

static void lost_race_keeps_the_lowest(void **state)
{
    struct scene *scene = *state;
    static char older[] = "<!-- tracetax:benchmark -->\n<!-- tracetax:run 49 4900 1 -->\nolder\n";
    fail_next(scene, (struct stand_in_fault){
                         .method = "POST", .hook = other_reporter_was_first, .context = older});
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "### Linux x64");
    free(comment);
}

static void lost_race_against_a_newer_run(void **state)
{
    struct scene *scene = *state;
    static char newer[] = "<!-- tracetax:benchmark -->\n<!-- tracetax:run 51 5100 1 -->\nnewer\n";
    fail_next(scene, (struct stand_in_fault){
                         .method = "POST", .hook = other_reporter_was_first, .context = newer});
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    char *comment = scene_comment(scene);
    scene_expect_text(comment, "newer");
    free(comment);
}

/* Fault 27: two real reporters at the same time, of different attempts. */
static void two_reporters_at_once(void **state)
{
    struct scene *scene = *state;
    scene_start(scene);
    for (int round = 0; round < 3; round++) {
        scene_report_twice(scene);
        char *comment = scene_comment(scene);
        scene_expect_text(comment, "attempt 2");
        free(comment);
        stand_in_forget_comments(scene->server, 7);
    }
}

/* Fault 24: the token goes to the API's host only, also when a page or a redirect says otherwise.
 */
static void token_is_not_sent_to_storage(void **state)
{
    struct scene *scene = *state;
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    assert_true(stand_in_count(scene->server, "GET", "/_blob/") >= 3);
    assert_null(stand_in_violations(scene->server));
}

static void link_to_another_host_is_not_followed(void **state)
{
    struct scene *scene = *state;
    fail_next(scene, (struct stand_in_fault){.match = "/pulls",
                                             .header = "Link",
                                             .value = "<http://localhost:9/steal>; rel=\"next\""});
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    free(scene_comment(scene));
}

static void redirect_of_the_api_to_another_host(void **state)
{
    struct scene *scene = *state;
    fail_next(scene, (struct stand_in_fault){.match = "/pulls",
                                             .status = 301,
                                             .header = "Location",
                                             .value = "http://localhost:9/steal"});
    scene_report(scene, NULL);
    scene_expect_status(scene, 3);
    scene_expect(scene, &scene->err, "another host");
}

/* A renamed repository: the same host says where it is now. The base address may end with '/'. */
static void moved_repository_is_followed(void **state)
{
    struct scene *scene = *state;
    char location[256];
    char api_url[128];
    scene_start(scene);
    (void)snprintf(location, sizeof(location), "%s/repos/acme/tracer/pulls?state=open&per_page=100",
                   stand_in_url(scene->server));
    (void)snprintf(api_url, sizeof(api_url), "%s/", stand_in_url(scene->server));
    scene->api_url = api_url;
    expect_recovery(scene,
                    (struct stand_in_fault){
                        .match = "/pulls", .status = 301, .header = "Location", .value = location});
}

static void storage_on_plain_http_elsewhere(void **state)
{
    struct scene *scene = *state;
    json_object_set_new(scene_artifact(scene, 1), "location", json_string("http://192.0.2.1/x"));
    json_object_set_new(scene_artifact(scene, 2), "location", json_string("file:///etc/passwd"));
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    scene_expect(scene, &scene->err, "an address that is not https");
    scene_expect_not(scene, &scene->err, "192.0.2.1");
    scene_expect_not(scene, &scene->err, "passwd");
}

static void missing_repository_says_so(void **state)
{
    struct scene *scene = *state;
    fail_next(scene, (struct stand_in_fault){.match = "/pulls", .status = 404});
    scene_report(scene, NULL);
    scene_expect_status(scene, 3);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, scene_setup, scene_teardown)
    const struct CMUnitTest tests[] = {
        CASE(status_429_with_retry_after),
        CASE(status_403_with_retry_after),
        CASE(status_429_without_retry_after),
        CASE(status_403_with_no_requests_left),
        CASE(status_502_in_a_list),
        CASE(status_500_for_ever),
        CASE(dropped_connection),
        CASE(answer_broken_off),
        CASE(cut_json),
        CASE(storage_fails_once),
        CASE(storage_breaks_off),
        CASE(hanging_server_ends_with_the_time_limit),
        CASE(post_applied_but_unanswered),
        CASE(post_applied_but_502),
        CASE(post_not_applied_is_repeated),
        CASE(list_that_lags),
        CASE(list_that_never_shows_it),
        CASE(list_that_lags_after_a_lost_answer),
        CASE(list_that_shows_a_deleted_comment),
        CASE(patch_of_a_deleted_comment),
        CASE(locked_while_writing),
        CASE(read_only_token),
        CASE(token_not_accepted),
        CASE(artifacts_may_not_be_read),
        CASE(lost_race_keeps_the_lowest),
        CASE(lost_race_against_a_newer_run),
        CASE(two_reporters_at_once),
        CASE(token_is_not_sent_to_storage),
        CASE(link_to_another_host_is_not_followed),
        CASE(redirect_of_the_api_to_another_host),
        CASE(moved_repository_is_followed),
        CASE(storage_on_plain_http_elsewhere),
        CASE(missing_repository_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
