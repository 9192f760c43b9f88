/* SPDX-License-Identifier: MIT */
/* The event of the workflow_run job. */
#include "report/event.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Copy a string that must be there and fit. */
static int copy(const json_t *value, char *out, size_t size)
{
    const char *text = json_string_value(value);
    if (!text || !*text || strlen(text) >= size)
        return -EPROTO;
    memcpy(out, text, strlen(text) + 1);
    return 0;
}

/* It becomes part of addresses and links. */
bool rep_event_is_repository(const char *text)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    size_t owner = strspn(text, allowed);
    if (!owner || text[owner] != '/')
        return false;
    const char *name = text + owner + 1;
    return *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
           !name[strspn(name, allowed)];
}

/* GitHub gives the path of a run's workflow with or without the ref that it was read from. */
static bool is_our_path(const char *path, const char *workflow_path)
{
    size_t length = strlen(workflow_path);
    return path && !strncmp(path, workflow_path, length) &&
           (!path[length] || !strncmp(path + length, "@refs/", 6));
}

static int nothing(struct rep_event *event, const char *reason)
{
    event->kind = REP_EVENT_NOTHING;
    (void)snprintf(event->reason, sizeof(event->reason), "%s", reason);
    return 0;
}

/* The fields without which nothing can be done. */
static int read_fields(const json_t *json, const json_t *run, struct rep_event *out)
{
    const json_t *repository = json_object_get(json, "repository");
    int ret =
        copy(json_object_get(repository, "full_name"), out->repository, sizeof(out->repository));
    if (!ret)
        ret = copy(json_object_get(repository, "default_branch"), out->default_branch,
                   sizeof(out->default_branch));
    if (!ret)
        ret = rep_json_sha(json_object_get(run, "head_sha"), out->head_sha);
    if (ret || !rep_event_is_repository(out->repository))
        return -EPROTO;
    out->run_id = rep_json_id(json_object_get(run, "id"));
    out->run_number = rep_json_id(json_object_get(run, "run_number"));
    out->run_attempt = rep_json_id(json_object_get(run, "run_attempt"));
    out->created_unix = rep_json_time(json_object_get(run, "created_at"));
    out->started_unix = rep_json_time(json_object_get(run, "run_started_at"));
    out->updated_unix = rep_json_time(json_object_get(run, "updated_at"));
    return out->run_id && out->run_number && out->run_attempt && out->updated_unix ? 0 : -EPROTO;
}

/* GitHub's words for how a run ended are plain; anything else is not shown. */
static void read_conclusion(const json_t *run, struct rep_event *out)
{
    const char *text = json_string_value(json_object_get(run, "conclusion"));
    if (text && strlen(text) < sizeof(out->conclusion) &&
        !text[strspn(text, "abcdefghijklmnopqrstuvwxyz_")]) {
        (void)snprintf(out->conclusion, sizeof(out->conclusion), "%s", text);
    }
}

static int classify(const json_t *json, const json_t *run, const char *workflow_path,
                    struct rep_event *out)
{
    if (!rep_json_is(json_object_get(json, "action"), "completed"))
        return nothing(out, "the run is not completed");
    if (!is_our_path(json_string_value(json_object_get(run, "path")), workflow_path))
        return nothing(out, "the run is not one of our workflow");

    out->head_repository_id = rep_json_id(rep_json_at(run, "head_repository.id"));
    if (copy(json_object_get(run, "head_branch"), out->head_branch, sizeof(out->head_branch)))
        return nothing(out, "the run has no branch");
    if (!out->head_repository_id || copy(rep_json_at(run, "head_repository.owner.login"),
                                         out->head_owner, sizeof(out->head_owner))) {
        return nothing(out, "the repository that the run came from is gone");
    }

    if (!strcmp(out->conclusion, "skipped") || !strcmp(out->conclusion, "action_required"))
        return nothing(out, "the run did not run anything");
    if (rep_json_is(json_object_get(run, "event"), "pull_request")) {
        out->kind = REP_EVENT_PULL;
        return 0;
    }
    if (!rep_json_is(json_object_get(run, "event"), "push"))
        return nothing(out, "the run was started neither by a pull request nor by a push");
    if (out->head_repository_id != out->repository_id ||
        strcmp(out->head_branch, out->default_branch) != 0) {
        return nothing(out, "the push was not to the default branch of this repository");
    }
    out->kind = REP_EVENT_PUSH_MAIN;
    return 0;
}

int rep_event_read(const json_t *json, uint64_t repository_id, const char *workflow_path,
                   struct rep_event *out, struct err *err)
{
    *out = (struct rep_event){0};
    const json_t *run = json_object_get(json, "workflow_run");
    if (!json_is_object(run))
        return err_set(err, -EPROTO,
                       "cannot use the event: it has no workflow_run; start this program from "
                       "a workflow that is triggered by workflow_run");

    struct rep_event event = {0};
    if (read_fields(json, run, &event))
        return err_set(err, -EPROTO,
                       "cannot use the event: a field of workflow_run or repository is missing or "
                       "not as GitHub writes it");
    event.repository_id = rep_json_id(rep_json_at(json, "repository.id"));
    if (event.repository_id != repository_id)
        return err_set(err, -EPERM,
                       "cannot use the event: it is of another repository than this job's "
                       "(GITHUB_REPOSITORY_ID)");
    const char *slash = strrchr(workflow_path, '/');
    (void)snprintf(event.workflow_file, sizeof(event.workflow_file), "%s",
                   slash ? slash + 1 : workflow_path);
    read_conclusion(run, &event);
    int ret = classify(json, run, workflow_path, &event);
    if (!ret)
        *out = event;
    return ret;
}
