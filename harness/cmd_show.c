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
    "Usage: tracetax show [--format FORMAT] RESULT...\n"
    "\n"
    "Print what each result holds. RESULT is a file that 'tracetax run' wrote, '-' is standard\n"
    "input.\n"
    "\n"
    "  --format FORMAT  table (default), markdown, csv or json\n"
    "  --help           this text\n"
    "\n"
    "Example: tracetax show result.json\n";

/** One result. @index of the result, from 0 */
static int show_one(const char *path, int index, enum tt_format format, struct buf *out,
                    struct err *err)
{
    struct tt_result result;
    struct tt_comparison comparison = {0};

    int ret = tt_result_read(path, &result, err);
    if (ret)
        return ret;
    const struct tt_compare_input input = {.now = &result, .limits = TT_THRESHOLDS_DEFAULT};
    ret = tt_compare(&input, &comparison, err);
    if (!ret) {
        if (index && format != TT_FORMAT_CSV && format != TT_FORMAT_JSON)
            buf_puts(out, "\n");
        ret = tt_format_put(format, &comparison, out);
        if (ret)
            (void)err_set(err, ret, "cannot show %s: %s", path, err_text(ret));
    }
    tt_comparison_fini(&comparison);
    tt_result_fini(&result);
    return ret;
}

int tt_cmd_show(int argc, char **argv)
{
    static const struct option options[] = {
        {"format", required_argument, NULL, 'f'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    enum tt_format format = TT_FORMAT_TABLE;
    struct err err = {0};
    struct buf out;
    int option;

    opterr = 0;
    optind = 1;
    while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        switch (option) {
        case 'f':
            if (tt_format_parse(optarg, &format))
                return tt_cmd_usage("show", "--format %s: not table, markdown, csv or json",
                                    optarg);
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

    buf_init(&out, TT_OUTPUT_MAX_BYTES);
    int ret = 0;
    for (int i = optind; !ret && i < argc; i++)
        ret = show_one(argv[i], i - optind, format, &out, &err);
    if (!ret)
        ret = file_write("-", out.data ? out.data : "", out.size_bytes, &err);
    buf_fini(&out);
    return ret ? tt_cmd_failed("show", &err) : TT_EXIT_DONE;
}
