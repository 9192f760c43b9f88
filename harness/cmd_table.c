/* SPDX-License-Identifier: MIT */
/* tracetax table: groups of plain commands, how long they take, relative to one of them. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "common/num.h"
#include "harness/cmd_output.h"
#include "harness/cmd_stop.h"
#include "harness/commands.h"
#include "harness/progress.h"
#include "harness/result.h"
#include "harness/speed_run.h"

#define DEFAULT_ROUNDS 10

static const char help[] =
    "Usage: tracetax table [OPTION...] SUITE\n"
    "       tracetax table [OPTION...] --import-json FILE...\n"
    "\n"
    "Run the suite's groups of plain commands, interleaved, and print for each group Command,\n"
    "Mean, Min, Max, Relative; or print what hyperfine wrote. SUITE is a file, FILE too.\n"
    "\n"
    "  --rounds N         1 to 100000 (default 10)\n"
    "  --engine NAME      auto, hyperfine or builtin (default auto)\n"
    "  --build NAME=CMD   also run CMD in place of the suite's program; may be repeated\n"
    "  --reference NAME   what is 1.00: a command, or its first word (default: the first)\n"
    "  --import-json      read hyperfine's JSON, run nothing\n"
    "  --export-json FILE write hyperfine's JSON too\n"
    "  --format FORMAT    table (default) or markdown\n"
    "  --quiet            no progress\n"
    "  --help             this text\n"
    "\n"
    "Exit status: 0 done, 2 wrong usage, 3 could not run, or input unreadable.\n"
    "\n"
    "Example: tracetax table --reference find suites/spawn.json\n";

struct request {
    struct tt_speed_options run;
    const char *reference, *export_path;
    bool is_import, is_markdown, is_quiet, is_help;
};

static const struct option long_options[] = {
    {"rounds", required_argument, NULL, 'n'}, {"engine", required_argument, NULL, 'e'},
    {"build", required_argument, NULL, 'b'},  {"reference", required_argument, NULL, 'r'},
    {"import-json", no_argument, NULL, 'i'},  {"export-json", required_argument, NULL, 'x'},
    {"format", required_argument, NULL, 'f'}, {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},         {0},
};

/** Cut NAME=CMD in two, in place. */
static int take_build(char *text, struct tt_speed_options *out)
{
    char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return tt_cmd_usage("table", "--build %s: not NAME=CMD", text);
    if (out->builds_count == TT_SPEED_MAX_BUILDS)
        return tt_cmd_usage("table", "--build: more than %d of them", TT_SPEED_MAX_BUILDS);
    *equals = '\0';
    out->builds[out->builds_count++] = (struct tt_speed_build){.name = text, .program = equals + 1};
    return 0;
}

static int take_engine(const char *text, struct tt_speed_options *out)
{
    static const char *const names[] = {"auto", "hyperfine", "builtin"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (!strcmp(text, names[i])) {
            out->engine = (enum tt_engine_kind)i;
            return 0;
        }
    }
    return tt_cmd_usage("table", "--engine %s: not auto, hyperfine or builtin", text);
}

/** @return 0 or TT_EXIT_USAGE, in words */
static int take_option(int option, char **argv, struct request *out)
{
    switch (option) {
    case 'n':
        if (num_parse_u64(optarg, 1, TT_RESULT_MAX_ROUNDS, &out->run.rounds))
            return tt_cmd_usage("table", "--rounds %s: not a whole number from 1 to %d", optarg,
                                TT_RESULT_MAX_ROUNDS);
        return 0;
    case 'e':
        return take_engine(optarg, &out->run);
    case 'b':
        return take_build(optarg, &out->run);
    case 'r':
        out->reference = optarg;
        return 0;
    case 'i':
        out->is_import = true;
        return 0;
    case 'x':
        out->export_path = optarg;
        return 0;
    case 'f':
        out->is_markdown = !strcmp(optarg, "markdown");
        if (!out->is_markdown && strcmp(optarg, "table") != 0)
            return tt_cmd_usage("table", "--format %s: not table or markdown", optarg);
        return 0;
    case 'q':
        out->is_quiet = true;
        return 0;
    case 'h':
        out->is_help = true;
        return 0;
    case ':':
        return tt_cmd_usage("table", "%s: a value is missing; see tracetax table --help",
                            argv[optind - 1]);
    default:
        return tt_cmd_usage("table", "%s: no such option; see tracetax table --help",
                            argv[optind - 1]);
    }
}

static int import_one(const char *path, struct tt_speed_table *table, struct err *err)
{
    struct buf text;

    buf_init(&text, TT_SPEED_MAX_BYTES);
    int ret = file_read(path, &text, err);
    if (!ret)
        ret = tt_speed_parse(path, text.data ? text.data : "", text.size_bytes, table, err);
    buf_fini(&text);
    return ret;
}

static void show_progress(void *context, const struct tt_run_state *state)
{
    tt_progress_show(context, state);
}

static int print(const struct request *request, struct tt_speed_table *table, struct err *err)
{
    struct buf out;
    char *json = NULL;
    int ret = request->reference ? tt_speed_choose(table, request->reference, err) : 0;

    buf_init(&out, TT_OUTPUT_MAX_BYTES);
    if (!ret && request->export_path) {
        ret = tt_speed_format(table, &json, err);
        if (!ret)
            ret = file_write(request->export_path, json, strlen(json), err);
    }
    if (!ret && (ret = tt_show_speed(table, request->is_markdown, &out)))
        (void)err_set(err, ret, "cannot show the table: %s", err_text(ret));
    if (!ret)
        ret = file_write("-", out.data ? out.data : "", out.size_bytes, err);
    buf_fini(&out);
    free(json);
    return ret;
}

int tt_cmd_table(int argc, char **argv)
{
    struct request request = {.run = {.rounds = DEFAULT_ROUNDS, .stop = &tt_cmd_stop}};
    struct tt_speed_table table = {0};
    struct tt_progress progress;
    struct err err = {0};
    int option, ret = 0;

    opterr = 0;
    optind = 1;
    while ((option = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
        int status = take_option(option, argv, &request);
        if (status)
            return status;
    }
    if (request.is_help)
        return fputs(help, stdout) < 0 || fflush(stdout) ? TT_EXIT_FAILED : TT_EXIT_DONE;
    if (optind == argc)
        return tt_cmd_usage("table", "no file named; suites/spawn.json is an example");
    if (!request.is_import && argc - optind > 1)
        return tt_cmd_usage("table", "%s: more than one suite", argv[optind + 1]);
    if (request.is_import && request.run.builds_count)
        return tt_cmd_usage("table", "--build: nothing is run with --import-json");

    if (request.is_import) {
        for (int i = optind; !ret && i < argc; i++)
            ret = import_one(argv[i], &table, &err);
    } else {
        request.run.suite = argv[optind];
        tt_progress_init(&progress, stderr, request.is_quiet);
        request.run.progress = show_progress;
        request.run.context = &progress;
        tt_cmd_stop_catch();
        ret = tt_speed_run(&request.run, &table, &err);
        tt_progress_clear(&progress);
        if (ret == -EINTR) {
            tt_cmd_warn("table", "stopped by a signal; nothing was written");
            return tt_cmd_stop_end();
        }
    }
    if (!ret)
        ret = print(&request, &table, &err);
    tt_speed_table_fini(&table);
    return ret ? tt_cmd_failed("table", &err) : TT_EXIT_DONE;
}
