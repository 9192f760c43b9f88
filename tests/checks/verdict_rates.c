/* SPDX-License-Identifier: MIT */
/* How often verdicts are right, counted over results of `tracetax run --base`: for
   scripts/check-verdicts.sh. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/compiler.h"
#include "common/err.h"
#include "common/num.h"
#include "harness/calibrate.h"
#include "harness/json.h"
#include "harness/plan.h"
#include "harness/result.h"
#include "harness/stats.h"
#include "harness/verdict.h"

/* Longer than what hangs together from one round to the next. */
#define BLOCK_ROUNDS 20u
#define DRAWN_RUNS 200u
#define MAX_RESULTS 1000

enum { DONE = 0, BAR_MISSED = 1, WRONG_USAGE = 2, FAILED = 3 };

static const char help[] =
    "Usage: verdict-rates change RESULT...        percentage by which head is slower, all rounds\n"
    "       verdict-rates runs PERCENT RESULT...  a row: verdicts of real runs of this change\n"
    "       verdict-rates drawn SEED RESULT...    rows: verdicts of 200 runs drawn from these\n"
    "\n"
    "Of each result the first target is taken; it must have the arm tracked-base. Rows are\n"
    "Markdown. Exit status of drawn: 1 when the rates miss a bar.\n";

/** Head's and base's times, and untracked ones, of the same rounds. Owned. */
struct rounds {
    uint64_t *ns[TT_ARM_COUNT];
    size_t count;
};

static int complain(const char *text)
{
    (void)fprintf(stderr, "verdict-rates: %s\n", text);
    return FAILED;
}

static void rounds_fini(struct rounds *rounds)
{
    for (int arm = 0; arm < TT_ARM_COUNT; arm++)
        free(rounds->ns[arm]);
    *rounds = (struct rounds){0};
}

/** Room for more rounds. @return 0, or -1 without memory */
static int rounds_grow(struct rounds *rounds, size_t more)
{
    for (int arm = 0; arm < TT_ARM_COUNT; arm++) {
        uint64_t *ns = realloc(rounds->ns[arm], (rounds->count + more) * sizeof(*ns));
        if (!ns)
            return -1;
        rounds->ns[arm] = ns;
    }
    return 0;
}

static struct tt_samples samples_of(const struct rounds *rounds, enum tt_arm arm)
{
    return (struct tt_samples){.ns = rounds->ns[arm], .count = rounds->count};
}

/** Append the rounds of a result's first target. */
static int rounds_add(struct rounds *rounds, const char *path)
{
    struct tt_result result;
    struct err err = {0};

    if (tt_result_read(path, &result, &err))
        return complain(err.text);
    int status = FAILED;
    const struct tt_target *target = result.targets_count ? &result.targets[0] : NULL;
    size_t count = target ? target->arm[TT_ARM_TRACKED_BASE].count : 0;
    if (!count || target->void_reason || target->arm[TT_ARM_TRACKED].count != count ||
        target->arm[TT_ARM_UNTRACKED].count != count) {
        (void)err_set(&err, 0, "%s: its first target is void or lacks an arm", path);
        complain(err.text);
    } else if (rounds_grow(rounds, count)) {
        complain("out of memory");
    } else {
        for (int arm = 0; arm < TT_ARM_COUNT; arm++)
            memcpy(rounds->ns[arm] + rounds->count, target->arm[arm].ns,
                   count * sizeof(*rounds->ns[arm]));
        rounds->count += count;
        status = DONE;
    }
    tt_result_fini(&result);
    return status;
}

static int rounds_read(struct rounds *rounds, char *const *paths)
{
    *rounds = (struct rounds){0};
    for (size_t i = 0; paths[i]; i++) {
        int status = rounds_add(rounds, paths[i]);
        if (status)
            return status;
    }
    return DONE;
}

/** What a number of runs said. */
struct tally {
    size_t runs, regressed, improved, unchanged, inconclusive;
    size_t wrong_side; /**< estimates on the other side of 0 than the change */
    double width;      /**< sum of the intervals' half widths, on logarithms */
};

static int tally_add(struct tally *tally, const struct rounds *rounds, double change)
{
    const struct tt_thresholds limits = TT_THRESHOLDS_DEFAULT;
    const struct tt_samples head = samples_of(rounds, TT_ARM_TRACKED);
    const struct tt_samples base = samples_of(rounds, TT_ARM_TRACKED_BASE);
    struct tt_estimate estimate;

    if (tt_stats_ratio(&head, &base, &estimate))
        return complain("out of memory");
    enum tt_verdict verdict = tt_verdict_of(&estimate, &limits, true);
    tally->runs++;
    tally->regressed += verdict == TT_VERDICT_REGRESSED;
    tally->improved += verdict == TT_VERDICT_IMPROVED;
    tally->unchanged += verdict == TT_VERDICT_UNCHANGED;
    tally->inconclusive += verdict == TT_VERDICT_INCONCLUSIVE;
    if (estimate.known) {
        tally->wrong_side += (estimate.ratio - 1) * change < 0;
        tally->width += log(estimate.high / estimate.low) / 2;
    }
    return DONE;
}

/** What the change should be called, and how often it was: alarms for no change at all. */
static size_t hits_of(const struct tally *tally, double change)
{
    if (change < 0)
        return tally->improved;
    return change > 0 ? tally->regressed : tally->regressed + tally->improved;
}

/** The rates that are asked for. */
static bool meets_bar(const struct tally *tally, double percent)
{
    double rate = (double)hits_of(tally, percent) / (double)tally->runs;
    size_t wrong = percent < 0 ? tally->regressed : tally->improved;

    if (percent >= 5 || percent <= -5)
        return rate >= 0.98 && !wrong;
    if (percent >= 3)
        return rate >= 0.90;
    return percent > 0 ? rate <= 0.05 : rate <= 0.01;
}

/** "A/A", "+3%". */
static void name_change(char *out, size_t size_bytes, double percent)
{
    if (percent > 0 || percent < 0)
        (void)snprintf(out, size_bytes, "%+g%%", percent);
    else
        (void)snprintf(out, size_bytes, "A/A");
}

static void put_row(const char *name, double rounds, const struct tally *tally, double percent,
                    const char *last)
{
    double low, high;
    size_t hits = hits_of(tally, percent);

    tt_rate_interval(hits, tally->runs, &low, &high);
    printf(
        "| %s | %zu | %.0f | ±%.2f%% | %zu | %zu | %zu | %zu | %zu | %.1f%% (%.1f … %.1f) | %s |\n",
        name, tally->runs, rounds, 100 * tally->width / (double)tally->runs, tally->regressed,
        tally->improved, tally->unchanged, tally->inconclusive, tally->wrong_side,
        100.0 * (double)hits / (double)tally->runs, 100 * low, 100 * high, last);
}

/** Head against base over all rounds, in percent. */
static int pooled(const struct rounds *rounds, struct tt_estimate *out)
{
    const struct tt_samples head = samples_of(rounds, TT_ARM_TRACKED);
    const struct tt_samples base = samples_of(rounds, TT_ARM_TRACKED_BASE);

    if (tt_stats_ratio(&head, &base, out))
        return complain("out of memory");
    return out->known ? DONE : complain("too few rounds for an interval");
}

static int show_change(char *const *paths)
{
    struct rounds rounds;
    struct tt_estimate estimate = {0};

    int status = rounds_read(&rounds, paths);
    if (!status)
        status = pooled(&rounds, &estimate);
    if (!status)
        printf("%.4f\n", 100 * (estimate.ratio - 1));
    rounds_fini(&rounds);
    return status;
}

static int show_runs(const char *number, char *const *paths)
{
    struct rounds all = {0};
    struct tally tally = {0};
    struct tt_estimate estimate = {0};
    char name[32], last[64];
    double percent;

    if (num_parse_double(number, -50, 50, &percent)) {
        (void)fputs(help, stderr);
        return WRONG_USAGE;
    }
    int status = rounds_read(&all, paths);
    for (size_t i = 0; !status && paths[i]; i++) {
        struct rounds one = {0};
        status = rounds_add(&one, paths[i]);
        if (!status)
            status = tally_add(&tally, &one, percent);
        rounds_fini(&one);
    }
    if (!status)
        status = pooled(&all, &estimate);
    if (!status) {
        name_change(name, sizeof(name), percent);
        (void)snprintf(last, sizeof(last), "%+.2f%% (%+.2f … %+.2f)", 100 * (estimate.ratio - 1),
                       100 * (estimate.low - 1), 100 * (estimate.high - 1));
        put_row(name, (double)all.count / (double)tally.runs, &tally, percent, last);
    }
    rounds_fini(&all);
    return status;
}

/** The generator SplitMix64, as in harness/plan.c. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/** Append one block of @from, head's times made longer by @factor. There is room for it. */
static void append_block(struct rounds *to, const struct rounds *from, size_t block, double factor)
{
    for (size_t i = 0; i < BLOCK_ROUNDS; i++) {
        for (int arm = 0; arm < TT_ARM_COUNT; arm++) {
            uint64_t ns = from->ns[arm][block * BLOCK_ROUNDS + i];
            to->ns[arm][to->count] =
                arm == TT_ARM_TRACKED ? (uint64_t)llround((double)ns * factor) : ns;
        }
        to->count++;
    }
}

/**
 * Blocks that do not overlap, drawn without putting back and left in their order: Knuth,
 * The Art of Computer Programming, 3.4.2, algorithm S.
 */
static void draw(struct rounds *to, const struct rounds *from, size_t blocks, double factor,
                 uint64_t *random)
{
    size_t left = from->count / BLOCK_ROUNDS;
    size_t wanted = blocks;

    to->count = 0;
    for (size_t block = 0; wanted; block++, left--) {
        if (next_random(random) % left >= wanted)
            continue;
        append_block(to, from, block, factor);
        wanted--;
    }
}

/** Rates of runs of so many blocks. @consecutive: the recording cut up end to end instead */
static int show_rates(const struct rounds *from, size_t blocks, double percent, uint64_t seed,
                      bool consecutive, bool judged, bool *missed)
{
    struct rounds run = {0};
    struct tally tally = {0};
    char name[32];
    size_t runs = consecutive ? from->count / BLOCK_ROUNDS / blocks : DRAWN_RUNS;

    int status = rounds_grow(&run, blocks * BLOCK_ROUNDS) ? complain("out of memory") : DONE;
    for (size_t i = 0; !status && i < runs; i++) {
        if (consecutive) {
            run.count = 0;
            for (size_t j = 0; j < blocks; j++)
                append_block(&run, from, i * blocks + j, 1 + percent / 100);
        } else {
            draw(&run, from, blocks, 1 + percent / 100, &seed);
        }
        status = tally_add(&tally, &run, percent);
    }
    if (!status) {
        bool good = meets_bar(&tally, percent);
        name_change(name, sizeof(name), percent);
        put_row(name, (double)(blocks * BLOCK_ROUNDS), &tally, percent,
                consecutive ? "cut end to end"
                : !judged   ? "not asked for"
                : good      ? "met"
                            : "missed");
        *missed |= judged && !good;
    }
    rounds_fini(&run);
    return status;
}

static int by_size(const void *a, const void *b)
{
    const size_t *x = a;
    const size_t *y = b;
    return (*x > *y) - (*x < *y);
}

/**
 * The rounds that a pilot would have asked for, had it begun at every tenth round and were there
 * no limit of time: their median. @quartiles of them, lower and upper
 */
static size_t rounds_of_pilots(const struct rounds *rounds, size_t quartiles[2])
{
    size_t count = rounds->count / TT_PLAN_PILOT_ROUNDS;
    size_t *asked = calloc(count + 1, sizeof(*asked));

    if (!asked)
        return 0;
    for (size_t i = 0; i < count; i++) {
        size_t first = i * TT_PLAN_PILOT_ROUNDS;
        const uint64_t *tracked = rounds->ns[TT_ARM_TRACKED] + first;
        double spread = fmax(tt_plan_log_ratio_sd(tracked, rounds->ns[TT_ARM_UNTRACKED] + first,
                                                  TT_PLAN_PILOT_ROUNDS),
                             tt_plan_log_ratio_sd(tracked, rounds->ns[TT_ARM_TRACKED_BASE] + first,
                                                  TT_PLAN_PILOT_ROUNDS));
        asked[i] = tt_plan_rounds(spread, 0, 0);
    }
    qsort(asked, count, sizeof(*asked), by_size);
    size_t median = asked[count / 2];
    quartiles[0] = asked[count / 4];
    quartiles[1] = asked[count * 3 / 4];
    free(asked);
    return median;
}

static int show_drawn_from(const struct rounds *rounds, uint64_t seed)
{
    static const double percents[] = {0, 1, 3, 5, -5};
    size_t quartiles[2];
    size_t most = rounds->count / BLOCK_ROUNDS / 2;
    bool missed = false;
    int status = DONE;

    size_t asked = rounds_of_pilots(rounds, quartiles);
    if (!asked || most < 3)
        return complain("too few rounds to draw from, or out of memory");
    size_t last = (asked + BLOCK_ROUNDS - 1) / BLOCK_ROUNDS;
    const size_t blocks[] = {3, 400 / BLOCK_ROUNDS, last < most ? last : most};
    for (size_t i = 0; !status && i < ARRAY_LEN(blocks); i++) {
        if (blocks[i] > most || (i && blocks[i] <= blocks[i - 1] && i + 1 < ARRAY_LEN(blocks)))
            continue;
        bool judged = i + 1 == ARRAY_LEN(blocks);
        for (size_t j = 0; !status && j < ARRAY_LEN(percents); j++)
            status = show_rates(rounds, blocks[i], percents[j], seed + j, false, judged, &missed);
        if (!status)
            status = show_rates(rounds, blocks[i], 0, seed, true, false, &missed);
    }
    if (!status)
        printf("\n%zu rounds recorded; drawn in blocks of %u with seed %" PRIu64
               ". A pilot of 10 rounds begun anywhere in them would have asked for %zu rounds "
               "(half of the pilots: %zu to %zu) for an interval of ±0.9%%.%s\n",
               rounds->count, BLOCK_ROUNDS, seed, asked, quartiles[0], quartiles[1],
               last > most ? " That is more than half of what was recorded: half was drawn." : "");
    return status ? status : missed ? BAR_MISSED : DONE;
}

static int show_drawn(const char *number, char *const *paths)
{
    struct rounds rounds;
    uint64_t seed;

    if (num_parse_u64(number, 0, TT_JSON_MAX_INTEGER, &seed)) {
        (void)fputs(help, stderr);
        return WRONG_USAGE;
    }
    int status = rounds_read(&rounds, paths);
    if (!status)
        status = show_drawn_from(&rounds, seed);
    rounds_fini(&rounds);
    return status;
}

int main(int argc, char **argv)
{
    int status = WRONG_USAGE;

    if (argc > 2 && argc <= MAX_RESULTS && !strcmp(argv[1], "change"))
        status = show_change(argv + 2);
    else if (argc > 3 && argc <= MAX_RESULTS && !strcmp(argv[1], "runs"))
        status = show_runs(argv[2], argv + 3);
    else if (argc > 3 && argc <= MAX_RESULTS && !strcmp(argv[1], "drawn"))
        status = show_drawn(argv[2], argv + 3);
    else
        (void)fputs(help, stderr);
    if (fflush(stdout))
        status = complain("cannot write to standard output");
    return status;
}
