/* SPDX-License-Identifier: MIT */
/* Which earlier runs may serve as a baseline. */
#include "report/runs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Keep the list ordered by number, newest first, without doubles. */
static void insert(struct rep_runs *runs, const struct rep_run *run)
{
    size_t at = 0;
    while (at < runs->count && runs->run[at].number > run->number)
        at++;
    if (at == REP_RUNS_MAX || (at < runs->count && runs->run[at].id == run->id))
        return;
    size_t kept = runs->count < REP_RUNS_MAX ? runs->count : REP_RUNS_MAX - 1;
    memmove(&runs->run[at + 1], &runs->run[at], (kept - at) * sizeof(*run));
    runs->run[at] = *run;
    runs->count = kept + 1;
}

/* What both kinds share. */
static bool read_run(const json_t *item, const struct rep_event *event, uint64_t repository_id,
                     const char *branch, const char *trigger, struct rep_run *out)
{
    *out = (struct rep_run){.id = rep_json_id(json_object_get(item, "id")),
                            .number = rep_json_id(json_object_get(item, "run_number")),
                            .created_unix = rep_json_time(json_object_get(item, "created_at"))};
    return out->id && out->number && out->id != event->run_id &&
           !rep_json_sha(json_object_get(item, "head_sha"), out->sha) &&
           rep_json_is(json_object_get(item, "event"), trigger) &&
           rep_json_is(json_object_get(item, "head_branch"), branch) &&
           rep_json_id(rep_json_at(item, "head_repository.id")) == repository_id;
}

void rep_runs_of_pull(const json_t *page, const struct rep_event *event,
                      const struct rep_pull *pull, struct rep_runs *runs)
{
    size_t index;
    json_t *item;
    json_array_foreach((json_t *)page, index, item)
    {
        struct rep_run run;
        if (read_run(item, event, event->head_repository_id, event->head_branch, "pull_request",
                     &run) &&
            run.number < event->run_number && run.created_unix >= pull->created_unix) {
            insert(runs, &run);
        }
    }
}

void rep_runs_of_main(const json_t *page, const struct rep_event *event, struct rep_runs *runs)
{
    size_t index;
    json_t *item;
    json_array_foreach((json_t *)page, index, item)
    {
        struct rep_run run;
        if (read_run(item, event, event->repository_id, event->default_branch, "push", &run) &&
            rep_json_is(json_object_get(item, "status"), "completed") &&
            (event->kind != REP_EVENT_PUSH_MAIN || run.number < event->run_number)) {
            insert(runs, &run);
        }
    }
}

int rep_runs_differ(const struct rep_runs *runs)
{
    for (size_t i = 1; i < runs->count; i++) {
        if (strcmp(runs->run[i].sha, runs->run[0].sha) != 0)
            return 1;
    }
    return 0;
}

/* 0: the merge base itself; 1: before it; 2: after it. A run starts after its commit was
   made, so one that started before the merge base was committed is of an older commit. */
static int rank(const struct rep_run *run, const char *sha, int64_t merge_base_unix)
{
    if (!strcmp(run->sha, sha))
        return 0;
    return merge_base_unix && run->created_unix < merge_base_unix ? 1 : 2;
}

void rep_runs_prefer(struct rep_runs *runs, const char *merge_base_sha, int64_t merge_base_unix)
{
    struct rep_runs *sorted = malloc(sizeof(*sorted));
    if (!sorted)
        return; /* the order stays: newest first */
    sorted->count = 0;
    for (int wanted = 0; wanted <= 2; wanted++) {
        for (size_t i = 0; i < runs->count; i++) {
            if (rank(&runs->run[i], merge_base_sha, merge_base_unix) == wanted)
                sorted->run[sorted->count++] = runs->run[i];
        }
    }
    *runs = *sorted;
    free(sorted);
}
