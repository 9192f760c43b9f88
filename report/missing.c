/* SPDX-License-Identifier: MIT */
/* Targets that no part of a platform holds. */
#include "report/missing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void count_parts(struct rep_platform *platform)
{
    platform->shards = 1;
    platform->shards_reported = 0;
    for (size_t i = 0; i < platform->parts_count; i++) {
        const struct rep_result *now = platform->parts[i].now;
        if (now->shards > platform->shards)
            platform->shards = now->shards;
        platform->shards_reported += now->parts;
    }
}

static bool is_same(const struct tt_target *target, const char *name, const char *operation)
{
    return !strcmp(target->name, name) && !strcmp(target->operation, operation);
}

static bool is_there(const struct rep_platform *platform, const struct tt_target *target)
{
    for (size_t i = 0; i < platform->missing_count; i++) {
        if (is_same(target, platform->missing[i].name, platform->missing[i].operation))
            return true;
    }
    for (size_t i = 0; i < platform->parts_count; i++) {
        const struct tt_result *result = &platform->parts[i].now->result;
        for (size_t j = 0; j < result->targets_count; j++) {
            if (is_same(target, result->targets[j].name, result->targets[j].operation))
                return true;
        }
    }
    return false;
}

static int add(struct rep_platform *platform, const struct tt_target *target)
{
    size_t count = platform->missing_count;
    if (count == TT_RESULT_MAX_TARGETS)
        return 0;
    struct rep_missing *more = realloc(platform->missing, (count + 1) * sizeof(*more));
    if (!more)
        return -ENOMEM;
    more[count] = (struct rep_missing){.name = target->name, .operation = target->operation};
    platform->missing = more;
    platform->missing_count++;
    return 0;
}

int rep_missing_find(struct rep_platform *platform, const struct rep_results *const *lists,
                     size_t count)
{
    count_parts(platform);
    /* one result made of every part compares as a whole one */
    bool is_whole = platform->parts_count == 1 && platform->shards_reported == platform->shards;
    if (platform->shards == 1 || is_whole)
        return 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = lists[i] ? rep_results_find(lists[i], platform->id, 0) : SIZE_MAX;
             j != SIZE_MAX; j = rep_results_find(lists[i], platform->id, j + 1)) {
            const struct tt_result *result = &lists[i]->item[j].result;
            for (size_t k = 0; k < result->targets_count; k++) {
                int ret = is_there(platform, &result->targets[k])
                              ? 0
                              : add(platform, &result->targets[k]);
                if (ret)
                    return ret;
            }
        }
    }
    return 0;
}
