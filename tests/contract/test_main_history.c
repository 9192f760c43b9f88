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

/* The event becomes a push to main. @return the rows of Linux that the report then exports */
static json_t *report_push(struct scene *scene)
{
    char path[128];
    char arguments[256];
    json_t *run = json_object_get(scene->event, "workflow_run");
    set(run, "event", json_string("push"));
    set(run, "head_branch", json_string("main"));
    set(json_object_get(run, "head_repository"), "id", json_integer(100));
    (void)snprintf(path, sizeof(path), "%s/history-out.json", scene->folder);
    (void)snprintf(arguments, sizeof(arguments), "--export-history %s", path);
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

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, scene_setup, scene_teardown)
    const struct CMUnitTest tests[] = {
        CASE(push_to_main_extends_the_history),
        CASE(parts_are_one_row),
        CASE(parts_of_two_machines_are_two_rows),
        CASE(history_of_a_fork_is_not_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
