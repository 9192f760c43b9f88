/* SPDX-License-Identifier: MIT */
/* A raw trace from a stranger, printed in every format: no line of it can be forged. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "fuzz.h"
#include "tracer/print.h"
#include "tracer/raw.h"

/* One object a line, with the keys of docs/format.md. */
static void check_json(const char *text, size_t size_bytes)
{
    for (const char *line = text; line < text + size_bytes;) {
        const char *end = memchr(line, '\n', (size_t)(text + size_bytes - line));
        FUZZ_CHECK(end, "a line of JSON without its end");
        json_t *object =
            json_loadb(line, (size_t)(end - line), JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
        if (!object)
            (void)fprintf(stderr, "%.*s\n", (int)(end - line), line);
        FUZZ_CHECK(json_is_object(object), "a line that is not one JSON object");
        const char *type = json_string_value(json_object_get(object, "type"));
        FUZZ_CHECK(type && (!strcmp(type, "access") || !strcmp(type, "summary")), "no type");
        if (!strcmp(type, "access")) {
            FUZZ_CHECK(json_is_string(json_object_get(object, "op")), "no op");
            FUZZ_CHECK(json_is_string(json_object_get(object, "path")) !=
                           json_is_string(json_object_get(object, "path_base64")),
                       "not one path");
        }
        json_decref(object);
        line = end + 1;
    }
}

/* Three fields a line, and no byte that moves a cursor. */
static void check_text(const char *text, size_t size_bytes)
{
    unsigned tabs = 0;
    for (size_t i = 0; i < size_bytes; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\n') {
            FUZZ_CHECK(tabs == 2, "a line that has not three fields");
            tabs = 0;
            continue;
        }
        tabs += c == '\t';
        FUZZ_CHECK(c == '\t' || (c >= 0x20 && c != 0x7f), "a control character in a line");
    }
    FUZZ_CHECK(!tabs, "a line of text without its end");
}

static void check_nul(const char *text, size_t size_bytes)
{
    size_t fields = 0;
    for (size_t i = 0; i < size_bytes; i++)
        fields += !text[i];
    FUZZ_CHECK(fields % 3 == 0 && (!size_bytes || !text[size_bytes - 1]), "not three fields each");
}

static void print(const uint8_t *data, size_t size_bytes, enum ft_format format, bool all)
{
    struct ft_decoder *decoder = NULL;
    struct ft_printer *printer = NULL;
    struct ft_summary *summary = NULL;
    struct err err = {0};
    char *ops = NULL, *text = NULL;
    size_t text_bytes = 0;

    FILE *in = fmemopen((void *)data, size_bytes, "r");
    FILE *out = open_memstream(&text, &text_bytes);
    bool ready = in && out && !ft_printer_new(out, format, all, &printer) &&
                 !ft_decoder_new(ft_printer_access, printer, &decoder);
    FUZZ_CHECK(ready, "no memory to start with");
    int ret = ft_raw_read(in, "the trace", decoder, &ops, &err);
    FUZZ_CHECK(!ret == !err.code, "a failure without words");
    /* what was read before the damage is printed, as main.c does */
    if (!ft_decoder_finish(decoder, &summary))
        FUZZ_CHECK(!ft_printer_summary(printer, summary), "the summary cannot be printed");
    (void)fclose(out);
    (void)fclose(in);
    if (format == FT_FORMAT_JSON)
        check_json(text, text_bytes);
    else if (format == FT_FORMAT_TEXT)
        check_text(text, text_bytes);
    else
        check_nul(text, text_bytes);
    ft_decoder_free(decoder);
    ft_printer_free(printer);
    free(ops);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    if (!size_bytes)
        return 0;
    /* one format an input, for speed; the memory of repeats only with the last */
    static const enum ft_format formats[] = {FT_FORMAT_JSON, FT_FORMAT_NUL, FT_FORMAT_TEXT};
    enum ft_format format = formats[data[size_bytes - 1] % ARRAY_LEN(formats)];
    print(data, size_bytes, format, format != FT_FORMAT_TEXT);
    return 0;
}
