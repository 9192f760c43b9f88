/* SPDX-License-Identifier: MIT */
/* Results by platform. */
#include "report/results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/num.h"
#include "harness/environment.h"

void rep_results_fini(struct rep_results *results)
{
    for (size_t i = 0; i < results->count; i++)
        tt_result_fini(&results->item[i].result);
    free(results->item);
    *results = (struct rep_results){0};
}

int rep_results_add(struct rep_results *results, struct rep_result *item, struct err *err)
{
    if (strcmp(item->result.platform.id, item->platform) != 0)
        return err_set(err, -EPROTO,
                       "refused: it holds a result of the platform %.64s, its artifact is named "
                       "for %s",
                       item->result.platform.id, item->platform);
    size_t size_bytes = 0;
    struct rep_result *longer = NULL;
    if (!num_mul(results->count + 1, sizeof(*longer), &size_bytes))
        longer = realloc(results->item, size_bytes);
    if (!longer)
        return err_set(err, -ENOMEM, "cannot keep a result: %s", err_text(ENOMEM));
    results->item = longer;
    item->parts = 1;
    results->item[results->count++] = *item;
    *item = (struct rep_result){0};
    return 0;
}

size_t rep_results_find(const struct rep_results *results, const char *platform, size_t from)
{
    for (size_t i = from; i < results->count; i++) {
        if (!strcmp(results->item[i].platform, platform))
            return i;
    }
    return SIZE_MAX;
}

static bool same_environment(const struct tt_result *a, const struct tt_result *b, int *ret)
{
    struct tt_environment x = {0};
    struct tt_environment y = {0};
    bool same = false;
    *ret = tt_environment_init(a, &x);
    if (!*ret)
        *ret = tt_environment_init(b, &y);
    if (!*ret)
        same = tt_environment_same(&x, &y);
    tt_environment_fini(&x);
    tt_environment_fini(&y);
    return same;
}

static bool has_target(const struct tt_result *result, const struct tt_target *target)
{
    for (size_t i = 0; i < result->targets_count; i++) {
        if (!strcmp(result->targets[i].name, target->name) &&
            !strcmp(result->targets[i].operation, target->operation)) {
            return true;
        }
    }
    return false;
}

/* Move the targets of @from that @into lacks; the others stay with @from. */
static int move_targets(struct tt_result *into, struct tt_result *from)
{
    size_t count = 0;
    size_t size_bytes = 0;
    if (num_add(into->targets_count, from->targets_count, &count) ||
        num_mul(count, sizeof(*into->targets), &size_bytes)) {
        return -ENOMEM;
    }
    struct tt_target *longer = size_bytes ? realloc(into->targets, size_bytes) : NULL;
    if (!longer)
        return size_bytes ? -ENOMEM : 0;
    into->targets = longer;
    size_t kept = 0;
    for (size_t i = 0; i < from->targets_count; i++) {
        if (has_target(into, &from->targets[i]))
            from->targets[kept++] = from->targets[i];
        else
            into->targets[into->targets_count++] = from->targets[i];
    }
    from->targets_count = kept;
    return 0;
}

static void remove_at(struct rep_results *results, size_t at)
{
    tt_result_fini(&results->item[at].result);
    results->count--;
    memmove(&results->item[at], &results->item[at + 1],
            (results->count - at) * sizeof(*results->item));
}

int rep_results_merge(struct rep_results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        struct rep_result *first = &results->item[i];
        for (size_t j = i + 1; j < results->count;) {
            struct rep_result *other = &results->item[j];
            int ret = 0;
            if (strcmp(first->platform, other->platform) != 0 ||
                !same_environment(&first->result, &other->result, &ret)) {
                if (ret)
                    return ret;
                j++;
                continue;
            }
            ret = move_targets(&first->result, &other->result);
            if (ret)
                return ret;
            first->parts += other->parts;
            if (other->shards > first->shards)
                first->shards = other->shards;
            remove_at(results, j);
        }
        if (first->parts == first->shards) /* all of it: what is not there is missing */
            first->result.suite.shard = first->result.suite.shards = 1;
    }
    return 0;
}
