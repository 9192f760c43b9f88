/* SPDX-License-Identifier: MIT */
/* tracetax: which sub-command is meant. */
#include <stdio.h>
#include <string.h>

#include "common/compiler.h"
#include "common/err.h"
#include "harness/commands.h"
#include "harness/version.h"

static const struct {
    const char *name, *what;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"run", "measure a suite and write a result", tt_cmd_run},
    {"compare", "compare a result with a baseline", tt_cmd_compare},
    {"show", "show a result as a table, Markdown, CSV, JSON or HTML", tt_cmd_show},
    {"table", "show how long plain commands take, relative to one", tt_cmd_table},
    {"calibrate", "learn how far results of this machine spread", tt_cmd_calibrate},
};

static void print_help(void)
{
    puts("Usage: tracetax COMMAND [OPTION...]\n"
         "\n"
         "Measures what being watched costs a program.\n");
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        printf("  %-9s %s\n", commands[i].name, commands[i].what);
    puts("\n"
         "  --help    this text; 'tracetax COMMAND --help' tells a command's options\n"
         "  --version the version\n"
         "\n"
         "Exit status: 0 done; 1 regression found and --fail-on regressed given;\n"
         "2 wrong usage; 3 could not run, or input unreadable, newer or corrupt.\n"
         "\n"
         "Example: tracetax run --rounds 200 --export-json result.json");
}

/** What was printed must have arrived. */
static int finish(int status)
{
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "tracetax: cannot write standard output\n");
        return status ? status : TT_EXIT_FAILED;
    }
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "tracetax: a command is missing; see 'tracetax --help'\n");
        return TT_EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--help")) {
        print_help();
        return finish(TT_EXIT_DONE);
    }
    if (!strcmp(argv[1], "--version")) {
        puts("tracetax " TT_VERSION);
        return finish(TT_EXIT_DONE);
    }
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (!strcmp(argv[1], commands[i].name))
            return finish(commands[i].run(argc - 1, argv + 1));
    }
    struct err err;
    (void)err_set(&err, 0, "%.100s: no such command", argv[1]);
    fprintf(stderr, "tracetax: %s; see 'tracetax --help'\n", err.text);
    return TT_EXIT_USAGE;
}
