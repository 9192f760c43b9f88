/* SPDX-License-Identifier: MIT */
/* Which pull request a run belongs to. */
#include "report/pull.h"

#include <stdio.h>
#include <string.h>

static bool is_of_run(const json_t *candidate, const struct rep_event *event)
{
    return rep_json_is(json_object_get(candidate, "state"), "open") &&
           rep_json_id(rep_json_at(candidate, "head.repo.id")) == event->head_repository_id &&
           rep_json_id(rep_json_at(candidate, "base.repo.id")) == event->repository_id &&
           rep_json_is(rep_json_at(candidate, "head.ref"), event->head_branch) &&
           rep_json_id(json_object_get(candidate, "number")) != 0;
}

static bool is_better(const struct rep_pull *candidate, const struct rep_pull *pull)
{
    if (!pull->number)
        return true;
    if (candidate->into_default != pull->into_default)
        return candidate->into_default;
    return candidate->number < pull->number;
}

void rep_pull_consider(const json_t *page, const struct rep_event *event, struct rep_pull *pull)
{
    size_t index;
    json_t *item;
    json_array_foreach((json_t *)page, index, item)
    {
        if (!is_of_run(item, event))
            continue;
        struct rep_pull candidate = {
            .number = rep_json_id(json_object_get(item, "number")),
            .locked = rep_json_true(json_object_get(item, "locked")),
            .created_unix = rep_json_time(json_object_get(item, "created_at")),
            .others = pull->others,
            .moved_on = pull->moved_on,
        };
        if (!rep_json_is(rep_json_at(item, "head.sha"), event->head_sha)) {
            pull->moved_on = candidate.number;
            continue;
        }
        const char *base_ref = json_string_value(rep_json_at(item, "base.ref"));
        (void)snprintf(candidate.base_ref, sizeof(candidate.base_ref), "%s",
                       base_ref ? base_ref : "");
        candidate.into_default = !strcmp(candidate.base_ref, event->default_branch);
        if (pull->number)
            candidate.others++;
        if (is_better(&candidate, pull))
            *pull = candidate;
        else
            pull->others = candidate.others;
    }
}
