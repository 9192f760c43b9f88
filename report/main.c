/* SPDX-License-Identifier: MIT */
/* tracetax-report: options, the environment, printing and the exit status. */
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>

#include "common/file.h"
#include "common/num.h"
#include "harness/md_escape.h"
#include "report/baselines.h"
#include "report/event.h"
#include "report/report.h"
#include "report/sandbox.h"
#include "report/summary.h"
#include "report/url.h"

#define PROGRAM "tracetax-report"
#define LINE_MAX_CHARS 1000

enum { EXIT_DONE = 0, EXIT_REGRESSED = 1, EXIT_USAGE = 2, EXIT_FAILED = 3 };

static const char help[] =
    "usage: tracetax-report comment --event FILE [OPTION...]\n"
    "       tracetax-report preview RESULT... [--baseline FILE] [OPTION...]\n"
    "       tracetax-report baselines --repository OWNER/NAME [OPTION...]\n"
    "       tracetax-report check-baselines FILE...\n"
    "\n"
    "comment: keeps one comment on the pull request of a benchmark run up to date.\n"
    "  --event FILE           the workflow_run event (GITHUB_EVENT_PATH)\n"
    "  --workflow PATH        the measuring workflow [.github/workflows/benchmark.yml]\n"
    "  --author LOGIN         who the token writes as [github-actions[bot]]\n"
    "  --dry-run              write nothing to GitHub, print the comment\n"
    "  --export-history FILE  on a push to the default branch: its longer history\n"
    "  --time-limit SECONDS   for everything, 1 to 3600 [300]\n"
    "preview: prints the same comment from result files, without any network.\n"
    "  --baseline FILE        a result to compare with\n"
    "  --history FILE         a history, for spread and trend\n"
    "baselines: writes FOLDER/<platform>.json from the newest results of the branch's own pushes.\n"
    "  --repository NAME      OWNER/NAME\n"
    "  --branch NAME          the default branch [main]\n"
    "  --baselines FOLDER     where they are written [baselines]\n"
    "  --workflow PATH, --time-limit SECONDS   as with comment\n"
    "check-baselines: says from which run and commit each comes; fails where one is not right.\n"
    "both:\n"
    "  --baselines FOLDER     committed results, the last resort [baselines]\n"
    "  --fail-on regressed    exit 1 when the same-job comparison found a regression\n"
    "  --export-gab FILE      for github-action-benchmark (customSmallerIsBetter)\n"
    "  --export-bmf FILE      for Bencher (Bencher Metric Format)\n"
    "  --help, --version\n"
    "\n"
    "comment reads GITHUB_TOKEN, GITHUB_REPOSITORY_ID, GITHUB_API_URL, GITHUB_SERVER_URL,\n"
    "GITHUB_WORKFLOW and GITHUB_STEP_SUMMARY as GitHub Actions sets them; baselines the first and\n"
    "the third.\n"
    "Exit status: 0 done or nothing to do, 1 regression (--fail-on), 2 wrong usage, 3 failed.\n"
    "\n"
    "  tracetax-report preview result.json --baseline main.json\n";

/* In the order of option_list. */
enum option_id {
    OPTION_EVENT = 256,
    OPTION_WORKFLOW,
    OPTION_AUTHOR,
    OPTION_DRY_RUN,
    OPTION_EXPORT_HISTORY,
    OPTION_TIME_LIMIT,
    OPTION_BASELINE,
    OPTION_HISTORY,
    OPTION_BASELINES,
    OPTION_REPOSITORY,
    OPTION_BRANCH,
    OPTION_FAIL_ON,
    OPTION_EXPORT_GAB,
    OPTION_EXPORT_BMF,
    OPTION_HELP,
    OPTION_VERSION
};

static const struct option option_list[] = {
    {"event", required_argument, NULL, OPTION_EVENT},
    {"workflow", required_argument, NULL, OPTION_WORKFLOW},
    {"author", required_argument, NULL, OPTION_AUTHOR},
    {"dry-run", no_argument, NULL, OPTION_DRY_RUN},
    {"export-history", required_argument, NULL, OPTION_EXPORT_HISTORY},
    {"time-limit", required_argument, NULL, OPTION_TIME_LIMIT},
    {"baseline", required_argument, NULL, OPTION_BASELINE},
    {"history", required_argument, NULL, OPTION_HISTORY},
    {"baselines", required_argument, NULL, OPTION_BASELINES},
    {"repository", required_argument, NULL, OPTION_REPOSITORY},
    {"branch", required_argument, NULL, OPTION_BRANCH},
    {"fail-on", required_argument, NULL, OPTION_FAIL_ON},
    {"export-gab", required_argument, NULL, OPTION_EXPORT_GAB},
    {"export-bmf", required_argument, NULL, OPTION_EXPORT_BMF},
    {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},
    {0},
};

enum kind { KIND_COMMENT, KIND_PREVIEW, KIND_BASELINES, KIND_CHECK };

static const char *const kind_names[] = {[KIND_COMMENT] = "comment",
                                         [KIND_PREVIEW] = "preview",
                                         [KIND_BASELINES] = "baselines",
                                         [KIND_CHECK] = "check-baselines"};

#define COMMENT (1u << KIND_COMMENT)
#define PREVIEW (1u << KIND_PREVIEW)
#define BASELINES (1u << KIND_BASELINES)
#define BIT(option) ((option)-OPTION_EVENT)

/* Which commands heed an option. */
static const unsigned int heeded_by[] = {
    [BIT(OPTION_EVENT)] = COMMENT,
    [BIT(OPTION_WORKFLOW)] = COMMENT | BASELINES,
    [BIT(OPTION_AUTHOR)] = COMMENT,
    [BIT(OPTION_DRY_RUN)] = COMMENT,
    [BIT(OPTION_EXPORT_HISTORY)] = COMMENT,
    [BIT(OPTION_TIME_LIMIT)] = COMMENT | BASELINES,
    [BIT(OPTION_BASELINE)] = PREVIEW,
    [BIT(OPTION_HISTORY)] = PREVIEW,
    [BIT(OPTION_BASELINES)] = COMMENT | PREVIEW | BASELINES,
    [BIT(OPTION_REPOSITORY)] = BASELINES,
    [BIT(OPTION_BRANCH)] = BASELINES,
    [BIT(OPTION_FAIL_ON)] = COMMENT | PREVIEW,
    [BIT(OPTION_EXPORT_GAB)] = COMMENT | PREVIEW,
    [BIT(OPTION_EXPORT_BMF)] = COMMENT | PREVIEW,
};

/* What the command line says. */
struct command {
    enum kind kind;
    unsigned int given; /* bit 0 is OPTION_EVENT's, and so on */
    bool fail_on_regressed;
    const char *baseline;
    const char *const *paths;
    size_t paths_count;
    struct rep_options options;
};

/* One line on standard error, whatever is in the text. */
static void complain(const char *text)
{
    struct buf line;
    buf_init(&line, 8192);
    tt_plain_escape(&line, text, LINE_MAX_CHARS);
    (void)fprintf(stderr, PROGRAM ": %s\n", line.data ? line.data : "");
    buf_fini(&line);
}

static int usage(const char *format, const char *object)
{
    char text[512];
    int n = snprintf(text, sizeof(text), format, object);
    complain(n < 0 ? "wrong usage" : text);
    return -EINVAL;
}

/* A line on the page of the run, by a workflow command. */
static void announce(enum rep_level level, const char *text)
{
    struct buf line;
    struct buf command;
    buf_init(&line, 8192);
    buf_init(&command, 65536);
    tt_plain_escape(&line, text, LINE_MAX_CHARS);
    if (line.data && !rep_log_command(&command, level, line.data))
        (void)fprintf(stderr, "%s\n", command.data);
    buf_fini(&line);
    buf_fini(&command);
}

/* Lines of the report as they come. On GitHub a warning is a workflow command as well. */
static void on_line(void *context, enum rep_level level, const char *line)
{
    const bool *on_github = context;
    (void)fprintf(stderr, PROGRAM ": %s%s\n", level == REP_WARNING ? "warning: " : "", line);
    if (*on_github && level != REP_INFO)
        announce(level, line);
}

static int apply_option(int id, struct command *command)
{
    struct rep_options *options = &command->options;
    uint64_t seconds = 0;
    switch (id) {
    case OPTION_EVENT:
        options->event_path = optarg;
        return 0;
    case OPTION_WORKFLOW:
        options->workflow_path = optarg;
        return 0;
    case OPTION_AUTHOR:
        options->author = optarg;
        return 0;
    case OPTION_DRY_RUN:
        options->dry_run = true;
        return 0;
    case OPTION_EXPORT_HISTORY:
        options->export_history = optarg;
        return 0;
    case OPTION_TIME_LIMIT:
        if (num_parse_u64(optarg, 1, 3600, &seconds))
            return usage("--time-limit %s: must be 1 to 3600 seconds", optarg);
        options->time_limit_ms = seconds * 1000;
        return 0;
    case OPTION_BASELINE:
        command->baseline = optarg;
        return 0;
    case OPTION_HISTORY:
        options->history_path = optarg;
        return 0;
    case OPTION_BASELINES:
        options->baselines_path = optarg;
        return 0;
    case OPTION_REPOSITORY:
        options->repository = optarg;
        return 0;
    case OPTION_BRANCH:
        options->branch = optarg;
        return 0;
    case OPTION_FAIL_ON:
        if (strcmp(optarg, "regressed") != 0)
            return usage("--fail-on %s: the only choice is regressed", optarg);
        command->fail_on_regressed = true;
        return 0;
    case OPTION_EXPORT_GAB:
        options->export_gab = optarg;
        return 0;
    case OPTION_EXPORT_BMF:
        options->export_bmf = optarg;
        return 0;
    case OPTION_HELP:
        (void)fputs(help, stdout);
        return 1;
    case OPTION_VERSION:
        puts(PROGRAM " " TRACETAX_VERSION);
        return 1;
    default:
        return usage("%s", "see --help");
    }
}

/* No option is passed over in silence. */
static int check_options(const struct command *command)
{
    for (size_t i = 0; i < ARRAY_LEN(heeded_by); i++) {
        char text[128];
        if (!(command->given >> i & 1) || heeded_by[i] >> command->kind & 1)
            continue;
        (void)snprintf(text, sizeof(text), "--%s does not go with %s; see --help",
                       option_list[i].name, kind_names[command->kind]);
        return usage("%s", text);
    }
    return 0;
}

/* What each command must have. */
static int check_command(const struct command *command)
{
    const struct rep_options *options = &command->options;
    bool takes_files = command->kind == KIND_PREVIEW || command->kind == KIND_CHECK;
    if (check_options(command))
        return -EINVAL;
    if (takes_files && !command->paths_count)
        return usage("%s: which file? see --help", kind_names[command->kind]);
    if (!takes_files && command->paths_count)
        return usage("what is %s? see --help", command->paths[0]);
    if (command->kind == KIND_COMMENT && !options->event_path)
        return usage("%s", "comment: --event FILE is missing");
    if (command->kind == KIND_BASELINES &&
        (!options->repository || !rep_event_is_repository(options->repository)))
        return usage("%s", "baselines: --repository OWNER/NAME is missing or not such a name");
    if (!*options->author || !*options->workflow_path || !*options->branch)
        return usage("%s", "--author, --workflow and --branch must not be empty");
    return 0;
}

/* @return 0; 1: done already (--help); negative: wrong usage */
static int parse_command(int argc, char **argv, struct command *command)
{
    *command = (struct command){.options = {.workflow_path = REP_WORKFLOW_DEFAULT,
                                            .author = "github-actions[bot]",
                                            .baselines_path = "baselines",
                                            .branch = "main",
                                            .time_limit_ms = 300000,
                                            .max_requests = 100,
                                            .limits = TT_THRESHOLDS_DEFAULT}};
    int id;
    while ((id = getopt_long(argc, argv, "", option_list, NULL)) != -1) {
        int ret = apply_option(id, command);
        if (ret)
            return ret;
        command->given |= 1u << BIT(id);
    }
    if (optind >= argc)
        return usage("%s", "which command? comment, preview, baselines or check-baselines; see "
                           "--help");
    const char *name = argv[optind++];
    size_t kind = 0;
    while (kind < ARRAY_LEN(kind_names) && strcmp(name, kind_names[kind]) != 0)
        kind++;
    if (kind == ARRAY_LEN(kind_names))
        return usage("no such command: %s; comment, preview, baselines or check-baselines", name);
    command->kind = (enum kind)kind;
    command->paths = (const char *const *)&argv[optind];
    command->paths_count = (size_t)(argc - optind);
    return check_command(command);
}

static const char *environment(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

/* What GitHub Actions says about the job; a maintainer sets the token alone. */
static int read_environment(enum kind kind, struct rep_options *options)
{
    options->api_url = environment("GITHUB_API_URL", "https://api.github.com");
    options->server_url = environment("GITHUB_SERVER_URL", "https://github.com");
    options->keeper = environment("GITHUB_WORKFLOW", PROGRAM);
    options->token = environment("GITHUB_TOKEN", NULL);
    if (!options->token)
        return usage("%s", "no token: set GITHUB_TOKEN to the job's token");
    const char *id = environment("GITHUB_REPOSITORY_ID", "");
    if (kind == KIND_COMMENT && num_parse_u64(id, 1, INT64_MAX, &options->repository_id))
        return usage("GITHUB_REPOSITORY_ID \"%s\": must be the repository's number", id);
    if (rep_url_check(options->api_url, true))
        return usage("GITHUB_API_URL %s: must be https (http only for 127.0.0.1, [::1] and "
                     "localhost)",
                     options->api_url);
    /* it becomes a part of links, where a bracket or a space would end the address */
    if (rep_url_check(options->server_url, true) || strpbrk(options->server_url, "()<>[]\"'` \\"))
        return usage("GITHUB_SERVER_URL %s: must be an https address", options->server_url);
    return 0;
}

static void write_summary(const struct rep_outcome *outcome, const struct rep_log *log,
                          const char *failure)
{
    const char *path = environment("GITHUB_STEP_SUMMARY", NULL);
    if (!path)
        return;
    struct buf text;
    buf_init(&text, REP_SUMMARY_MAX_BYTES);
    int ret = rep_summary(outcome->comment.data, log, failure, &text);
    if (!ret)
        ret = rep_summary_append(path, &text);
    buf_fini(&text);
    if (ret) {
        char line[512];
        (void)snprintf(line, sizeof(line), "cannot write the job summary: %.300s: %s", path,
                       err_text(ret));
        complain(line);
    }
}

static int print_comment(const struct buf *comment)
{
    if (comment->data)
        (void)fwrite(comment->data, 1, comment->size_bytes, stdout);
    return fflush(stdout) || ferror(stdout) ? -EIO : 0;
}

static int run(const struct command *command, struct rep_log *log, struct rep_outcome *outcome,
               struct err *err)
{
    const struct rep_options *options = &command->options;
    if (command->kind == KIND_PREVIEW)
        return rep_preview(options, command->paths, command->paths_count, command->baseline, log,
                           outcome, err);
    if (command->kind == KIND_CHECK)
        return rep_baselines_check(command->paths, command->paths_count, log, err);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    int ret = command->kind == KIND_COMMENT ? rep_report(options, log, outcome, err)
                                            : rep_baselines_update(options, log, err);
    curl_global_cleanup();
    return ret;
}

/* A file's name for the sandbox; "-" is open already. */
static const char *file_of(const char *path)
{
    return path && strcmp(path, "-") != 0 ? path : NULL;
}

/* From here on: no program is started, and no file written but what was asked for. */
static int enter_sandbox(const struct command *command, struct rep_log *log, struct err *err)
{
    const struct rep_options *options = &command->options;
    bool comments = command->kind == KIND_COMMENT;
    bool updates = command->kind == KIND_BASELINES;
    const char *const replaced[] = {file_of(options->export_history), file_of(options->export_gab),
                                    file_of(options->export_bmf)};
    const char *const appended[] = {comments ? environment("GITHUB_STEP_SUMMARY", NULL) : NULL};
    const char *const folders[] = {updates ? options->baselines_path : NULL};
    const struct rep_sandbox allowed = {
        .replaced = replaced,
        .replaced_count = ARRAY_LEN(replaced),
        .appended = appended,
        .appended_count = ARRAY_LEN(appended),
        .folders = folders,
        .folders_count = ARRAY_LEN(folders),
    };
    const char *missing;
    int ret = updates ? file_make_dirs(options->baselines_path, err) : 0; /* only what is there */
    if (ret)
        return ret;
    (void)rep_sandbox_enter(&allowed, &missing);
    if (*missing && (comments || updates)) /* those hold a token */
        rep_log(log, REP_INFO, "goes on without a part of its sandbox: %s", missing);
    return 0;
}

int main(int argc, char **argv)
{
    (void)setlocale(LC_CTYPE, "C");
    struct command command;
    int ret = parse_command(argc, argv, &command);
    if (!ret && (command.kind == KIND_COMMENT || command.kind == KIND_BASELINES))
        ret = read_environment(command.kind, &command.options);
    if (ret)
        return ret > 0 ? EXIT_DONE : EXIT_USAGE;

    bool on_github = !strcmp(environment("GITHUB_ACTIONS", ""), "true");
    struct rep_log log = {.sink = on_line, .context = &on_github};
    struct rep_outcome outcome = {0};
    struct err err = {0};
    ret = enter_sandbox(&command, &log, &err);
    if (!ret)
        ret = run(&command, &log, &outcome, &err);
    if (ret) {
        complain(err.text);
        if (on_github)
            announce(REP_ERROR, err.text);
    }
    bool prints = command.kind == KIND_PREVIEW || command.options.dry_run;
    if (!ret && prints && print_comment(&outcome.comment)) {
        complain("cannot write the comment to standard output");
        ret = -EIO;
    }
    if (command.kind == KIND_COMMENT)
        write_summary(&outcome, &log, ret ? err.text : NULL);
    bool regressed = outcome.regressed;
    rep_outcome_fini(&outcome);
    rep_log_fini(&log);
    if (ret)
        return EXIT_FAILED;
    return regressed && command.fail_on_regressed ? EXIT_REGRESSED : EXIT_DONE;
}
