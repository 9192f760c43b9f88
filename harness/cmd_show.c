/* SPDX-License-Identifier: MIT */
/* tracetax show: results as tables, compared with nothing. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "common/file.h"
#include "harness/cmd_output.h"
#include "harness/commands.h"

static const char help[] =
    "Usage: tracetax show [OPTION...] RESULT...\n"
    "\n"
    "Print what each result holds. RESULT is a file that 'tracetax run' wrote, '-' is standard\n"
    "input.\n"
    "\n"
    "  --history FILE   also draw the overheads of earlier runs, in html\n"
    "  --format FORMAT  table (default), markdown, csv, json or html\n"
    "  --help           this text\n"
    "\n"
    "Example: tracetax show --format html result.json >result.html\n";

/** One result. @index of the result, from 0 */
static int show_one(const char *path, int index, enum tt_format format,
                    const struct tt_history *history, struct buf *out, struct err *err)
{
    struct tt_result result;
    struct tt_comparison comparison = {0};

    int ret = tt_result_read(path, &result, err);
    if (ret)
        return ret;
    const struct tt_compare_input input = {
        .now = &result, .history = history, .limits = TT_THRESHOLDS_DEFAULT};
    ret = tt_compare(&input, &comparison, err);
    if (!ret) {
        if (index && (format == TT_FORMAT_TABLE || format == TT_FORMAT_MARKDOWN))
            buf_puts(out, "\n");
        ret = tt_format_put(format, &comparison, history, out);
        if (ret)
            (void)err_set(err, ret, "cannot show %s: %s", path, err_text(ret));
    }
    tt_comparison_fini(&comparison);
    tt_result_fini(&result);
    return ret;
}

/** All results, one after the other. */
static int show_all(char *const *paths, int count, enum tt_format format,
                    const struct tt_history *history, struct err *err)
{
    struct buf out;
    int ret = 0;

    buf_init(&out, TT_OUTPUT_MAX_BYTES);
    tt_format_begin(format, &out);
    for (int i = 0; !ret && i < count; i++)
        ret = show_one(paths[i], i, format, history, &out, err);
    tt_format_end(format, &out);
    if (!ret && buf_status(&out))
        ret = err_set(err, buf_status(&out), "cannot show: %s", err_text(buf_status(&out)));
    if (!ret)
        ret = file_write("-", out.data ? out.data : "", out.size_bytes, err);
    buf_fini(&out);
    return ret;
}

int tt_cmd_show(int argc, char **argv)
{
    static const struct option options[] = {
        {"format", required_argument, NULL, 'f'},
        {"history", required_argument, NULL, 'H'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    enum tt_format format = TT_FORMAT_TABLE;
    const char *history_path = NULL;
    struct tt_history history = {0};
    struct err err = {0};
    int option;

    opterr = 0;
    optind = 1;
    while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        switch (option) {
        case 'f':
            if (tt_format_parse(optarg, &format))
                return tt_cmd_usage("show", "--format %s: not table, markdown, csv, json or html",
                                    optarg);
            break;
        case 'H':
            history_path = optarg;
            break;
        case 'h':
            return fputs(help, stdout) < 0 || fflush(stdout) ? TT_EXIT_FAILED : TT_EXIT_DONE;
        case ':':
            return tt_cmd_usage("show", "%s: a value is missing; see tracetax show --help",
                                argv[optind - 1]);
        default:
            return tt_cmd_usage("show", "%s: no such option; see tracetax show --help",
                                argv[optind - 1]);
        }
    }
    if (optind == argc)
        return tt_cmd_usage("show", "no result named; give the file that 'tracetax run' wrote");

    int ret = history_path ? tt_history_read(history_path, &history, &err) : 0;
    if (!ret)
        ret = show_all(argv + optind, argc - optind, format, history_path ? &history : NULL, &err);
    tt_history_fini(&history);
    return ret ? tt_cmd_failed("show", &err) : TT_EXIT_DONE;
}
