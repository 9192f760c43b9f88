/* SPDX-License-Identifier: MIT */
/* Traces as text, JSON lines and NUL-separated fields. */
#include "tracer/print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/errname.h"
#include "common/utf8.h"
#include "tracer/image.h"
#include "tracer/seen.h"

struct ft_printer {
    FILE *stream;
    enum ft_format format;
    struct ft_seen *seen; /* NULL: print repeats too */
};

int ft_format_parse(const char *name, enum ft_format *out)
{
    static const char *const names[] = {"text", "json", "nul", "raw"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (!strcmp(name, names[i])) {
            *out = (enum ft_format)i;
            return 0;
        }
    }
    return -EINVAL;
}

int ft_printer_new(FILE *stream, enum ft_format format, bool all, struct ft_printer **out)
{
    struct ft_printer *printer = calloc(1, sizeof(*printer));
    *out = NULL;
    if (!printer)
        return -ENOMEM;
    printer->stream = stream;
    printer->format = format;
    if (!all) {
        int ret = ft_seen_new(&printer->seen);
        if (ret) {
            free(printer);
            return ret;
        }
    }
    *out = printer;
    return 0;
}

void ft_printer_free(struct ft_printer *printer)
{
    if (!printer)
        return;
    ft_seen_free(printer->seen);
    free(printer);
}

static int stream_status(FILE *stream)
{
    return ferror(stream) ? (errno ? -errno : -EIO) : 0;
}

/** "read,write", or with quotes for JSON. */
static void print_access(FILE *stream, unsigned access, const char *quote)
{
    static const char *const names[] = {"read", "write", "list"};
    const char *comma = "";
    for (unsigned i = 0; i < ARRAY_LEN(names); i++) {
        if (!(access & (1u << i)))
            continue;
        fprintf(stream, "%s%s%s%s", comma, quote, names[i], quote);
        comma = ",";
    }
}

/** As C would write the bytes: nothing that moves a cursor or forges a record. */
static void print_escaped(FILE *stream, const char *text, size_t size_bytes)
{
    for (size_t i = 0; i < size_bytes; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\\')
            fputs("\\\\", stream);
        else if (c == '\n')
            fputs("\\n", stream);
        else if (c == '\t')
            fputs("\\t", stream);
        else if (c == '\r')
            fputs("\\r", stream);
        else if (c < 0x20 || c == 0x7f)
            fprintf(stream, "\\%03o", c);
        else
            putc(c, stream);
    }
}

static void print_json_text(FILE *stream, const char *text, size_t size_bytes)
{
    putc('"', stream);
    for (size_t i = 0; i < size_bytes; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            fprintf(stream, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            fprintf(stream, "\\u%04x", c);
        else
            putc(c, stream);
    }
    putc('"', stream);
}

static void print_base64(FILE *stream, const char *data, size_t size_bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    putc('"', stream);
    for (size_t i = 0; i < size_bytes; i += 3) {
        unsigned group = 0;
        for (size_t k = 0; k < 3; k++)
            group = group << 8 | (i + k < size_bytes ? (unsigned char)data[i + k] : 0u);
        for (size_t k = 0; k < 4; k++)
            putc(i + k <= size_bytes ? digits[group >> (18 - 6 * k) & 63] : '=', stream);
    }
    putc('"', stream);
}

/** "path":"..." or, for bytes that are not UTF-8, "path_base64":"...". */
static void print_json_name(FILE *stream, const char *key, const char *text, size_t size_bytes)
{
    if (utf8_is_valid(text, size_bytes)) {
        fprintf(stream, "\"%s\":", key);
        print_json_text(stream, text, size_bytes);
    } else {
        fprintf(stream, "\"%s_base64\":", key);
        print_base64(stream, text, size_bytes);
    }
}

static void print_error(FILE *stream, unsigned error, const char *none, const char *quote)
{
    char number[16];
    if (!error)
        fputs(none, stream);
    else if (error == FT_ERROR_UNKNOWN)
        fprintf(stream, "%s%s%s", quote, *quote ? "unknown" : "?", quote);
    else
        fprintf(stream, "%s%s%s", quote, errname((int)error, number, sizeof(number)), quote);
}

static void print_json(FILE *stream, const struct ft_access *access)
{
    fprintf(stream, "{\"type\":\"access\",\"pid\":%lu,\"op\":\"%s\",\"access\":[",
            (unsigned long)access->pid, access->op);
    print_access(stream, access->access, "\"");
    fputs("],", stream);
    print_json_name(stream, "path", access->path, access->path_bytes);
    fputs(",\"error\":", stream);
    print_error(stream, access->error, "null", "\"");
    fputs("}\n", stream);
}

int ft_printer_access(void *context, const struct ft_access *access)
{
    struct ft_printer *printer = context;
    FILE *stream = printer->stream;

    if (printer->seen && ft_seen_before(printer->seen, access))
        return 0;
    if (printer->format == FT_FORMAT_JSON) {
        print_json(stream, access);
        return stream_status(stream);
    }
    bool nul = printer->format == FT_FORMAT_NUL;
    print_access(stream, access->access, "");
    putc(nul ? '\0' : '\t', stream);
    if (nul)
        (void)fwrite(access->path, 1, access->path_bytes, stream);
    else
        print_escaped(stream, access->path, access->path_bytes);
    putc(nul ? '\0' : '\t', stream);
    print_error(stream, access->error, "-", "");
    putc(nul ? '\0' : '\n', stream);
    return stream_status(stream);
}

/** How static images were watched, where there were any. */
static void print_injected(FILE *stream, const struct ft_summary *summary)
{
    if (!summary->injected && !summary->not_injected)
        return;
    fprintf(stream, "\"injected\":%llu,\"not_injected\":%llu,",
            (unsigned long long)summary->injected, (unsigned long long)summary->not_injected);
    if (!summary->not_injected)
        return;
    fputs("\"not_injected_because\":", stream);
    print_error(stream, summary->inject_error, "null", "\"");
    putc(',', stream);
}

int ft_printer_summary(struct ft_printer *printer, const struct ft_summary *summary)
{
    FILE *stream = printer->stream;

    if (printer->format != FT_FORMAT_JSON)
        return stream_status(stream);
    fprintf(stream,
            "{\"type\":\"summary\",\"accesses\":%llu,\"lost\":%llu,\"processes\":%llu,"
            "\"complete\":%s,\"guarantee\":\"%s\",\"incomplete_because\":[",
            (unsigned long long)summary->accesses, (unsigned long long)summary->lost,
            (unsigned long long)summary->processes, summary->complete ? "true" : "false",
            summary->kernel_guarantee ? "kernel" : "calls");
    for (size_t i = 0; i < summary->incomplete_count; i++) {
        const struct ft_incomplete *entry = &summary->incomplete[i];
        fprintf(stream, "%s{\"pid\":%lu,", i ? "," : "", (unsigned long)entry->pid);
        if (entry->image) {
            print_json_name(stream, "image", entry->image, strlen(entry->image));
            putc(',', stream);
        }
        fprintf(stream, "\"reason\":\"%s\"}", ft_reason_name(entry->reason));
    }
    fputs("],", stream);
    print_injected(stream, summary);
    if (summary->exit_signal)
        fprintf(stream, "\"root_exit\":{\"signal\":%d}}\n", summary->exit_signal);
    else
        fprintf(stream, "\"root_exit\":{\"code\":%d}}\n", summary->exit_code);
    return stream_status(stream);
}
