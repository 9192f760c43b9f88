/* SPDX-License-Identifier: MIT */
/* A foreign string in the comment: read by GitHub's parser, it is the same plain text and nothing
   else, wherever it stands. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "gfm.h"
#include "harness/md_escape.h"

#define MAX_TEXT_BYTES (1u << 20)
#define SHORT_CHARS 12
#define LONG_CHARS 1000

/* Where a string may stand, by the header's promise; "\1" is its place. */
static const struct {
    const char *markdown; /* NUL-terminated */
    const char *text;     /* what shows around it */
    const char *types;
} places[] = {
    {"\1\n", "\1", " document paragraph text html_inline "},
    {"word \1 word\n", "word \1 word", " document paragraph text html_inline "},
    {"word\n\1 word\n", "word\1 word", " document paragraph text html_inline softbreak linebreak "},
    {"<b>\1</b>\n", "\1", " document paragraph text html_inline "},
    {"| a | b |\n|---|---|\n| \1 x | \1 |\n", "ab\1 x\1",
     " document table table_header table_row table_cell text html_inline "},
    {"- \1\n", "\1", " document list item paragraph text html_inline "},
};

static void fill(struct buf *out, const char *pattern, const char *text)
{
    for (; *pattern; pattern++) {
        if (*pattern == '\1')
            buf_puts(out, text);
        else
            buf_append(out, pattern, 1);
    }
}

static void check_place(size_t place, const char *escaped, const char *plain)
{
    struct buf markdown, wanted;
    buf_init(&markdown, MAX_TEXT_BYTES);
    buf_init(&wanted, MAX_TEXT_BYTES);
    fill(&markdown, places[place].markdown, escaped);
    fill(&wanted, places[place].text, plain);
    gfm_check_inert(markdown.data, markdown.size_bytes, places[place].types,
                    wanted.data ? wanted.data : "");
    buf_fini(&markdown);
    buf_fini(&wanted);
}

/* In a block of HTML nothing is Markdown: only tags and entities are left. */
static void check_html(const char *escaped, const char *plain)
{
    struct buf text;
    size_t run_start = 0;
    buf_init(&text, MAX_TEXT_BYTES);
    for (const char *at = escaped; *at;) {
        size_t tag = *at == '<' ? gfm_plain_tag(at) : 0;
        FUZZ_CHECK(tag || *at != '<', "a tag");
        FUZZ_CHECK(*at != '\n' && *at != '\r', "a line end");
        if (tag) {
            gfm_check_run(text.data ? text.data + run_start : "", text.size_bytes - run_start);
            run_start = text.size_bytes;
            at += tag;
            continue;
        }
        if (*at != '&') {
            buf_append(&text, at++, 1);
            continue;
        }
        char *end;
        FUZZ_CHECK(at[1] == '#', "an entity that is not a number");
        char byte = (char)strtoul(at + 2, &end, 10);
        FUZZ_CHECK(*end == ';' && byte > 0, "an entity that does not end");
        buf_append(&text, &byte, 1);
        at = end + 1;
    }
    gfm_check_run(text.data ? text.data + run_start : "", text.size_bytes - run_start);
    FUZZ_CHECK(!strcmp(text.data ? text.data : "", plain), "another text");
    buf_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    struct fuzz_input input = {.at = data, .left_bytes = size_bytes};
    size_t max_chars = fuzz_take_byte(&input) & 1 ? SHORT_CHARS : LONG_CHARS;
    char *text = fuzz_take_rest(&input, NULL);
    struct buf escaped, plain;
    buf_init(&escaped, MAX_TEXT_BYTES);
    buf_init(&plain, MAX_TEXT_BYTES);
    FUZZ_CHECK(!tt_md_escape(&escaped, text, max_chars), "not escaped");
    FUZZ_CHECK(!tt_plain_escape(&plain, text, max_chars), "not escaped");
    const char *shown = plain.data ? plain.data : "";
    FUZZ_CHECK(!strstr(shown, "##["), "a command to GitHub's runner");
    for (size_t i = 0; *shown && i < ARRAY_LEN(places); i++)
        check_place(i, escaped.data ? escaped.data : "", shown);
    check_html(escaped.data ? escaped.data : "", shown);
    buf_fini(&escaped);
    buf_fini(&plain);
    free(text);
    return 0;
}
