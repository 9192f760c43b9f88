/* SPDX-License-Identifier: MIT */
/* Formats and messages of `compare` and `show`. */
#include "harness/cmd_output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/commands.h"
#include "harness/terminal.h"

int tt_format_parse(const char *name, enum tt_format *out)
{
    static const char *const names[] = {"table", "markdown", "csv", "json", "html"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (!strcmp(name, names[i])) {
            *out = (enum tt_format)i;
            return 0;
        }
    }
    return -EINVAL;
}

int tt_format_put(enum tt_format format, const struct tt_comparison *comparison,
                  const struct tt_history *history, struct buf *out)
{
    switch (format) {
    case TT_FORMAT_TABLE: {
        const struct tt_show_options options = tt_terminal_options();
        return tt_show_table(comparison, &options, out);
    }
    case TT_FORMAT_MARKDOWN:
        return tt_show_markdown(comparison, out);
    case TT_FORMAT_CSV:
        return tt_show_csv(comparison, out);
    case TT_FORMAT_JSON:
        return tt_show_json(comparison, out);
    case TT_FORMAT_HTML:
        return tt_show_html(comparison, history, out);
    }
    return -EINVAL;
}

void tt_format_begin(enum tt_format format, struct buf *out)
{
    if (format == TT_FORMAT_HTML)
        tt_show_html_begin(out);
}

void tt_format_end(enum tt_format format, struct buf *out)
{
    if (format == TT_FORMAT_HTML)
        tt_show_html_end(out);
}

static void say(const char *command, const char *format, va_list args) PRINTF_LIKE(2, 0);

/** Through struct err, which keeps the message on one line whatever it holds. */
static void say(const char *command, const char *format, va_list args)
{
    char text[ERR_TEXT_SIZE];
    struct err err;
    (void)vsnprintf(text, sizeof(text), format, args);
    (void)err_set(&err, -EINVAL, "%s", text);
    fprintf(stderr, "tracetax %s: %s\n", command, err.text);
}

int tt_cmd_usage(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(command, format, args);
    va_end(args);
    return TT_EXIT_USAGE;
}

void tt_cmd_warn(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(command, format, args);
    va_end(args);
}

int tt_cmd_failed(const char *command, const struct err *err)
{
    fprintf(stderr, "tracetax %s: %s\n", command, err->text);
    return TT_EXIT_FAILED;
}
