/* SPDX-License-Identifier: MIT */
/* tracetax compare: a result against a baseline. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "common/num.h"
#include "harness/baseline.h"
#include "harness/cmd_output.h"
#include "harness/commands.h"

static const char help[] =
    "Usage: tracetax compare [OPTION...] NEW [BASELINE]\n"
    "\n"
    "Compare a result with a baseline: the one given, else this machine's last run, else\n"
    "baselines/<platform>.json of the current folder or one above it.\n"
    "\n"
    "  --format FORMAT         table (default), markdown, csv, json or html\n"
    "  --history FILE          learn the spread from run to run from this history.json; without\n"
    "                          it, from this machine's 'tracetax calibrate'\n"
    "  --baselines DIR         look for <platform>.json here, not upward\n"
    "  --margin PCT            regressed or improved is what lies wholly beyond (default 1)\n"
    "  --unchanged-within PCT  unchanged is what lies wholly inside (default 3)\n"
    "  --fail-on regressed     exit with 1 when head is slower than base of the same job\n"
    "  --help                  this text\n"
    "\n"
    "Exit status: 0 compared, 1 regressed (with --fail-on), 2 wrong usage, 3 unreadable input.\n"
    "\n"
    "Example: tracetax compare --format markdown result.json baselines/linux-x86_64.json\n";

/** What the command line asks for. Borrowed from argv. */
struct request {
    const char *now, *baseline, *history, *baselines_folder;
    struct tt_thresholds limits;
    enum tt_format format;
    bool fail_on_regressed;
    bool help;
};

/** A percentage as a part of 1. */
static int take_percent(const char *option, const char *text, double min, double *out)
{
    double percent;
    if (num_parse_double(text, min, 100, &percent))
        return tt_cmd_usage("compare", "%s %s: not a percentage from %g to 100", option, text, min);
    *out = percent / 100;
    return 0;
}

static int take_option(int option, char *const *argv, struct request *out)
{
    switch (option) {
    case 'f':
        if (tt_format_parse(optarg, &out->format))
            return tt_cmd_usage("compare", "--format %s: not table, markdown, csv, json or html",
                                optarg);
        return 0;
    case 'H':
        out->history = optarg;
        return 0;
    case 'b':
        out->baselines_folder = optarg;
        return 0;
    case 'm':
        return take_percent("--margin", optarg, 0, &out->limits.margin);
    case 'u':
        return take_percent("--unchanged-within", optarg, 0.001, &out->limits.unchanged_within);
    case 'F':
        if (strcmp(optarg, "regressed"))
            return tt_cmd_usage("compare", "--fail-on %s: only 'regressed' can fail", optarg);
        out->fail_on_regressed = true;
        return 0;
    case 'h':
        out->help = true;
        return 0;
    case ':':
        return tt_cmd_usage("compare", "%s: a value is missing; see tracetax compare --help",
                            argv[optind - 1]);
    default:
        return tt_cmd_usage("compare", "%s: no such option; see tracetax compare --help",
                            argv[optind - 1]);
    }
}

static int parse(int argc, char **argv, struct request *out)
{
    static const struct option options[] = {
        {"format", required_argument, NULL, 'f'},
        {"history", required_argument, NULL, 'H'},
        {"baselines", required_argument, NULL, 'b'},
        {"margin", required_argument, NULL, 'm'},
        {"unchanged-within", required_argument, NULL, 'u'},
        {"fail-on", required_argument, NULL, 'F'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    int option;

    *out = (struct request){.limits = TT_THRESHOLDS_DEFAULT};
    opterr = 0;
    optind = 1;
    while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        int status = take_option(option, argv, out);
        if (status || out->help)
            return status;
    }
    if (argc - optind < 1)
        return tt_cmd_usage("compare", "no result named; give the file that 'tracetax run' wrote");
    if (argc - optind > 2)
        return tt_cmd_usage("compare", "%s: more than one baseline", argv[optind + 2]);
    out->now = argv[optind];
    out->baseline = argv[optind + 1]; /* NULL at the end of argv */
    return 0;
}

/** A baseline with what it points to. */
struct loaded {
    struct tt_result result;
    char *path;
    enum tt_baseline_kind kind;
    bool found;
};

static int load_baseline(const struct request *request, const struct tt_result *now,
                         struct loaded *out, struct err *err)
{
    int ret;

    *out = (struct loaded){0};
    if (request->baseline) {
        out->kind = TT_BASELINE_GIVEN;
        out->path = strdup(request->baseline);
        ret = out->path ? tt_result_read(request->baseline, &out->result, err)
                        : err_set(err, -ENOMEM, "cannot compare: %s", err_text(-ENOMEM));
        out->found = !ret;
        return ret;
    }
    out->kind = TT_BASELINE_LAST_RUN;
    ret = tt_baseline_find_last_run(now, &out->result, &out->path, err);
    if (ret == -ENOENT) {
        out->kind = TT_BASELINE_COMMITTED;
        ret = tt_baseline_find_committed(now, request->baselines_folder, &out->result, &out->path,
                                         err);
        if (ret == -ENOENT) {
            tt_cmd_warn("compare",
                        "no baseline: no earlier run of this machine and no baselines/%s.json; "
                        "run again, or name one",
                        now->platform.id);
            return 0;
        }
    }
    out->found = !ret;
    return ret;
}

/**
 * Results from which the spread is learned: the file given, else this machine's calibration,
 * unless the baseline was committed and thus measured on some other machine.
 */
static int load_history(const struct request *request, const struct tt_result *now,
                        const struct loaded *loaded, struct tt_history *out, struct err *err)
{
    *out = (struct tt_history){0};
    if (request->history)
        return tt_history_read(request->history, out, err);
    if (loaded->kind == TT_BASELINE_COMMITTED)
        return 0;
    int ret = tt_baseline_read_calibration(now->platform.id, out, err);
    if (ret && ret != -ENOENT && ret != -ENOMEM)
        tt_cmd_warn("compare", "warning: %s; run tracetax calibrate again", err->text);
    return ret == -ENOMEM ? ret : 0;
}

/** Compare and print. @out_regressed whether a same-job comparison says so */
static int compare(const struct request *request, const struct tt_result *now,
                   const struct loaded *loaded, const struct tt_history *history,
                   bool *out_regressed, struct err *err)
{
    const struct tt_baseline baseline = {
        .kind = loaded->kind, .result = &loaded->result, .where = loaded->path};
    const struct tt_compare_input input = {.now = now,
                                           .baselines = &baseline,
                                           .baselines_count = loaded->found ? 1 : 0,
                                           .history = history,
                                           .limits = request->limits};
    struct tt_comparison comparison;
    struct buf out;

    int ret = tt_compare(&input, &comparison, err);
    if (ret)
        return ret;
    buf_init(&out, TT_OUTPUT_MAX_BYTES);
    tt_format_begin(request->format, &out);
    ret = tt_format_put(request->format, &comparison, history, &out);
    tt_format_end(request->format, &out);
    if (!ret)
        ret = buf_status(&out);
    if (ret)
        (void)err_set(err, ret, "cannot show %s: %s", request->now, err_text(ret));
    else
        ret = file_write("-", out.data ? out.data : "", out.size_bytes, err);
    *out_regressed = tt_comparison_count(&comparison, TT_VERDICT_REGRESSED) > 0;
    buf_fini(&out);
    tt_comparison_fini(&comparison);
    return ret;
}

int tt_cmd_compare(int argc, char **argv)
{
    struct request request;
    struct tt_result now = {0};
    struct loaded loaded = {0};
    struct tt_history history = {0};
    struct err err = {0};
    bool regressed = false;

    int status = parse(argc, argv, &request);
    if (status)
        return status;
    if (request.help)
        return fputs(help, stdout) < 0 || fflush(stdout) ? TT_EXIT_FAILED : TT_EXIT_DONE;

    int ret = tt_result_read(request.now, &now, &err);
    if (!ret)
        ret = load_baseline(&request, &now, &loaded, &err);
    if (!ret)
        ret = load_history(&request, &now, &loaded, &history, &err);
    if (!ret)
        ret = compare(&request, &now, &loaded, &history, &regressed, &err);

    tt_history_fini(&history);
    tt_result_fini(&loaded.result);
    free(loaded.path);
    tt_result_fini(&now);
    if (ret)
        return tt_cmd_failed("compare", &err);
    return regressed && request.fail_on_regressed ? TT_EXIT_REGRESSED : TT_EXIT_DONE;
}
