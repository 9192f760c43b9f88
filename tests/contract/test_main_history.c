/* SPDX-License-Identifier: MIT */
/* The reporter against the stand-in: the history of main, which runs of main alone extend. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene.h"

static void set(json_t *object, const char *key, json_t *value)
{
    assert_int_equal(json_object_set_new(object, key, value), 0);
}

/* The event becomes a push to main. */
static void push_arguments(struct scene *scene, char *arguments, size_t size)
{
    json_t *run = json_object_get(scene->event, "workflow_run");
    set(run, "event", json_string("push"));
    set(run, "head_branch", json_string("main"));
    set(json_object_get(run, "head_repository"), "id", json_integer(100));
    (void)snprintf(arguments, size, "--export-history %s/history-out.json", scene->folder);
}

/* A push to main. @return the rows of Linux that the report then exports */
static json_t *report_push(struct scene *scene)
{
    char path[128];
    char arguments[256];
    push_arguments(scene, arguments, sizeof(arguments));
    (void)snprintf(path, sizeof(path), "%s/history-out.json", scene->folder);
    scene_report(scene, arguments);
    scene_expect_status(scene, 0);
    assert_int_equal(stand_in_count(scene->server, "POST", NULL), 0);
    json_t *history = json_load_file(path, 0, NULL);
    assert_non_null(history);
    json_t *rows = json_object_get(json_object_get(history, "platforms"), "linux-x86_64");
    assert_non_null(rows);
    json_incref(rows);
    json_decref(history);
    return rows;
}

/* A push to main: no comment, and the history grows by one run. */
static void push_to_main_extends_the_history(void **state)
{
    struct scene *scene = *state;
    json_t *rows = report_push(scene);
    assert_int_equal(json_array_size(rows), 13);
    json_decref(rows);
}

/* The names of a row's targets, in a text. */
static void expect_targets(const json_t *rows, size_t index, const char *wanted)
{
    char names[128] = "";
    size_t i;
    json_t *target;
    json_t *targets = json_object_get(json_array_get(rows, index), "targets");
    assert_true(json_is_array(targets));
    json_array_foreach(targets, i, target)
    {
        size_t length = strlen(names);
        (void)snprintf(names + length, sizeof(names) - length, "%s ",
                       json_string_value(json_object_get(target, "name")));
    }
    assert_string_equal(names, wanted);
}

static void make_parts(struct scene *scene, const char *second_cpu)
{
    set(scene_artifact(scene, 1), "name", json_string("tracetax-linux-x86_64-1of2"));
    set(scene_artifact(scene, 2), "name", json_string("tracetax-linux-x86_64-2of2"));
    scene_result(scene, 2,
                 &(struct sample){
                     .platform = "linux-x86_64", .target = "static", .cpu = second_cpu, .seed = 2});
}

/* The last part must not be all that is left of the run. */
static void parts_are_one_row(void **state)
{
    struct scene *scene = *state;
    make_parts(scene, NULL);
    json_t *rows = report_push(scene);
    assert_int_equal(json_array_size(rows), 13);
    expect_targets(rows, 12, "dynamic static ");
    json_decref(rows);
}

static void parts_of_two_machines_are_two_rows(void **state)
{
    struct scene *scene = *state;
    make_parts(scene, "AMD EPYC 7763");
    json_t *rows = report_push(scene);
    assert_int_equal(json_array_size(rows), 14);
    expect_targets(rows, 12, "dynamic ");
    expect_targets(rows, 13, "static ");
    json_decref(rows);
}

/* A fork's tracetax-history must not be taken for ours. */
static void history_of_a_fork_is_not_taken(void **state)
{
    struct scene *scene = *state;
    json_t *run = json_object_get(scene_artifact(scene, 31), "workflow_run");
    set(run, "head_repository_id", json_integer(200));
    scene_report(scene, NULL);
    scene_expect_status(scene, 0);
    assert_int_equal(stand_in_count(scene->server, NULL, "artifacts/31/zip"), 0);
    char *comment = scene_comment(scene);
    assert_null(strstr(comment, "mermaid"));
    free(comment);
}

/* Another artifact like 31, newer than all; its archive is the caller's to write. */
static json_t *add_history(struct scene *scene, unsigned int id)
{
    char path[128];
    char created_at[32];
    json_t *artifact = json_deep_copy(scene_artifact(scene, 31));
    (void)snprintf(path, sizeof(path), "%s/%u.zip", scene->folder, id);
    (void)snprintf(created_at, sizeof(created_at), "2026-07-21T07:%02u:%02uZ", id / 60 % 60,
                   id % 60);
    set(artifact, "id", json_integer(id));
    set(artifact, "file", json_string(path));
    set(artifact, "created_at", json_string(created_at));
    json_array_insert_new(json_object_get(scene->state, "artifacts"), 0, artifact);
    return artifact;
}

/* Anybody can have a run make artifacts of this name. */
static void add_histories_of_forks(struct scene *scene, unsigned int count)
{
    for (unsigned int i = 0; i < count; i++) {
        json_t *run = json_object_get(add_history(scene, 100 + i), "workflow_run");
        set(run, "head_repository_id", json_integer(200));
    }
}

static void histories_of_forks_hide_nothing(void **state)
{
    struct scene *scene = *state;
    add_histories_of_forks(scene, 150);
    json_t *rows = report_push(scene);
    assert_int_equal(json_array_size(rows), 13);
    assert_int_equal(stand_in_count(scene->server, NULL, "name=tracetax-history"), 2);
    scene_expect_not(scene, &scene->err, "starts anew");
    json_decref(rows);
}

/* Twenty pages are looked at; what comes of it is said. */
static void too_many_histories_of_forks(void **state)
{
    struct scene *scene = *state;
    set(scene->state, "page_size", json_integer(1));
    add_histories_of_forks(scene, 25);
    json_t *rows = report_push(scene);
    assert_int_equal(json_array_size(rows), 1);
    assert_int_equal(stand_in_count(scene->server, NULL, "name=tracetax-history"), 20);
    scene_expect(scene, &scene->err, "none of the newest 20 artifacts");
    scene_expect(scene, &scene->err, "warning: the history of main starts anew");
    json_decref(rows);
}

/* One is damaged, one gone, one expired: the one before them serves. */
static void unreadable_history_walks_back(void **state)
{
    struct scene *scene = *state;
    add_history(scene, 32);
    set(add_history(scene, 33), "gone", json_true());
    set(add_history(scene, 34), "expired", json_true());
    scene_file(scene, 32, "history.json", "{\"schema\":", 10);
    json_t *rows = report_push(scene);
    assert_int_equal(json_array_size(rows), 13);
    scene_expect(scene, &scene->err, "warning: a history of main is not used");
    scene_expect_not(scene, &scene->err, "starts anew");
    json_decref(rows);
}

static void lost_history_is_said(void **state)
{
    struct scene *scene = *state;
    scene_file(scene, 31, "history.json", "{\"schema\":", 10);
    json_t *rows = report_push(scene);
    assert_int_equal(json_array_size(rows), 1);
    scene_expect(scene, &scene->err, "warning: the history of main starts anew");
    scene_expect(scene, &scene->summary, "the history of main starts anew");
    json_decref(rows);
}

static void expired_history_is_said(void **state)
{
    struct scene *scene = *state;
    set(scene_artifact(scene, 31), "expired", json_true());
    json_t *rows = report_push(scene);
    assert_int_equal(json_array_size(rows), 1);
    scene_expect(scene, &scene->err, "has expired");
    scene_expect(scene, &scene->err, "warning: the history of main starts anew");
    json_decref(rows);
}

/* The first run of main has nothing to lose. */
static void first_history_is_no_loss(void **state)
{
    struct scene *scene = *state;
    set(scene_artifact(scene, 31), "name", json_string("logs"));
    json_t *rows = report_push(scene);
    assert_int_equal(json_array_size(rows), 1);
    scene_expect_not(scene, &scene->err, "starts anew");
    json_decref(rows);
}

/* One of a newer version of ours must not be replaced by an older one with a row more. */
static void history_of_a_newer_format_is_kept(void **state)
{
    struct scene *scene = *state;
    static const char newer[] = "{\"schema\":\"tracetax.history/2\",\"platforms\":{}}";
    add_history(scene, 32);
    scene_file(scene, 32, "history.json", newer, strlen(newer));
    char arguments[256];
    push_arguments(scene, arguments, sizeof(arguments));
    scene_report(scene, arguments);
    scene_expect_status(scene, 3);
    assert_int_equal(stand_in_count(scene->server, NULL, "artifacts/31/zip"), 0);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, scene_setup, scene_teardown)
    const struct CMUnitTest tests[] = {
        CASE(push_to_main_extends_the_history),
        CASE(parts_are_one_row),
        CASE(parts_of_two_machines_are_two_rows),
        CASE(history_of_a_fork_is_not_taken),
        CASE(histories_of_forks_hide_nothing),
        CASE(too_many_histories_of_forks),
        CASE(unreadable_history_walks_back),
        CASE(lost_history_is_said),
        CASE(expired_history_is_said),
        CASE(first_history_is_no_loss),
        CASE(history_of_a_newer_format_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
