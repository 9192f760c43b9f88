/* SPDX-License-Identifier: MIT */
/* The program that is measured: its options. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "threads.h"

#define EXIT_USAGE 2

static const char help[] =
    "Usage: workload prepare DIR [OPTION...]   make the files\n"
    "       workload run DIR [OPTION...]       do the operations on them\n"
    "       workload paths DIR [OPTION...]     print each path that such a run must be seen\n"
    "                                          touching, one a line\n"
    "       workload operations                list the operations\n"
    "\n"
    "  --operation NAME  what to do (default open-close; for prepare: what any of them needs)\n"
    "  --threads N       1 to 64 threads (default 4)\n"
    "  --files N         1 to 100000 operations a thread (default 2048; spawn, spawn-fork:\n"
    "                    100 for all threads together)\n"
    "  --help            this text\n"
    "  --version         the version\n"
    "\n"
    "Exit status: 0 done; 1 an operation failed; 2 wrong usage.\n"
    "\n"
    "Example: workload prepare /tmp/w && workload run /tmp/w --operation stat\n";

enum { OPTION_OPERATION = 256, OPTION_THREADS, OPTION_FILES, OPTION_HELP, OPTION_VERSION };

static const struct option options[] = {
    {"operation", required_argument, NULL, OPTION_OPERATION},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"files", required_argument, NULL, OPTION_FILES},
    {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},
    {0},
};

/** A whole number from 1 to @max. @return 0, or EXIT_USAGE after a complaint */
static int parse_count(const char *option, const char *text, size_t max, size_t *out)
{
    size_t value = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9' && value <= max; c++)
        value = value * 10 + (size_t)(*c - '0');
    if (*c || value < 1 || value > max) {
        wl_complain("%s: '%s' is not a whole number from 1 to %zu", option, text, max);
        return EXIT_USAGE;
    }
    *out = value;
    return 0;
}

static int parse_operation(const char *name, const struct wl_operation **out)
{
    *out = wl_operation_find(name);
    if (*out)
        return 0;
    wl_complain("--operation: there is no '%s'; 'workload operations' lists them", name);
    return EXIT_USAGE;
}

/** What getopt found wrong; @argument is the one that it has just left. */
static int complain_about_option(int found, const char *argument)
{
    char letter[] = {'-', (char)optopt, '\0'};
    if (found == ':')
        wl_complain("%s: its value is missing; see 'workload --help'", argument);
    else
        wl_complain("%s: no such option; see 'workload --help'",
                    optopt > 0 && optopt < OPTION_OPERATION ? letter : argument);
    return EXIT_USAGE;
}

/** @return -1 to go on, or the exit status */
static int parse_options(int argc, char **argv, struct wl_plan *plan)
{
    int ret = 0;

    opterr = 0;
    while (!ret) {
        int found = getopt_long(argc, argv, ":", options, NULL);
        if (found == -1)
            return -1;
        switch (found) {
        case OPTION_OPERATION:
            ret = parse_operation(optarg, &plan->operation);
            break;
        case OPTION_THREADS:
            ret = parse_count("--threads", optarg, WL_THREADS_MAX, &plan->threads);
            break;
        case OPTION_FILES:
            ret = parse_count("--files", optarg, WL_FILES_MAX, &plan->files);
            break;
        case OPTION_HELP:
            (void)fputs(help, stdout);
            return wl_finish_output();
        case OPTION_VERSION:
            (void)puts("workload " WL_VERSION);
            return wl_finish_output();
        default:
            ret = complain_about_option(found, argv[optind - 1]);
        }
    }
    return ret;
}

static const struct {
    const char *name;
    int (*run)(const struct wl_plan *plan);
} commands[] = {
    {"prepare", wl_command_prepare},
    {"run", wl_command_run},
    {"paths", wl_command_paths},
};

static int run_command(const char *name, int arguments_count, char **arguments,
                       struct wl_plan *plan)
{
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (strcmp(commands[i].name, name) != 0)
            continue;
        if (arguments_count != 1 || !*arguments[0]) {
            wl_complain("%s: exactly one folder is needed; see 'workload --help'", name);
            return EXIT_USAGE;
        }
        plan->folder = arguments[0];
        /* Without a name, `prepare` makes what any operation needs. */
        if (!plan->operation && commands[i].run != wl_command_prepare)
            plan->operation = wl_operation_find("open-close");
        return commands[i].run(plan);
    }
    if (!strcmp(name, "operations") && arguments_count == 0)
        return wl_command_operations();
    wl_complain("%s: no such command; see 'workload --help'", name);
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    struct wl_plan plan = {.threads = WL_THREADS_DEFAULT};

    /* What `spawn` starts: as little as a program can do. */
    if (argc == 2 && !strcmp(argv[1], "nothing"))
        return 0;

    int ret = parse_options(argc, argv, &plan);
    if (ret >= 0)
        return ret;
    if (optind == argc) {
        wl_complain("a command is missing; see 'workload --help'");
        return EXIT_USAGE;
    }
    return run_command(argv[optind], argc - optind - 1, argv + optind + 1, &plan);
}
