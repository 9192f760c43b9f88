/* SPDX-License-Identifier: MIT */
/* A repository with a fork's pull request, and the reporter run against it. */
#include "scene.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/file.h"
#include "common/proc.h"

#define PATH_SIZE 256
#define ARGS_MAX 24

static const char *const platforms[] = {"linux-x86_64", "macos-arm64", "windows-x86_64"};

static void add_artifact(struct scene *scene, unsigned int id, unsigned int run, const char *name,
                         const char *created_at, int is_fork)
{
    char path[PATH_SIZE];
    (void)snprintf(path, sizeof(path), "%s/%u.zip", scene->folder, id);
    json_array_append_new(json_object_get(scene->state, "artifacts"),
                          json_pack("{s:i, s:s, s:s, s:b, s:s, s:i, s:{s:i, s:i, s:i, s:s, s:s}}",
                                    "id", (int)id, "name", name, "file", path, "expired", 0,
                                    "created_at", created_at, "size_in_bytes", 1000, "workflow_run",
                                    "id", (int)run, "repository_id", 100, "head_repository_id",
                                    is_fork ? 200 : 100, "head_branch",
                                    is_fork ? SCENE_BRANCH : "main", "head_sha", SCENE_HEAD));
}

static void add_run(struct scene *scene, unsigned int id, unsigned int number, const char *event,
                    const char *sha, const char *created_at, int is_fork)
{
    json_array_append_new(
        json_object_get(scene->state, "runs"),
        json_pack("{s:i, s:i, s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:{s:i}, s:{s:i, s:s}}", "id",
                  (int)id, "run_number", (int)number, "run_attempt", 1, "event", event, "status",
                  "completed", "conclusion", "success", "head_sha", sha, "head_branch",
                  is_fork ? SCENE_BRANCH : "main", "path", ".github/workflows/benchmark.yml",
                  "created_at", created_at, "repository", "id", 100, "head_repository", "id",
                  is_fork ? 200 : 100, "full_name", is_fork ? "mallory/tracer" : "acme/tracer"));
}

static void add_results(struct scene *scene, unsigned int first_id, unsigned int run,
                        const char *created_at, const char *commit, int is_fork, double head_base)
{
    for (unsigned int i = 0; i < ARRAY_LEN(platforms); i++) {
        char name[64];
        (void)snprintf(name, sizeof(name), "tracetax-%s", platforms[i]);
        add_artifact(scene, first_id + i, run, name, created_at, is_fork);
        scene_result(scene, first_id + i,
                     &(struct sample){.platform = platforms[i],
                                      .created_at = created_at,
                                      .commit = commit,
                                      .base_commit = head_base > 0 ? SCENE_MAIN : NULL,
                                      .head_base_ratio = head_base,
                                      .run_id = run,
                                      .seed = first_id + i});
    }
}

static json_t *make_event(void)
{
    return json_pack(
        "{s:s, s:{s:i, s:s, s:s}, s:{s:i, s:i, s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:[], "
        "s:s, s:{s:i, s:s, s:{s:s}}}}",
        "action", "completed", "repository", "id", 100, "full_name", "acme/tracer",
        "default_branch", "main", "workflow_run", "id", 5000, "run_number", 50, "run_attempt", 1,
        "event", "pull_request", "status", "completed", "conclusion", "success", "head_sha",
        SCENE_HEAD, "head_branch", SCENE_BRANCH, "created_at", "2026-07-23T17:50:00Z",
        "run_started_at", "2026-07-23T17:50:00Z", "updated_at", "2026-07-23T18:04:00Z",
        "pull_requests", "path", ".github/workflows/benchmark.yml", "head_repository", "id", 200,
        "full_name", "mallory/tracer", "owner", "login", "mallory");
}

static json_t *make_state(void)
{
    return json_pack(
        "{s:[], s:[], s:{}, s:[{s:i, s:s, s:b, s:s, s:{s:s, s:s, s:{s:s}, s:{s:i}}, s:{s:s, "
        "s:s, s:{s:i}}}]}",
        "runs", "artifacts", "comments", "pulls", "number", 7, "state", "open", "locked", 0,
        "created_at", "2026-07-20T08:00:00Z", "head", "ref", SCENE_BRANCH, "sha", SCENE_HEAD,
        "user", "login", "mallory", "repo", "id", 200, "base", "ref", "main", "sha", SCENE_MAIN,
        "repo", "id", 100);
}

int scene_setup(void **state)
{
    struct scene *scene = calloc(1, sizeof(*scene));
    if (!scene)
        return -1;
    const char *base = getenv("TMPDIR");
    (void)snprintf(scene->folder, sizeof(scene->folder), "%s/tracetax-contract.XXXXXX",
                   base && strlen(base) < 30 ? base : "/tmp");
    if (!mkdtemp(scene->folder)) {
        free(scene);
        return -1;
    }
    buf_init(&scene->out, 1u << 20);
    buf_init(&scene->err, 1u << 20);
    buf_init(&scene->summary, 1u << 20);
    scene->event = make_event();
    scene->state = make_state();
    add_run(scene, 5000, 50, "pull_request", SCENE_HEAD, "2026-07-23T17:50:00Z", 1);
    add_run(scene, 4500, 45, "pull_request", SCENE_PREVIOUS, "2026-07-21T10:00:00Z", 1);
    add_run(scene, 4000, 40, "push", SCENE_MAIN, "2026-07-20T06:00:00Z", 0);
    add_results(scene, 1, 5000, "2026-07-23T18:00:00Z", SCENE_HEAD, 1, 1.0);
    add_results(scene, 11, 4500, "2026-07-21T10:00:00Z", SCENE_PREVIOUS, 1, 0);
    add_results(scene, 21, 4000, "2026-07-20T06:00:00Z", SCENE_MAIN, 0, 0);
    add_artifact(scene, 31, 3999, "tracetax-history", "2026-07-20T07:00:00Z", 0);
    char *history = sample_history(&(struct sample){.platform = platforms[0]}, 12);
    *state = scene;
    assert_non_null(history);
    scene_file(scene, 31, "history.json", history, strlen(history));
    free(history);
    return 0;
}

/* A folder of files and nothing below. */
static void remove_folder(const char *folder)
{
    const char *const argv[] = {"rm", "-rf", folder, NULL};
    struct proc_spec spec = {.argv = argv, .in = PROC_NULL};
    struct proc_result result;
    if (proc_run(&spec, &result, NULL))
        (void)fprintf(stderr, "%s is left behind\n", folder);
}

int scene_teardown(void **state)
{
    struct scene *scene = *state;
    if (scene->server) {
        const char *violations = stand_in_violations(scene->server);
        if (violations)
            (void)fprintf(stderr, "requests that GitHub would not take:\n%s", violations);
        assert_null(violations);
    }
    stand_in_stop(scene->server);
    remove_folder(scene->folder);
    json_decref(scene->state);
    json_decref(scene->event);
    buf_fini(&scene->out);
    buf_fini(&scene->err);
    buf_fini(&scene->summary);
    free(scene);
    return 0;
}

void scene_file(struct scene *scene, unsigned int artifact, const char *entry, const void *data,
                size_t size_bytes)
{
    char path[PATH_SIZE];
    (void)snprintf(path, sizeof(path), "%s/%u.zip", scene->folder, artifact);
    assert_int_equal(sample_zip(path, entry, data, size_bytes), 0);
}

void scene_result(struct scene *scene, unsigned int artifact, const struct sample *sample)
{
    char path[PATH_SIZE];
    (void)snprintf(path, sizeof(path), "%s/%u.zip", scene->folder, artifact);
    assert_int_equal(sample_result_zip(path, sample), 0);
}

static json_t *by_id(const json_t *array, unsigned int id)
{
    size_t i;
    json_t *item;
    json_array_foreach((json_t *)array, i, item)
    {
        if (json_integer_value(json_object_get(item, "id")) == id)
            return item;
    }
    fail_msg("the scene has no %u", id);
    return NULL;
}

json_t *scene_artifact(struct scene *scene, unsigned int id)
{
    return by_id(json_object_get(scene->state, "artifacts"), id);
}

json_t *scene_run(struct scene *scene, unsigned int id)
{
    return by_id(json_object_get(scene->state, "runs"), id);
}

json_t *scene_pull(struct scene *scene)
{
    return json_array_get(json_object_get(scene->state, "pulls"), 0);
}

void scene_start(struct scene *scene)
{
    char *text = json_dumps(scene->state, 0);
    assert_non_null(text);
    scene->server = stand_in_start(text);
    free(text);
    assert_non_null(scene->server);
}

static void read_summary(struct scene *scene, const char *path)
{
    buf_clear(&scene->summary);
    if (!access(path, F_OK))
        assert_int_equal(file_read(path, &scene->summary, NULL), 0);
    unlink(path);
}

/* What one run of the program needs; the strings must outlive it. */
struct call {
    char event_path[PATH_SIZE], summary_path[PATH_SIZE];
    char environment[4][2 * PATH_SIZE];
    const char *envp[8];
    const char *argv[ARGS_MAX];
    size_t argc;
};

static void make_call(const struct scene *scene, const char *name, struct call *call)
{
    *call = (struct call){0};
    (void)snprintf(call->event_path, PATH_SIZE, "%s/event%s.json", scene->folder, name);
    (void)snprintf(call->summary_path, PATH_SIZE, "%s/summary%s.md", scene->folder, name);
    (void)snprintf(call->environment[0], sizeof(call->environment[0]), "GITHUB_API_URL=%s",
                   scene->api_url ? scene->api_url : stand_in_url(scene->server));
    (void)snprintf(call->environment[1], sizeof(call->environment[1]), "GITHUB_TOKEN=%s",
                   scene->token ? scene->token : STAND_IN_TOKEN);
    (void)snprintf(call->environment[2], sizeof(call->environment[2]), "GITHUB_STEP_SUMMARY=%s",
                   call->summary_path);
    (void)snprintf(call->environment[3], sizeof(call->environment[3]), "GITHUB_REPOSITORY_ID=100");
    for (size_t i = 0; i < 4; i++)
        call->envp[i] = call->environment[i];
    call->envp[4] = "GITHUB_ACTIONS=true";
    call->envp[5] = "GITHUB_WORKFLOW=Report";
    const char *const argv[] = {TRACETAX_REPORT,  "comment",     "--event",
                                call->event_path, "--baselines", scene->folder};
    memcpy(call->argv, argv, sizeof(argv));
    call->argc = ARRAY_LEN(argv);
    assert_int_equal(json_dump_file(scene->event, call->event_path, 0), 0);
}

static int make_one_call(const struct call *call, struct buf *out, struct buf *err)
{
    struct proc_spec spec = {.argv = call->argv,
                             .envp = call->envp,
                             .in = PROC_NULL,
                             .out = PROC_CAPTURE,
                             .err = PROC_CAPTURE,
                             .out_buf = out,
                             .err_buf = err,
                             .timeout_ms = 60000};
    struct proc_result result;
    return proc_run(&spec, &result, NULL) ? -1 : result.exit_code;
}

void scene_report(struct scene *scene, const char *arguments)
{
    if (!scene->server)
        scene_start(scene);
    struct call call;
    make_call(scene, "", &call);
    char *words = strdup(arguments ? arguments : "");
    assert_non_null(words);
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word && call.argc < ARGS_MAX - 1;
         word = strtok_r(NULL, " ", &rest)) {
        call.argv[call.argc++] = word;
    }

    buf_clear(&scene->out);
    buf_clear(&scene->err);
    scene->status = make_one_call(&call, &scene->out, &scene->err);
    free(words);
    read_summary(scene, call.summary_path);
    /* whatever happens, the token is nowhere */
    scene_expect_not(scene, &scene->out, STAND_IN_TOKEN);
    scene_expect_not(scene, &scene->err, STAND_IN_TOKEN);
    scene_expect_not(scene, &scene->summary, STAND_IN_TOKEN);
    scene_expect_not(scene, &scene->err, "s3cr");
}

void scene_baselines(struct scene *scene)
{
    if (!scene->server)
        scene_start(scene);
    struct call call;
    make_call(scene, "", &call);
    const char *const argv[] = {TRACETAX_REPORT, "baselines",   "--repository",
                                "acme/tracer",   "--baselines", scene->folder};
    memcpy(call.argv, argv, sizeof(argv));
    buf_clear(&scene->out);
    buf_clear(&scene->err);
    scene->status = make_one_call(&call, &scene->out, &scene->err);
    scene_expect_not(scene, &scene->err, STAND_IN_TOKEN);
    scene_expect_not(scene, &scene->err, "s3cr");
}

/* One of two reporters. */
struct reporter {
    struct call call;
    struct buf out, err;
    int status;
};

static void *report_in_thread(void *context)
{
    struct reporter *reporter = context;
    reporter->status = make_one_call(&reporter->call, &reporter->out, &reporter->err);
    return NULL;
}

void scene_report_twice(struct scene *scene)
{
    struct reporter reporters[2] = {0};
    pthread_t threads[2];
    json_t *run = json_object_get(scene->event, "workflow_run");
    for (int i = 0; i < 2; i++) {
        buf_init(&reporters[i].out, 1u << 20);
        buf_init(&reporters[i].err, 1u << 20);
        json_object_set_new(run, "run_attempt", json_integer(i + 1));
        make_call(scene, i ? "-b" : "-a", &reporters[i].call);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, report_in_thread, &reporters[i]), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(reporters[i].status, 0);
        buf_fini(&reporters[i].out);
        buf_fini(&reporters[i].err);
    }
}

char *scene_comment(struct scene *scene)
{
    json_t *comments = stand_in_comments(scene->server, 7);
    char *text = NULL;
    size_t found = 0;
    size_t i;
    json_t *comment;
    json_array_foreach(comments, i, comment)
    {
        const char *body = json_string_value(json_object_get(comment, "body"));
        const char *login =
            json_string_value(json_object_get(json_object_get(comment, "user"), "login"));
        if (strncmp(body, "<!-- tracetax:benchmark -->\n", 28) != 0 ||
            strcmp(login, STAND_IN_LOGIN) != 0) {
            continue;
        }
        found++;
        free(text);
        text = strdup(body);
    }
    json_decref(comments);
    if (found != 1)
        (void)fprintf(stderr, "%s\n", scene->err.data ? scene->err.data : "");
    assert_int_equal(found, 1);
    return text;
}

static const char *text_of(const struct buf *buf)
{
    return buf->data ? buf->data : "";
}

void scene_expect_status(const struct scene *scene, int status)
{
    if (scene->status != status)
        (void)fprintf(stderr, "standard error:\n%s\n", text_of(&scene->err));
    assert_int_equal(scene->status, status);
}

void scene_expect(const struct scene *scene, const struct buf *text, const char *part)
{
    if (!strstr(text_of(text), part))
        (void)fprintf(stderr, "not there: %s\nin: %s\nstandard error: %s\n", part, text_of(text),
                      text_of(&scene->err));
    assert_non_null(strstr(text_of(text), part));
}

void scene_expect_not(const struct scene *scene, const struct buf *text, const char *part)
{
    (void)scene;
    if (strstr(text_of(text), part))
        (void)fprintf(stderr, "there: %s\nin: %s\n", part, text_of(text));
    assert_null(strstr(text_of(text), part));
}

void scene_expect_text(const char *text, const char *part)
{
    if (!strstr(text, part))
        (void)fprintf(stderr, "not there: %s\nin: %s\n", part, text);
    assert_non_null(strstr(text, part));
}
