/* SPDX-License-Identifier: MIT */
/* Artifacts of a run. */
#include "report/artifact.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/num.h"

#define REFUSED_NAMED_MAX 10

/* "-2of5" at the end of a name. @return its length, 0 when there is none */
static size_t parse_shard(const char *name, struct rep_artifact *out)
{
    const char *dash = strrchr(name, '-');
    const char *of = dash ? strstr(dash, "of") : NULL;
    if (!of || of == dash + 1 || of - dash > 4)
        return 0;
    char first[4] = {0};
    memcpy(first, dash + 1, (size_t)(of - dash - 1));
    uint64_t shard = 0;
    uint64_t shards = 0;
    if (num_parse_u64(of + 2, 1, REP_SHARDS_MAX, &shards) ||
        num_parse_u64(first, 1, shards, &shard)) {
        return 0;
    }
    out->shard = (unsigned int)shard;
    out->shards = (unsigned int)shards;
    return strlen(dash);
}

int rep_artifact_parse_name(const char *name, struct rep_artifact *out)
{
    size_t prefix = strlen(REP_ARTIFACT_PREFIX);
    if (strncmp(name, REP_ARTIFACT_PREFIX, prefix) != 0 || !strcmp(name, REP_HISTORY_ARTIFACT))
        return -EINVAL;
    out->shard = out->shards = 1;
    size_t shard = parse_shard(name + prefix, out);
    size_t length = strlen(name + prefix) - shard;
    if (!length || length >= sizeof(out->platform) ||
        strspn(name + prefix, "abcdefghijklmnopqrstuvwxyz0123456789_-") < length) {
        return -EINVAL;
    }
    memcpy(out->platform, name + prefix, length);
    out->platform[length] = '\0';
    return 0;
}

static void refuse(struct rep_artifacts *artifacts, struct rep_log *log, const char *name,
                   const char *reason)
{
    if (artifacts->refused_count++ < REFUSED_NAMED_MAX && log)
        rep_log(log, REP_WARNING, "refused the artifact \"%.100s\": %s", name, reason);
}

static bool is_newer(const struct rep_artifact *a, const struct rep_artifact *b)
{
    return a->created_unix != b->created_unix ? a->created_unix > b->created_unix : a->id > b->id;
}

static size_t count_platforms(const struct rep_artifacts *artifacts)
{
    size_t platforms = 0;
    for (size_t i = 0; i < artifacts->count; i++) {
        size_t first = 0;
        while (strcmp(artifacts->item[first].platform, artifacts->item[i].platform) != 0)
            first++;
        platforms += first == i;
    }
    return platforms;
}

/* @return NULL, or why it is refused */
static const char *add(struct rep_artifacts *artifacts, const struct rep_artifact *artifact)
{
    bool is_new_platform = true;
    for (size_t i = 0; i < artifacts->count; i++) {
        struct rep_artifact *known = &artifacts->item[i];
        if (strcmp(known->platform, artifact->platform) != 0)
            continue;
        is_new_platform = false;
        if (known->shard == artifact->shard && known->shards == artifact->shards) {
            if (is_newer(artifact, known))
                *known = *artifact;
            return NULL;
        }
    }
    if (is_new_platform && count_platforms(artifacts) >= REP_PLATFORMS_MAX)
        return "too many platforms";
    if (artifacts->count >= REP_ARTIFACTS_MAX)
        return "too many results";
    artifacts->item[artifacts->count++] = *artifact;
    return NULL;
}

static bool read_common(const json_t *item, struct rep_artifact *artifact)
{
    artifact->id = rep_json_id(json_object_get(item, "id"));
    artifact->expired = rep_json_true(json_object_get(item, "expired"));
    artifact->created_unix = rep_json_time(json_object_get(item, "created_at"));
    return artifact->id != 0;
}

void rep_artifacts_consider(const json_t *page, uint64_t run_id, struct rep_artifacts *artifacts,
                            struct rep_log *log)
{
    size_t index;
    json_t *item;
    json_array_foreach((json_t *)page, index, item)
    {
        const char *name = json_string_value(json_object_get(item, "name"));
        const json_t *run = json_object_get(item, "workflow_run");
        struct rep_artifact artifact = {0};
        if (!name || !read_common(item, &artifact))
            continue;
        if (json_is_object(run) && rep_json_id(json_object_get(run, "id")) != run_id) {
            refuse(artifacts, log, name, "it is of another run");
            continue;
        }
        const char *reason = "its name is not tracetax-<platform> or tracetax-<platform>-<i>of<n>";
        if (!rep_artifact_parse_name(name, &artifact))
            reason = add(artifacts, &artifact);
        if (reason)
            refuse(artifacts, log, name, reason);
    }
}

static bool is_history_of_main(const json_t *item, const struct rep_event *event)
{
    const json_t *run = json_object_get(item, "workflow_run");
    return rep_json_is(json_object_get(item, "name"), REP_HISTORY_ARTIFACT) &&
           rep_json_id(json_object_get(run, "head_repository_id")) == event->repository_id &&
           rep_json_id(json_object_get(run, "repository_id")) == event->repository_id &&
           rep_json_is(json_object_get(run, "head_branch"), event->default_branch);
}

/* Into its place; the oldest of too many falls out. */
static void insert_history(struct rep_histories *histories, const struct rep_artifact *artifact)
{
    size_t at = 0;
    while (at < histories->count && is_newer(&histories->item[at], artifact))
        at++;
    if (at == REP_HISTORIES_MAX)
        return;
    size_t kept = histories->count < REP_HISTORIES_MAX ? histories->count : REP_HISTORIES_MAX - 1;
    memmove(&histories->item[at + 1], &histories->item[at], (kept - at) * sizeof(*artifact));
    histories->item[at] = *artifact;
    histories->count = kept + 1;
}

void rep_histories_consider(const json_t *page, const struct rep_event *event,
                            struct rep_histories *histories)
{
    size_t index;
    json_t *item;
    json_array_foreach((json_t *)page, index, item)
    {
        struct rep_artifact artifact = {.shard = 1, .shards = 1};
        histories->listed_count++;
        if (!is_history_of_main(item, event) || !read_common(item, &artifact))
            continue;
        if (artifact.expired)
            histories->expired_count++;
        else
            insert_history(histories, &artifact);
    }
}
