/* SPDX-License-Identifier: MIT */
/* tracetax calibrate: how far results of this machine spread. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/file.h"
#include "common/num.h"
#include "common/proc.h"
#include "harness/baseline.h"
#include "harness/calibrate.h"
#include "harness/cmd_output.h"
#include "harness/cmd_stop.h"
#include "harness/commands.h"
#include "harness/json.h"
#include "harness/md_escape.h"
#include "harness/progress.h"
#include "harness/run.h"
#include "harness/suite.h"

#define DEFAULT_REPEATS 10
#define DEFAULT_ROUNDS 60
#define MAX_TARGET_OPTIONS 64

static const char help[] =
    "Usage: tracetax calibrate [OPTION...] [RESULT...]\n"
    "\n"
    "Compare the tracer with itself again and again (A/A) and print how often that raises an\n"
    "alarm, how far results spread from run to run, and what change could be seen. The spread\n"
    "is kept beside this machine's results, and 'tracetax compare' uses it from then on.\n"
    "With RESULT, learn from these (8 to 200, of one machine) instead of running.\n"
    "\n"
    "  --repeats N       8 to 200 runs (default 10)\n"
    "  --rounds N        of a run, 1 to 100000 (default 60)\n"
    "  --suite NAME|FILE default, full, or a suite file\n"
    "  --target NAME     only targets of this name; may be repeated\n"
    "  --filetrace PATH  the tracer (default: the one beside tracetax)\n"
    "  --quiet           no progress\n"
    "  --help            this text\n"
    "\n"
    "Exit status: 0 done, 2 wrong usage, 3 could not run, or input unreadable.\n"
    "\n"
    "Example: tracetax calibrate --target dynamic --repeats 20\n";

/** What the command line asks for. Borrowed from argv. */
struct request {
    struct tt_run_options run;
    const char *targets[MAX_TARGET_OPTIONS];
    uint64_t repeats;
    char *const *paths; /**< results to learn from */
    size_t paths_count;
    bool quiet, help;
};

static int take_number(const char *option, uint64_t min, uint64_t max, uint64_t *out)
{
    if (!num_parse_u64(optarg, min, max, out))
        return 0;
    return tt_cmd_usage("calibrate", "%s %.60s: not a whole number from %u to %u", option, optarg,
                        (unsigned)min, (unsigned)max);
}

static int take_option(int option, char *const *argv, struct request *out)
{
    switch (option) {
    case 'n':
        return take_number("--repeats", TT_HISTORY_MIN_CALIBRATED, TT_CALIBRATE_MAX_RESULTS,
                           &out->repeats);
    case 'r':
        return take_number("--rounds", 1, TT_RESULT_MAX_ROUNDS, &out->run.rounds);
    case 's':
        out->run.suite = optarg;
        return 0;
    case 't':
        if (out->run.targets_count == MAX_TARGET_OPTIONS)
            return tt_cmd_usage("calibrate", "--target: more than %d of them", MAX_TARGET_OPTIONS);
        out->targets[out->run.targets_count++] = optarg;
        return 0;
    case 'f':
        out->run.filetrace = optarg;
        return 0;
    case 'q':
        out->quiet = true;
        return 0;
    case 'h':
        out->help = true;
        return 0;
    case ':':
        return tt_cmd_usage("calibrate", "%s: a value is missing; see tracetax calibrate --help",
                            argv[optind - 1]);
    default:
        return tt_cmd_usage("calibrate", "%s: no such option; see tracetax calibrate --help",
                            argv[optind - 1]);
    }
}

static int parse(int argc, char **argv, struct request *out)
{
    static const struct option options[] = {
        {"repeats", required_argument, NULL, 'n'},
        {"rounds", required_argument, NULL, 'r'},
        {"suite", required_argument, NULL, 's'},
        {"target", required_argument, NULL, 't'},
        {"filetrace", required_argument, NULL, 'f'},
        {"quiet", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    int option;

    opterr = 0;
    optind = 1;
    while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        int status = take_option(option, argv, out);
        if (status || out->help)
            return status;
    }
    out->run.targets = out->targets;
    out->paths = argv + optind;
    out->paths_count = (size_t)(argc - optind);
    if (out->paths_count > TT_CALIBRATE_MAX_RESULTS)
        return tt_cmd_usage("calibrate", "%zu results: at most %d", out->paths_count,
                            TT_CALIBRATE_MAX_RESULTS);
    return 0;
}

static void warn(void *context, const char *text)
{
    tt_progress_clear(context);
    tt_cmd_warn("calibrate", "warning: %s", text);
}

static void show_progress(void *context, const struct tt_run_state *state)
{
    tt_progress_show(context, state);
}

/** The tracer that stands on both sides: the one given, else the one beside this program. */
static int find_filetrace(const struct request *request, char **out, struct err *err)
{
    *out = NULL;
    if (request->run.filetrace) {
        *out = strdup(request->run.filetrace);
    } else {
        struct buf path;
        char *folder = proc_self_dir();
        buf_init(&path, 8192);
        buf_printf(&path, "%s/filetrace", folder ? folder : ".");
        *out = buf_take(&path);
        buf_fini(&path);
        free(folder);
    }
    return *out ? 0 : err_set(err, -ENOMEM, "cannot calibrate: %s", err_text(-ENOMEM));
}

/**
 * Whether head can be run against itself: a target that brings its own tracker has no second
 * build. @out false: only the spread can be learned
 */
static int has_same_job(const struct request *request, bool *out, struct err *err)
{
    struct tt_suite suite;

    *out = true;
    int ret = tt_suite_load(request->run.suite, &suite, err);
    if (!ret && request->run.targets_count)
        ret = tt_suite_select(&suite, request->run.targets, request->run.targets_count, err);
    for (size_t i = 0; !ret && i < suite.targets_count; i++)
        *out &= !suite.targets[i].tracker;
    tt_suite_fini(&suite);
    return ret;
}

/** Run the repeats. @count how many results @results holds, also on failure */
static int run_all(const struct request *request, struct tt_result *results, size_t *count,
                   struct err *err)
{
    struct tt_progress progress;
    char *filetrace = NULL;
    bool same_job;

    int ret = has_same_job(request, &same_job, err);
    if (!ret)
        ret = find_filetrace(request, &filetrace, err);
    tt_progress_init(&progress, stderr, request->quiet);
    const struct tt_run_hooks hooks = {
        .context = &progress, .warn = warn, .progress = show_progress, .stop = &tt_cmd_stop};
    tt_cmd_stop_catch();
    if (!ret && !same_job)
        warn(&progress, "a target brings its own tracker: only the spread from run to run is "
                        "learned, not the rate of false alarms");
    uint64_t seed = clock_monotonic_ns() & (TT_JSON_MAX_INTEGER >> 1);
    for (uint64_t i = 0; !ret && i < request->repeats; i++) {
        struct tt_run_options options = request->run;
        if (same_job) {
            options.filetrace = filetrace;
            options.base = filetrace;
        }
        options.seed = seed + i;
        tt_progress_clear(&progress);
        if (!request->quiet)
            fprintf(stderr, "tracetax calibrate: run %u of %u\n", (unsigned)i + 1,
                    (unsigned)request->repeats);
        ret = tt_run(&options, &hooks, &results[*count], err);
        if (!ret)
            (*count)++;
    }
    tt_progress_clear(&progress);
    free(filetrace);
    return ret;
}

static int read_all(const struct request *request, struct tt_result *results, size_t *count,
                    struct err *err)
{
    int ret = 0;
    for (size_t i = 0; !ret && i < request->paths_count; i++) {
        ret = tt_result_read(request->paths[i], &results[i], err);
        if (!ret)
            (*count)++;
    }
    return ret;
}

/** Print, then keep. */
static int finish(const struct tt_result *results, size_t count, struct err *err)
{
    const struct tt_thresholds limits = TT_THRESHOLDS_DEFAULT;
    struct tt_calibration calibration;
    struct buf out;
    char *path = NULL;

    int ret = tt_calibrate(results, count, &limits, &calibration, err);
    if (ret)
        return ret;
    buf_init(&out, TT_OUTPUT_MAX_BYTES);
    ret = tt_calibration_show(&calibration, &out);
    if (ret)
        (void)err_set(err, ret, "cannot calibrate: %s", err_text(ret));
    else
        ret =
            tt_baseline_keep_calibration(results[0].platform.id, &calibration.history, &path, err);
    if (!ret) {
        buf_puts(&out, "Kept in ");
        tt_plain_escape(&out, path, TT_OUTPUT_MAX_BYTES);
        buf_puts(&out, "; tracetax compare uses it for results of this machine.\n");
        ret = file_write("-", out.data, out.size_bytes, err);
    }
    free(path);
    buf_fini(&out);
    tt_calibration_fini(&calibration);
    return ret;
}

int tt_cmd_calibrate(int argc, char **argv)
{
    struct request request = {.repeats = DEFAULT_REPEATS,
                              .run = {.suite = "default",
                                      .shard = 1,
                                      .shards = 1,
                                      .rounds = DEFAULT_ROUNDS,
                                      .max_time_s = TT_RUN_DEFAULT_MAX_TIME_S,
                                      .warmup_rounds = TT_RUN_DEFAULT_WARMUP_ROUNDS}};
    struct err err = {0};
    size_t count = 0;

    int status = parse(argc, argv, &request);
    if (status)
        return status;
    if (request.help)
        return fputs(help, stdout) < 0 || fflush(stdout) ? TT_EXIT_FAILED : TT_EXIT_DONE;

    struct tt_result *results = calloc(TT_CALIBRATE_MAX_RESULTS, sizeof(*results));
    if (!results) {
        (void)err_set(&err, -ENOMEM, "cannot calibrate: %s", err_text(-ENOMEM));
        return tt_cmd_failed("calibrate", &err);
    }
    int ret = request.paths_count ? read_all(&request, results, &count, &err)
                                  : run_all(&request, results, &count, &err);
    if (!ret)
        ret = finish(results, count, &err);
    for (size_t i = 0; i < count; i++)
        tt_result_fini(&results[i]);
    free(results);
    if (ret == -EINTR) {
        return tt_cmd_stop_end();
    }
    if (ret == -EINVAL && !request.paths_count) /* the run's options */
        return tt_cmd_usage("calibrate", "%s", err.text);
    return ret ? tt_cmd_failed("calibrate", &err) : TT_EXIT_DONE;
}
