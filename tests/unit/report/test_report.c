/* SPDX-License-Identifier: MIT */
/* The pure parts of the reporter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/archive.h"
#include "report/artifact.h"
#include "report/comment.h"
#include "report/event.h"
#include "report/log.h"
#include "report/pull.h"
#include "report/runs.h"
#include "report/url.h"
#include "report/view.h"
#include "report/wait.h"
#include "report/when.h"

#define SHA "ecf9e9af19c581f156188679cb2a9e8d458c9ba8"
/* Characters that turn the direction of text around are tested, too.
   NOLINTBEGIN(misc-misleading-bidirectional) */

/* 65 characters after the prefix */
#define TOO_LONG "tracetax-12345678901234567890123456789012345678901234567890123456789012345"
#define OTHER "594f3ce2000000000000000000000000000000aa"

static struct rep_answer status(long code)
{
    return (struct rep_answer){
        .status = code, .retry_after_s = -1, .ratelimit_remaining = -1, .ratelimit_reset_unix = -1};
}

static void wait_is_what_github_asks_for(void **state)
{
    (void)state;
    uint64_t ms = 0;
    struct rep_answer answer = status(200);
    assert_int_equal(rep_wait_after(&answer, 1, 0, &ms), REP_NEXT_DONE);
    answer = status(404);
    assert_int_equal(rep_wait_after(&answer, 1, 0, &ms), REP_NEXT_DONE);
    answer = status(403); /* no permission: another try does not help */
    assert_int_equal(rep_wait_after(&answer, 1, 0, &ms), REP_NEXT_DONE);
    assert_int_equal(ms, 0);

    answer = status(429);
    answer.retry_after_s = 7;
    assert_int_equal(rep_wait_after(&answer, 1, 0, &ms), REP_NEXT_WAIT);
    assert_int_equal(ms, 7000);
    answer = status(429); /* secondary limit: a minute, growing */
    assert_int_equal(rep_wait_after(&answer, 1, 0, &ms), REP_NEXT_WAIT);
    assert_int_equal(ms, 60000);
    assert_int_equal(rep_wait_after(&answer, 3, 0, &ms), REP_NEXT_WAIT);
    assert_int_equal(ms, 240000);
    answer = status(403);
    answer.says_rate_limit = true;
    assert_int_equal(rep_wait_after(&answer, 1, 0, &ms), REP_NEXT_WAIT);
    assert_int_equal(ms, 60000);
    answer = status(403); /* primary limit: until the reset */
    answer.ratelimit_remaining = 0;
    answer.ratelimit_reset_unix = 1030;
    assert_int_equal(rep_wait_after(&answer, 1, 1000, &ms), REP_NEXT_WAIT);
    assert_int_equal(ms, 31000);
    answer.ratelimit_reset_unix = 900; /* in the past */
    assert_int_equal(rep_wait_after(&answer, 1, 1000, &ms), REP_NEXT_WAIT);
    assert_int_equal(ms, 1000);
    answer.ratelimit_reset_unix = INT64_MAX;
    assert_int_equal(rep_wait_after(&answer, 1, 1000, &ms), REP_NEXT_WAIT);
    assert_int_equal(ms, 3601000);
}

static void back_off_grows_and_ends(void **state)
{
    (void)state;
    static const long codes[] = {500, 502, 503, 504};
    uint64_t ms = 0;
    for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
        struct rep_answer answer = status(codes[i]);
        uint64_t wanted = 1000;
        for (unsigned int tries = 1; tries < REP_WAIT_MAX_TRIES; tries++, wanted *= 2) {
            assert_int_equal(rep_wait_after(&answer, tries, 0, &ms), REP_NEXT_WAIT);
            assert_int_equal(ms, wanted);
        }
        assert_int_equal(rep_wait_after(&answer, REP_WAIT_MAX_TRIES, 0, &ms), REP_NEXT_GIVE_UP);
    }
    struct rep_answer nothing = status(0);
    nothing.unanswered = true;
    assert_int_equal(rep_wait_after(&nothing, 1, 0, &ms), REP_NEXT_WAIT);
    assert_false(rep_answer_is_rate_limit(&nothing));
}

static void addresses_that_may_be_used(void **state)
{
    (void)state;
    static const char *const good[] = {"https://api.github.com", "https://host/api/v3",
                                       "http://127.0.0.1:80", "http://[::1]:8080",
                                       "http://localhost:1"};
    static const char *const bad[] = {"http://api.github.com",
                                      "http://127.0.0.1.evil.com",
                                      "http://localhost.evil.com",
                                      "http://127.0.0.2",
                                      "http://0.0.0.0",
                                      "ftp://127.0.0.1",
                                      "file:///etc/passwd",
                                      "https://user:pass@host",
                                      "http://user@localhost",
                                      "not a url",
                                      ""};
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        assert_int_equal(rep_url_check(good[i], true), 0);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_int_not_equal(rep_url_check(bad[i], true), 0);
    /* from an https API the storage must be https, loopback or not */
    assert_int_not_equal(rep_url_check("http://127.0.0.1", false), 0);
}

static void origins(void **state)
{
    (void)state;
    assert_true(rep_url_same_origin("https://a/x", "https://A:443/y?z"));
    assert_false(rep_url_same_origin("https://a", "http://a"));
    assert_false(rep_url_same_origin("https://a", "https://a:444"));
    assert_false(rep_url_same_origin("https://a", "https://a.evil"));
    assert_false(rep_url_same_origin("https://a", "https://a@evil"));
    assert_false(rep_url_same_origin("https://a", "//a"));
}

static void next_of_a_link(void **state)
{
    (void)state;
    char *next = NULL;
    assert_int_equal(rep_url_next_of_link("<https://a?page=1>; rel=\"prev\", <https://a?page=3>; "
                                          "rel=\"next\", <https://a?page=9>; rel=\"last\"",
                                          &next),
                     0);
    assert_string_equal(next, "https://a?page=3");
    free(next);
    static const char *const none[] = {"", "<https://a", "<https://a>; rel=\"last\"",
                                       "rel=\"next\""};
    for (size_t i = 0; i < ARRAY_LEN(none); i++) {
        assert_int_equal(rep_url_next_of_link(none[i], &next), 0);
        assert_null(next);
    }
}

static void encoding_of_a_branch(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, 100);
    rep_url_encode(&out, "a/b&c=d#e f%\xc3\xa4");
    assert_string_equal(out.data, "a%2Fb%26c%3Dd%23e%20f%25%C3%A4");
    buf_fini(&out);
}

static void times(void **state)
{
    (void)state;
    int64_t unix_s = 1;
    assert_int_equal(rep_when_parse("1970-01-01T00:00:00Z", &unix_s), 0);
    assert_int_equal(unix_s, 0);
    assert_int_equal(rep_when_parse("2026-07-23T18:04:00Z", &unix_s), 0);
    assert_int_equal(unix_s, 1784829840);
    assert_int_equal(rep_when_parse("2024-02-29T00:00:00.123Z", &unix_s), 0);
    assert_int_equal(unix_s, 1709164800);
    static const char *const bad[] = {"",
                                      "2026-07-23",
                                      "2026-13-01T00:00:00Z",
                                      "2026-07-23T18:04:00+02:00",
                                      "2026-07-23 18:04:00Z",
                                      "x026-07-23T18:04:00Z"};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_int_not_equal(rep_when_parse(bad[i], &unix_s), 0);
    assert_int_not_equal(rep_when_parse(NULL, &unix_s), 0);

    struct buf out;
    buf_init(&out, 200);
    rep_when_format(&out, 1784829840);
    assert_string_equal(out.data, "2026-07-23 18:04 UTC");
    static const struct {
        int64_t age_s;
        const char *words;
    } ages[] = {{-5, "just now"},         {119, "just now"},     {120, "2 minutes ago"},
                {3599, "59 minutes ago"}, {3600, "an hour ago"}, {7200, "2 hours ago"},
                {86400, "a day ago"},     {200000, "2 days ago"}};
    for (size_t i = 0; i < ARRAY_LEN(ages); i++) {
        buf_clear(&out);
        rep_when_age(&out, 1784829840, 1784829840 - ages[i].age_s);
        assert_string_equal(out.data, ages[i].words);
    }
    buf_fini(&out);
}

static void names_of_artifacts(void **state)
{
    (void)state;
    struct rep_artifact artifact = {0};
    assert_int_equal(rep_artifact_parse_name("tracetax-linux-x86_64", &artifact), 0);
    assert_string_equal(artifact.platform, "linux-x86_64");
    assert_int_equal(artifact.shards, 1);
    assert_int_equal(rep_artifact_parse_name("tracetax-linux-x86_64-2of5", &artifact), 0);
    assert_string_equal(artifact.platform, "linux-x86_64");
    assert_int_equal(artifact.shard, 2);
    assert_int_equal(artifact.shards, 5);
    static const char *const bad[] = {"",
                                      "tracetax",
                                      "tracetax-",
                                      "tracetax-history",
                                      "xtracetax-linux",
                                      "tracetax-Linux",
                                      "tracetax-lin ux",
                                      "tracetax-../x",
                                      "tracetax-a\nb",
                                      "tracetax--2of5",
                                      TOO_LONG};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_int_not_equal(rep_artifact_parse_name(bad[i], &artifact), 0);
    /* not a part: the whole is the platform's name */
    assert_int_equal(rep_artifact_parse_name("tracetax-linux-6of5", &artifact), 0);
    assert_string_equal(artifact.platform, "linux-6of5");
}

static json_t *event_json(void)
{
    return json_pack("{s:s, s:{s:i, s:s, s:s}, s:{s:i, s:i, s:i, s:s, s:s, s:s, s:s, s:s, s:s, "
                     "s:{s:i, s:{s:s}}}}",
                     "action", "completed", "repository", "id", 100, "full_name", "acme/tracer",
                     "default_branch", "trunk", "workflow_run", "id", 5, "run_number", 4,
                     "run_attempt", 3, "event", "pull_request", "head_sha", SHA, "head_branch", "x",
                     "updated_at", "2026-07-23T18:04:00Z", "path",
                     ".github/workflows/benchmark.yml", "conclusion", "success", "head_repository",
                     "id", 200, "owner", "login", "mallory");
}

#define WORKFLOW ".github/workflows/benchmark.yml"

static void read_event(json_t *json, struct rep_event *event)
{
    assert_int_equal(rep_event_read(json, 100, WORKFLOW, event, NULL), 0);
}

static void events(void **state)
{
    (void)state;
    struct rep_event event;
    json_t *json = event_json();
    json_t *run = json_object_get(json, "workflow_run");
    read_event(json, &event);
    assert_int_equal(event.kind, REP_EVENT_PULL);
    assert_string_equal(event.workflow_file, "benchmark.yml");

    json_object_set_new(run, "path", json_string(WORKFLOW "@refs/heads/trunk"));
    read_event(json, &event);
    assert_int_equal(event.kind, REP_EVENT_PULL);
    static const char *const foreign[] = {".github/workflows/benchmark.yml2", "benchmark.yml",
                                          ".github/workflows/benchmark.yml@x.yml", ""};
    for (size_t i = 0; i < ARRAY_LEN(foreign); i++) {
        json_object_set_new(run, "path", json_string(foreign[i]));
        read_event(json, &event);
        assert_int_equal(event.kind, REP_EVENT_NOTHING);
    }
    json_object_set_new(run, "path", json_string(WORKFLOW));

    static const char *const triggers[] = {"push", "pull_request_target", "schedule"};
    for (size_t i = 0; i < ARRAY_LEN(triggers); i++) {
        json_object_set_new(run, "event", json_string(triggers[i]));
        json_object_set_new(run, "head_branch", json_string("trunk"));
        read_event(json, &event);
        assert_int_equal(event.kind, REP_EVENT_NOTHING); /* a push of the fork */
    }
    json_object_set_new(json_object_get(run, "head_repository"), "id", json_integer(100));
    json_object_set_new(run, "event", json_string("push"));
    read_event(json, &event);
    assert_int_equal(event.kind, REP_EVENT_PUSH_MAIN);

    json_object_set_new(run, "head_repository", json_null());
    read_event(json, &event);
    assert_int_equal(event.kind, REP_EVENT_NOTHING); /* the fork is gone */
    json_object_set_new(json, "action", json_string("requested"));
    read_event(json, &event);
    assert_int_equal(event.kind, REP_EVENT_NOTHING);
    json_decref(json);
}

static void events_that_are_none(void **state)
{
    (void)state;
    static const char *const keys[] = {"id", "run_number", "run_attempt", "head_sha", "updated_at"};
    struct rep_event event;
    struct err err;
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        json_t *json = event_json();
        json_object_set_new(json_object_get(json, "workflow_run"), keys[i], json_string("../x"));
        assert_int_not_equal(rep_event_read(json, 100, WORKFLOW, &event, &err), 0);
        json_decref(json);
    }
    json_t *json = event_json();
    static const char *const names[] = {"acme", "acme/..", "acme/x/y", "ac me/x", "acme/x?y", "/x"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        json_object_set_new(json_object_get(json, "repository"), "full_name",
                            json_string(names[i]));
        assert_int_not_equal(rep_event_read(json, 100, WORKFLOW, &event, &err), 0);
    }
    json_decref(json);
    json = json_object();
    assert_int_not_equal(rep_event_read(json, 100, WORKFLOW, &event, &err), 0);
    json_decref(json);
}

static json_t *pull(int number, int head_id, const char *sha, const char *base, int base_id)
{
    return json_pack("{s:i, s:s, s:b, s:{s:s, s:s, s:{s:i}}, s:{s:s, s:{s:i}}}", "number", number,
                     "state", "open", "locked", 0, "head", "ref", "x", "sha", sha, "repo", "id",
                     head_id, "base", "ref", base, "repo", "id", base_id);
}

static void choice_of_the_pull_request(void **state)
{
    (void)state;
    struct rep_event event = {.head_repository_id = 200, .repository_id = 100};
    (void)snprintf(event.head_branch, sizeof(event.head_branch), "%s", "x");
    (void)snprintf(event.head_sha, sizeof(event.head_sha), "%s", SHA);
    (void)snprintf(event.default_branch, sizeof(event.default_branch), "%s", "trunk");

    struct rep_pull found = {0};
    json_t *page = json_pack("[o,o,o,o,o]", pull(1, 201, SHA, "trunk", 100), /* another fork */
                             pull(2, 200, SHA, "trunk", 101), /* into another repository */
                             pull(3, 200, SHA, "old", 100), pull(9, 200, SHA, "trunk", 100),
                             pull(4, 200, OTHER, "trunk", 100));
    rep_pull_consider(page, &event, &found);
    assert_int_equal(found.number, 9); /* the default branch goes first */
    assert_int_equal(found.others, 1);
    assert_int_equal(found.moved_on, 4);
    json_decref(page);

    found = (struct rep_pull){0};
    page = json_pack("[o,o]", pull(8, 200, SHA, "old", 100), pull(6, 200, SHA, "older", 100));
    rep_pull_consider(page, &event, &found);
    assert_int_equal(found.number, 6);
    json_decref(page);

    found = (struct rep_pull){0};
    page = json_pack("[n, {}, {s:n}, i]", "head", 5);
    rep_pull_consider(page, &event, &found);
    assert_int_equal(found.number, 0);
    json_decref(page);
}

static json_t *run(int id, int number, int head_id, const char *sha, const char *created)
{
    return json_pack("{s:i, s:i, s:s, s:s, s:s, s:s, s:s, s:{s:i}}", "id", id, "run_number", number,
                     "event", "push", "status", "completed", "head_sha", sha, "head_branch",
                     "trunk", "created_at", created, "head_repository", "id", head_id);
}

static void order_of_the_baselines(void **state)
{
    (void)state;
    struct rep_event event = {.repository_id = 100, .run_id = 5, .run_number = 4};
    (void)snprintf(event.default_branch, sizeof(event.default_branch), "%s", "trunk");
    struct rep_runs *runs = calloc(1, sizeof(*runs));
    assert_non_null(runs);
    json_t *page = json_pack("[o,o,o,o]", run(11, 1, 100, SHA, "2026-07-01T00:00:00Z"),
                             run(12, 2, 100, OTHER, "2026-07-02T00:00:00Z"),
                             run(13, 3, 200, OTHER, "2026-07-03T00:00:00Z"), /* a fork's */
                             run(12, 2, 100, OTHER, "2026-07-02T00:00:00Z"));
    rep_runs_of_main(page, &event, runs);
    assert_int_equal(runs->count, 2);
    assert_int_equal(runs->run[0].id, 12);
    assert_true(rep_runs_differ(runs));
    rep_runs_prefer(runs, SHA, 0);
    assert_int_equal(runs->run[0].id, 11);
    /* no run of the merge base itself: the one before it, not the one after */
    rep_runs_prefer(runs, "0000000000000000000000000000000000000000", 1782993600);
    assert_int_equal(runs->run[0].id, 11);
    json_decref(page);
    free(runs);
}

static void no_more_runs_than_there_is_room(void **state)
{
    (void)state;
    struct rep_event event = {.repository_id = 100};
    (void)snprintf(event.default_branch, sizeof(event.default_branch), "%s", "trunk");
    struct rep_runs *runs = calloc(1, sizeof(*runs));
    assert_non_null(runs);
    json_t *page = json_array();
    for (int i = 1; i <= 250; i++)
        json_array_append_new(page, run(1000 + i, i, 100, SHA, "2026-07-01T00:00:00Z"));
    rep_runs_of_main(page, &event, runs);
    assert_int_equal(runs->count, REP_RUNS_MAX);
    assert_int_equal(runs->run[0].number, 250);
    assert_int_equal(runs->run[REP_RUNS_MAX - 1].number, 151);
    json_decref(page);
    free(runs);
}

static void stamps(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, 200);
    struct rep_stamp stamp = {12, UINT64_C(30028036239), 2};
    struct rep_stamp read;
    rep_comment_head(&out, REP_WORKFLOW_DEFAULT, &stamp);
    buf_puts(&out, "text");
    assert_true(rep_comment_same_marker(out.data, REP_COMMENT_MARKER "\r\nother"));
    assert_int_equal(rep_comment_read_stamp(out.data, &read), 0);
    assert_memory_equal(&stamp, &read, sizeof(read));
    buf_fini(&out);
    static const char *const none[] = {"",
                                       REP_COMMENT_MARKER,
                                       REP_COMMENT_MARKER "\ntext",
                                       REP_COMMENT_MARKER "\n<!-- tracetax:run 1 2 -->",
                                       "x\n<!-- tracetax:run 1 2 3 -->",
                                       REP_COMMENT_MARKER "\n<!-- tracetax:run -1 2 3 -->",
                                       REP_COMMENT_MARKER
                                       "\n<!-- tracetax:run 99999999999999999999999 2 3 -->"};
    for (size_t i = 0; i < ARRAY_LEN(none); i++)
        assert_int_not_equal(rep_comment_read_stamp(none[i], &read), 0);
    assert_true(rep_comment_is_marked(REP_COMMENT_MARKER "\r\ntext"));
    assert_false(rep_comment_is_marked(REP_COMMENT_MARKER "x"));
    assert_false(rep_comment_is_marked(" " REP_COMMENT_MARKER));
    /* numbers start anew with a renamed workflow; ids do not */
    assert_true(rep_stamp_is_newer(&(struct rep_stamp){1, 9, 1}, &(struct rep_stamp){500, 1, 9}));
    assert_true(rep_stamp_is_newer(&(struct rep_stamp){2, 1, 2}, &(struct rep_stamp){2, 1, 1}));
    assert_false(rep_stamp_is_newer(&(struct rep_stamp){2, 1, 1}, &(struct rep_stamp){2, 1, 1}));
}

/* Each workflow keeps a comment of its own. */
static void markers(void **state)
{
    (void)state;
    struct buf other;
    struct rep_stamp stamp = {12, 30, 2};
    struct rep_stamp read;
    buf_init(&other, 200);
    rep_comment_head(&other, ".github/workflows/a--><b> c.yml", &stamp);
    assert_string_equal(other.data, "<!-- tracetax:benchmark "
                                    ".github%2Fworkflows%2Fa--%3E%3Cb%3E%20c.yml -->\n"
                                    "<!-- tracetax:run 12 30 2 -->\n");
    assert_true(rep_comment_same_marker(other.data, other.data));
    assert_int_equal(rep_comment_read_stamp(other.data, &read), 0);
    assert_memory_equal(&stamp, &read, sizeof(read));
    assert_false(rep_comment_same_marker(other.data, REP_COMMENT_MARKER "\n"));
    assert_false(rep_comment_same_marker(REP_COMMENT_MARKER "\n", other.data));
    buf_clear(&other);
    rep_comment_head(&other, "x.yml", &(struct rep_stamp){0});
    assert_string_equal(other.data, "<!-- tracetax:benchmark x.yml -->\n");
    buf_fini(&other);
    static const char *const none[] = {"",
                                       "\n",
                                       "<!-- tracetax:benchmark-->",
                                       "<!-- tracetax:benchmark  -->",
                                       "<!-- tracetax:benchmarkx -->",
                                       "<!-- tracetax:benchmark a b -->",
                                       "<!-- tracetax:benchmark a -->b -->",
                                       "<!-- tracetax:benchmark\n -->"};
    for (size_t i = 0; i < ARRAY_LEN(none); i++) {
        assert_false(rep_comment_is_marked(none[i]));
        assert_false(rep_comment_same_marker(none[i], none[i]));
    }
}

static void same_text(void **state)
{
    (void)state;
    assert_true(rep_comment_same_text("a\nb\n", "a\r\nb"));
    assert_true(rep_comment_same_text("", "\r\n "));
    assert_false(rep_comment_same_text("a\nb", "a\nc"));
    assert_false(rep_comment_same_text("a", "ab"));
    assert_false(rep_comment_same_text("a\rb", "ab"));
}

static void workflow_commands(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, 400);
    rep_log_command(&out, REP_WARNING, "50%\r\n::set-output name=x::y %0A");
    assert_string_equal(out.data, "::warning::50%25%0D%0A::set-output name=x::y %250A");
    buf_fini(&out);

    struct rep_log log = {0};
    rep_log(&log, REP_INFO, "a\nb\x1b[31m\xe2\x80\xae");
    assert_int_equal(log.entries_count, 1);
    for (const char *c = log.entries[0].line; *c; c++)
        assert_true((unsigned char)*c >= 0x20);
    assert_null(strstr(log.entries[0].line, "\xe2\x80\xae"));
    for (int i = 0; i < 300; i++)
        rep_log(&log, REP_INFO, "%d", i);
    assert_int_equal(log.entries_count, REP_LOG_MAX_LINES);
    assert_int_equal(log.dropped_count, 301 - REP_LOG_MAX_LINES);
    rep_log_fini(&log);
}

static void titles(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"linux-x86_64", "Linux x64"},
                                           {"macos-arm64", "macOS arm64"},
                                           {"darwin-arm64", "macOS arm64"},
                                           {"windows-x86_64", "Windows x64"},
                                           {"linux-aarch64-graviton", "Linux arm64 graviton"},
                                           {"linuxx-x86_64", "linuxx-x86_64"},
                                           {"riscv", "riscv"}};
    for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
        char title[130];
        rep_view_title(pairs[i][0], title, sizeof(title));
        assert_string_equal(title, pairs[i][1]);
    }
}

/* Every cut of a right archive is refused, and none is read past its end (asan). */
static void archives_cut_anywhere(void **state)
{
    (void)state;
    static const unsigned char archive[] = {'P', 'K', 3,   4,   10,  0,   0,   0,   0,   0,   0,
                                            0,   33,  0,   0,   0,   0,   0,   2,   0,   0,   0,
                                            2,   0,   0,   0,   11,  0,   0,   0,   'r', 'e', 's',
                                            'u', 'l', 't', '.', 'j', 's', 'o', 'n', '{', '}'};
    for (size_t size = 0; size <= sizeof(archive); size++) {
        struct buf out;
        buf_init(&out, 100);
        assert_int_not_equal(rep_archive_read(archive, size, "result.json", &out, NULL), 0);
        buf_fini(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wait_is_what_github_asks_for),
        cmocka_unit_test(back_off_grows_and_ends),
        cmocka_unit_test(addresses_that_may_be_used),
        cmocka_unit_test(origins),
        cmocka_unit_test(next_of_a_link),
        cmocka_unit_test(encoding_of_a_branch),
        cmocka_unit_test(times),
        cmocka_unit_test(names_of_artifacts),
        cmocka_unit_test(events),
        cmocka_unit_test(events_that_are_none),
        cmocka_unit_test(choice_of_the_pull_request),
        cmocka_unit_test(order_of_the_baselines),
        cmocka_unit_test(no_more_runs_than_there_is_room),
        cmocka_unit_test(stamps),
        cmocka_unit_test(markers),
        cmocka_unit_test(same_text),
        cmocka_unit_test(workflow_commands),
        cmocka_unit_test(titles),
        cmocka_unit_test(archives_cut_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* NOLINTEND(misc-misleading-bidirectional) */
