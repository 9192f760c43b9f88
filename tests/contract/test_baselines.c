/* SPDX-License-Identifier: MIT */
/* `tracetax-report baselines`: only main's own newest results become files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/result.h"
#include "scene.h"

static void path_of(const struct scene *scene, const char *platform, char path[256])
{
    (void)snprintf(path, 256, "%s/%s.json", scene->folder, platform);
}

/* The baseline of a platform is there, of this run and commit. */
static void expect_baseline(const struct scene *scene, const char *platform, uint64_t run,
                            const char *commit)
{
    char path[256];
    struct tt_result result;
    path_of(scene, platform, path);
    assert_int_equal(tt_result_read(path, &result, NULL), 0);
    assert_string_equal(result.platform.id, platform);
    assert_int_equal(result.ci.run_id, run);
    assert_string_equal(result.commit, commit);
    tt_result_fini(&result);
}

static void expect_none(const struct scene *scene, const char *platform)
{
    char path[256];
    path_of(scene, platform, path);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void set(json_t *object, const char *key, json_t *value)
{
    assert_int_equal(json_object_set_new(object, key, value), 0);
}

static void newest_results_of_main(void **state)
{
    struct scene *scene = *state;
    scene_baselines(scene);
    scene_expect_status(scene, 0);
    expect_baseline(scene, "linux-x86_64", 4000, SCENE_MAIN);
    expect_baseline(scene, "macos-arm64", 4000, SCENE_MAIN);
    expect_baseline(scene, "windows-x86_64", 4000, SCENE_MAIN);
    scene_expect(scene, &scene->err, "linux-x86_64.json: run 4000, commit " SCENE_MAIN);
}

/* Newer, pushed to a branch called main, and the fork's. */
static void fork_called_main(void **state)
{
    struct scene *scene = *state;
    json_t *run = scene_run(scene, 5000);
    set(run, "event", json_string("push"));
    set(run, "head_branch", json_string("main"));
    scene_baselines(scene);
    scene_expect_status(scene, 0);
    expect_baseline(scene, "linux-x86_64", 4000, SCENE_MAIN);
    assert_int_equal(stand_in_count(scene->server, NULL, "/runs/5000/"), 0);
}

/* A result that names another run or commit than its artifact is no baseline. */
static void results_that_lie(void **state)
{
    struct scene *scene = *state;
    scene_result(
        scene, 21,
        &(struct sample){.platform = "linux-x86_64", .commit = SCENE_HEAD, .run_id = 4000});
    scene_result(scene, 22,
                 &(struct sample){.platform = "macos-arm64", .commit = SCENE_MAIN, .run_id = 5000});
    scene_baselines(scene);
    scene_expect_status(scene, 0);
    scene_expect(scene, &scene->err, "it says that it measured another commit than its run");
    scene_expect(scene, &scene->err, "it says that another run measured it");
    expect_none(scene, "linux-x86_64");
    expect_none(scene, "macos-arm64");
    expect_baseline(scene, "windows-x86_64", 4000, SCENE_MAIN);
}

/* Parts become one file; without all of them there is none. */
static void parts(void **state)
{
    struct scene *scene = *state;
    set(scene_artifact(scene, 21), "name", json_string("tracetax-linux-x86_64-1of2"));
    set(scene_artifact(scene, 22), "name", json_string("tracetax-linux-x86_64-2of2"));
    set(scene_artifact(scene, 23), "name", json_string("tracetax-windows-x86_64-2of2"));
    scene_result(
        scene, 22,
        &(struct sample){
            .platform = "linux-x86_64", .target = "other", .commit = SCENE_MAIN, .run_id = 4000});
    scene_baselines(scene);
    scene_expect_status(scene, 0);
    expect_baseline(scene, "linux-x86_64", 4000, SCENE_MAIN);
    expect_none(scene, "windows-x86_64");
    scene_expect(scene, &scene->err, "not all of its parts were measured");
}

static void everything_expired(void **state)
{
    struct scene *scene = *state;
    for (unsigned int id = 21; id <= 23; id++)
        set(scene_artifact(scene, id), "expired", json_true());
    scene_baselines(scene);
    scene_expect_status(scene, 3);
    scene_expect(scene, &scene->err, "no baseline was written");
    expect_none(scene, "linux-x86_64");
}

static void refused_token(void **state)
{
    struct scene *scene = *state;
    scene_start(scene);
    stand_in_fail(scene->server, &(struct stand_in_fault){.times = 1, .status = 401});
    scene_baselines(scene);
    scene_expect_status(scene, 3);
    scene_expect(scene, &scene->err, "the token is not accepted");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, scene_setup, scene_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(newest_results_of_main), CASE(fork_called_main), CASE(results_that_lie), CASE(parts),
        CASE(everything_expired),     CASE(refused_token),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
