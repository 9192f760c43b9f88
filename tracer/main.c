/* SPDX-License-Identifier: MIT */
/* filetrace: options, output, exit status. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/outfile.h"
#include "tracer/filetrace.h"
#include "tracer/print.h"
#include "tracer/raw.h"
#include "tracer/system.h"

#define EXIT_FAILED 125 /* ours, as env(1) and its kin */
#define EXIT_CANNOT_RUN 126
#define EXIT_NOT_FOUND 127
#define EXIT_PRINT_USAGE 2
#define EXIT_PRINT_FAILED 3

static const char help[] =
    "Usage: filetrace [OPTION...] [--] COMMAND [ARG...]\n"
    "       filetrace print [-f FORMAT] [-o FILE] [--all] TRACE\n"
    "\n"
    "Run a command and record every path that it and its descendants try to access.\n"
    "\n"
    "  -o, --output FILE    write there, beside and renamed at the end; '-' is\n"
    "                       standard output (default: standard error)\n"
    "  -f, --format FORMAT  text (default), json, nul, or raw: for 'print', later\n"
    "      --backend WAY    auto (default), preload, notify, inject or ptrace\n"
    "      --all            print repeats too\n"
    "      --strict         watch dynamic programs by the kernel too\n"
    "      --deny-io-uring  make io_uring_setup fail, as where the kernel lacks it\n"
    "      --sh PATH        macOS: this shell in the place of /bin/sh and /bin/bash\n"
    "  -h, --help           show this\n"
    "      --version        show the version\n"
    "\n"
    "Exit status: the command's own; killed by a signal, filetrace dies by the same.\n"
    "125 when filetrace itself fails, 126 and 127 when the command cannot be run or\n"
    "found. print: 0, 2 for wrong usage, 3 for a trace that cannot be read.\n"
    "\n"
    "Example: filetrace -f json -o trace.json -- make -j4\n";

struct options {
    enum ft_format format;
    enum ft_backend backend;
    const char *output; /* NULL: standard error when running, standard output when printing */
    bool all;
    bool strict;
    bool deny_io_uring;
    const char *shell; /* NULL: none */
};

static int usage(const char *what, const char *object, int status)
{
    struct err err; /* makes control characters harmless */
    (void)err_set(&err, -EINVAL, "%s%s%s; see 'filetrace --help'", what, *object ? ": " : "",
                  object);
    fprintf(stderr, "filetrace: %s\n", err.text);
    return status;
}

static int no_such_backend(const char *name, int status)
{
    char what[128];
    (void)snprintf(what, sizeof(what), "no such way in (%s)", ft_backend_names());
    return usage(what, name, status);
}

/** The word that getopt has read last; some stand behind the end when it lacks its argument. */
static const char *last_word(int argc, char **argv)
{
    return argv[(optind < argc ? optind : argc) - 1];
}

static int show(const char *text, int failed_status)
{
    (void)fputs(text, stdout);
    return fflush(stdout) || ferror(stdout) ? failed_status : 0;
}

enum { OPT_BACKEND = 256, OPT_ALL, OPT_STRICT, OPT_DENY_IO_URING, OPT_SH, OPT_VERSION };

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"format", required_argument, NULL, 'f'},
    {"backend", required_argument, NULL, OPT_BACKEND},
    {"all", no_argument, NULL, OPT_ALL},
    {"strict", no_argument, NULL, OPT_STRICT},
    {"deny-io-uring", no_argument, NULL, OPT_DENY_IO_URING},
    {"sh", required_argument, NULL, OPT_SH},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, OPT_VERSION},
    {NULL, 0, NULL, 0},
};

/** @return -1 to go on, or the exit status */
static int parse_options(int argc, char **argv, bool printing, struct options *out)
{
    int usage_status = printing ? EXIT_PRINT_USAGE : EXIT_FAILED;
    int failed_status = printing ? EXIT_PRINT_FAILED : EXIT_FAILED;
    int c;

    opterr = 0;
    while ((c = getopt_long(argc, argv, "+:o:f:h", long_options, NULL)) != -1) {
        if (printing &&
            (c == OPT_BACKEND || c == OPT_STRICT || c == OPT_DENY_IO_URING || c == OPT_SH))
            return usage("not an option of print", last_word(argc, argv), usage_status);
        switch (c) {
        case 'o':
            out->output = optarg;
            break;
        case 'f':
            if (ft_format_parse(optarg, &out->format))
                return usage("no such format (text, json, nul, raw)", optarg, usage_status);
            break;
        case OPT_BACKEND:
            if (ft_backend_parse(optarg, &out->backend))
                return no_such_backend(optarg, usage_status);
            break;
        case OPT_ALL:
            out->all = true;
            break;
        case OPT_STRICT:
            out->strict = true;
            break;
        case OPT_DENY_IO_URING:
            out->deny_io_uring = true;
            break;
        case OPT_SH:
            out->shell = optarg;
            break;
        case 'h':
            return show(help, failed_status);
        case OPT_VERSION:
            return show("filetrace " TRACETAX_VERSION "\n", failed_status);
        case ':':
            return usage("an option lacks its argument", last_word(argc, argv), usage_status);
        default:
            return usage("unknown option", last_word(argc, argv), usage_status);
        }
    }
    return -1;
}

static int failed(const struct err *err, int status)
{
    fprintf(stderr, "filetrace: %s\n", err->text);
    return status;
}

/** One line for a person where the format has no summary. */
static void warn_incomplete(const struct ft_summary *summary, enum ft_format format)
{
    if (summary->complete || format == FT_FORMAT_JSON)
        return;
    static const struct ft_incomplete none; /* there was no memory to say more */
    const struct ft_incomplete *first = summary->incomplete_count ? &summary->incomplete[0] : &none;
    fprintf(stderr, "filetrace: the trace is incomplete: %s%s", ft_reason_name(first->reason),
            first->image ? ": " : "");
    for (const char *c = first->image ? first->image : ""; *c; c++)
        putc((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c, stderr);
    if (summary->incomplete_total > 1)
        fprintf(stderr, " (and %llu more)", (unsigned long long)summary->incomplete_total - 1);
    fputs("; '-f json' tells which processes\n", stderr);
}

/** A program whose handlers lack SA_RESTART may see what it would not have seen unwatched. */
static void warn_interrupted(const struct ft_outcome *outcome)
{
    if (outcome->interrupted_calls)
        fprintf(stderr,
                "filetrace: signals interrupted at least %llu watched calls, which may have failed "
                "with EINTR; '--backend ptrace' avoids that\n",
                (unsigned long long)outcome->interrupted_calls);
}

/* Running. */

static int run_command(const struct options *options, char **argv, FILE *stream,
                       struct ft_decoder *decoder, struct ft_printer *printer,
                       struct ft_outcome *outcome, struct err *err)
{
    bool raw = options->format == FT_FORMAT_RAW;
    struct ft_summary *summary = NULL;
    const struct ft_run_options run = {
        .argv = argv,
        .backend = options->backend,
        .strict = options->strict,
        .deny_io_uring = options->deny_io_uring,
        .shell = options->shell,
        .raw_sink = raw ? ft_raw_write_records : NULL,
        .raw_context = stream,
        .ends_after = true,
    };
    int ret = raw ? ft_raw_write_head(stream) : 0;
    if (!ret)
        ret = ft_run(&run, decoder, outcome, err);
    else
        err_set(err, ret, "cannot record: %s", err_text(ret));
    if (ret || outcome->start_error)
        return ret;
    ret = ft_decoder_finish(decoder, &summary);
    if (!ret)
        ret = raw ? ft_raw_write_summary(stream, &outcome->end)
                  : ft_printer_summary(printer, summary);
    if (ret)
        return err_set(err, ret, "cannot write the trace: %s", err_text(ret));
    warn_incomplete(summary, raw ? FT_FORMAT_JSON : options->format);
    warn_interrupted(outcome);
    return 0;
}

static int run(int argc, char **argv)
{
    struct options options = {0};
    struct ft_outcome outcome = {0};
    /* In sight of leak checkers: a good end leaves what they hold to that of the process. */
    static struct outfile file;
    static struct ft_decoder *decoder;
    static struct ft_printer *printer;
    struct err err = {0};

    int status = parse_options(argc, argv, false, &options);
    if (status >= 0)
        return status;
    if (optind == argc)
        return usage("no command to run", "", EXIT_FAILED);

    int ret = outfile_open(&file, options.output, stderr, &err);
    if (!ret && (ret = options.format == FT_FORMAT_RAW
                           ? 0
                           : ft_printer_new(file.stream, options.format, options.all, &printer)))
        err_set(&err, ret, "cannot print: %s", err_text(ret));
    if (!ret && (ret = ft_decoder_new(printer ? ft_printer_access : NULL, printer, &decoder)))
        err_set(&err, ret, "cannot record: %s", err_text(ret));
    if (!ret)
        ret = run_command(&options, argv + optind, file.stream, decoder, printer, &outcome, &err);
    if (!ret && !outcome.start_error && !(ret = outfile_commit(&file, &err)))
        return ft_system_end_as(&outcome.end);
    outfile_discard(&file);
    ft_printer_free(printer);
    ft_decoder_free(decoder);

    if (ret)
        return failed(&err, EXIT_FAILED);
    (void)err_set(&err, outcome.start_error, "cannot run %s: %s", argv[optind],
                  err_text(outcome.start_error));
    return failed(&err, outcome.start_error == -ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
}

/* Printing. */

static int print_trace(const struct options *options, const char *name, FILE *in, FILE *out,
                       struct err *err)
{
    struct ft_printer *printer = NULL;
    struct ft_decoder *decoder = NULL;
    struct ft_summary *summary = NULL;
    char *ops = NULL;

    int ret = ft_printer_new(out, options->format, options->all, &printer);
    if (!ret)
        ret = ft_decoder_new(ft_printer_access, printer, &decoder);
    if (ret) {
        err_set(err, ret, "cannot print: %s", err_text(ret));
        goto out;
    }
    ret = ft_raw_read(in, name, decoder, &ops, err);
    if (ret)
        goto out;
    ret = ft_decoder_finish(decoder, &summary);
    if (!ret)
        ret = ft_printer_summary(printer, summary);
    if (ret)
        err_set(err, ret, "cannot print the trace %s: %s", name, err_text(ret));
    else
        warn_incomplete(summary, options->format);
out:
    ft_decoder_free(decoder);
    ft_printer_free(printer);
    free(ops);
    return ret;
}

static int print(int argc, char **argv)
{
    struct options options = {0};
    struct outfile file = {0};
    struct err err = {0};

    int status = parse_options(argc, argv, true, &options);
    if (status >= 0)
        return status;
    if (optind + 1 != argc)
        return usage("print takes one trace", "", EXIT_PRINT_USAGE);
    if (options.format == FT_FORMAT_RAW)
        return usage("print does not write this format", "raw", EXIT_PRINT_USAGE);

    const char *name = argv[optind];
    FILE *in = stdin;
    int ret = strcmp(name, "-") ? ft_system_open(name, &in) : 0;
    if (ret) {
        (void)err_set(&err, ret, "cannot read the trace %s: %s", name, err_text(ret));
        return failed(&err, EXIT_PRINT_FAILED);
    }
    ret = outfile_open(&file, options.output, stdout, &err);
    if (!ret)
        ret = print_trace(&options, name, in, file.stream, &err);
    if (!ret)
        ret = outfile_commit(&file, &err);
    outfile_discard(&file);
    if (in != stdin)
        (void)fclose(in); /* read only: nothing can be lost */
    return ret ? failed(&err, EXIT_PRINT_FAILED) : 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "print"))
        return print(argc - 1, argv + 1);
    return run(argc, argv);
}
