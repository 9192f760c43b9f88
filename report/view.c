/* SPDX-License-Identifier: MIT */
/* Fills the model of the comment. */
#include "report/view.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/environment.h"
#include "report/missing.h"

static void platform_fini(struct rep_platform *platform)
{
    for (size_t i = 0; i < platform->parts_count; i++)
        tt_comparison_fini(&platform->parts[i].comparison);
    free(platform->parts);
    free(platform->missing);
}

void rep_view_fini(struct rep_view *view)
{
    for (size_t i = 0; i < view->platforms_count; i++)
        platform_fini(&view->platforms[i]);
    free(view->platforms);
    view->platforms = NULL;
    view->platforms_count = 0;
}

static bool is_listed(const struct rep_view *view, const char *id)
{
    for (size_t i = 0; i < view->platforms_count; i++) {
        if (view->platforms[i].id && !strcmp(view->platforms[i].id, id))
            return true;
    }
    return false;
}

static bool shares_target(const struct tt_result *a, const struct tt_result *b)
{
    for (size_t i = 0; i < a->targets_count; i++) {
        for (size_t j = 0; j < b->targets_count; j++) {
            if (!strcmp(a->targets[i].name, b->targets[j].name) &&
                !strcmp(a->targets[i].operation, b->targets[j].operation))
                return true;
        }
    }
    return false;
}

/* How well a result serves as a baseline: one that has the targets is better than one that has
   none of them, and among those one measured on the same kind of machine. 0: it cannot be told. */
static int fitness(const struct rep_result *now, const struct tt_environment *here,
                   const struct rep_result *before)
{
    struct tt_environment there = {0};
    if (tt_environment_init(&before->result, &there))
        return 0;
    int fit =
        1 + 2 * shares_target(&now->result, &before->result) + tt_environment_same(here, &there);
    tt_environment_fini(&there);
    return fit;
}

/* The baseline of a part: the platform's fittest result, which may be not comparable; it then is
   shown as such. */
static const struct rep_result *baseline_of(const struct rep_result *now,
                                            const struct rep_results *from)
{
    const struct rep_result *best = NULL;
    int best_fit = 0;
    struct tt_environment here = {0};
    if (!from || tt_environment_init(&now->result, &here))
        return NULL;
    for (size_t i = rep_results_find(from, now->platform, 0); i != SIZE_MAX;
         i = rep_results_find(from, now->platform, i + 1)) {
        int fit = fitness(now, &here, &from->item[i]);
        if (fit > best_fit) {
            best = &from->item[i];
            best_fit = fit;
        }
    }
    tt_environment_fini(&here);
    return best;
}

static int compare_part(const struct rep_view *view, struct rep_part *part, struct err *err)
{
    struct tt_baseline baselines[TT_COMPARE_MAX_BASELINES] = {0};
    size_t count = 0;
    part->previous_index = part->main_index = SIZE_MAX;
    if (part->previous) {
        part->previous_index = count;
        baselines[count++] =
            (struct tt_baseline){.kind = TT_BASELINE_PREVIOUS, .result = &part->previous->result};
    }
    if (part->main) {
        part->main_index = count;
        baselines[count++] = (struct tt_baseline){
            .kind = part->main_is_committed ? TT_BASELINE_COMMITTED : TT_BASELINE_MAIN,
            .result = &part->main->result};
    }
    struct tt_compare_input input = {.now = &part->now->result,
                                     .baselines = baselines,
                                     .baselines_count = count,
                                     .history = view->history,
                                     .limits = view->limits};
    return tt_compare(&input, &part->comparison, err);
}

/* All parts of one platform from one list. */
static int add_parts(const struct rep_view *view, struct rep_platform *platform,
                     const struct rep_results *from, const struct rep_results *previous,
                     const struct rep_results *main, const struct rep_results *committed,
                     struct err *err)
{
    size_t count = 0;
    for (size_t i = 0; i < from->count; i++)
        count += !strcmp(from->item[i].platform, platform->id);
    platform->parts = calloc(count, sizeof(*platform->parts));
    if (!platform->parts)
        return err_set(err, -ENOMEM, "cannot compare: %s", err_text(ENOMEM));
    for (size_t i = rep_results_find(from, platform->id, 0); i != SIZE_MAX;
         i = rep_results_find(from, platform->id, i + 1)) {
        struct rep_part *part = &platform->parts[platform->parts_count++];
        part->now = &from->item[i];
        part->previous = baseline_of(part->now, previous);
        part->main = baseline_of(part->now, main);
        if (!part->main) {
            part->main = baseline_of(part->now, committed);
            part->main_is_committed = part->main != NULL;
        }
        int ret = compare_part(view, part, err);
        if (ret)
            return ret;
    }
    return 0;
}

/* The platforms of a list that are not there yet. A stale one is compared with nothing: its
   row is only kept. */
static int add_platforms(struct rep_view *view, enum rep_fresh fresh,
                         const struct rep_results *from, const struct rep_results *previous,
                         const struct rep_results *main, const struct rep_results *committed,
                         struct err *err)
{
    for (size_t i = 0; from && i < from->count; i++) {
        if (is_listed(view, from->item[i].platform))
            continue;
        struct rep_platform *platform = &view->platforms[view->platforms_count++];
        *platform = (struct rep_platform){.id = from->item[i].platform, .fresh = fresh};
        bool is_fresh = fresh == REP_FRESH;
        int ret = add_parts(view, platform, from, is_fresh ? previous : NULL,
                            is_fresh ? main : NULL, is_fresh ? committed : NULL, err);
        if (!ret && is_fresh) {
            const struct rep_results *const lists[] = {previous, main, committed};
            ret = rep_missing_find(platform, lists, ARRAY_LEN(lists));
            if (ret)
                err_set(err, ret, "cannot compare: %s", err_text(ret));
        }
        if (ret)
            return ret;
    }
    return 0;
}

int rep_view_build(struct rep_view *view, const struct rep_results *now,
                   const struct rep_results *previous, const struct rep_results *main,
                   const struct rep_results *committed, struct err *err)
{
    size_t most = now->count + (previous ? previous->count : 0) + (main ? main->count : 0);
    view->platforms = calloc(most ? most : 1, sizeof(*view->platforms));
    if (!view->platforms)
        return err_set(err, -ENOMEM, "cannot compare: %s", err_text(ENOMEM));
    int ret = add_platforms(view, REP_FRESH, now, previous, main, committed, err);
    if (!ret)
        ret = add_platforms(view, REP_STALE_PREVIOUS, previous, NULL, NULL, NULL, err);
    if (!ret)
        ret = add_platforms(view, REP_STALE_MAIN, main, NULL, NULL, NULL, err);
    if (ret)
        rep_view_fini(view);
    return ret;
}

size_t rep_view_count(const struct rep_view *view, enum tt_verdict verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < view->platforms_count; i++) {
        const struct rep_platform *platform = &view->platforms[i];
        if (platform->fresh != REP_FRESH)
            continue;
        for (size_t j = 0; j < platform->parts_count; j++) {
            const struct tt_comparison *comparison = &platform->parts[j].comparison;
            for (size_t row = 0; row < comparison->rows_count; row++)
                count += comparison->rows[row].head_base.verdict == verdict;
        }
    }
    return count;
}

void rep_view_title(const char *platform, char *out, size_t size)
{
    static const char *const systems[][2] = {
        {"linux", "Linux"}, {"macos", "macOS"}, {"darwin", "macOS"}, {"windows", "Windows"}};
    static const char *const machines[][2] = {{"x86_64", "x64"},  {"amd64", "x64"},
                                              {"x64", "x64"},     {"aarch64", "arm64"},
                                              {"arm64", "arm64"}, {"i686", "x86"}};
    for (size_t i = 0; i < ARRAY_LEN(systems); i++) {
        size_t length = strlen(systems[i][0]);
        if (strncmp(platform, systems[i][0], length) != 0 || platform[length] != '-')
            continue;
        const char *machine = platform + length + 1;
        for (size_t j = 0; j < ARRAY_LEN(machines); j++) {
            size_t known = strlen(machines[j][0]);
            if (!strncmp(machine, machines[j][0], known) &&
                (!machine[known] || machine[known] == '-')) {
                /* what follows tells apart several machines of one kind */
                (void)snprintf(out, size, "%s %s%s%s", systems[i][1], machines[j][1],
                               machine[known] ? " " : "",
                               machine[known] ? machine + known + 1 : "");
                return;
            }
        }
    }
    (void)snprintf(out, size, "%s", platform);
}
