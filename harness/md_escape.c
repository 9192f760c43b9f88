/* SPDX-License-Identifier: MIT */
/* Foreign strings into Markdown and into plain text. */
#include "harness/md_escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/utf8.h"

#define REPLACEMENT 0xFFFD
#define SHORTEST_HASH 7 /* digits of a commit's name that GitHub makes a link of */
/* Begins a command wherever it stands in a line of a job's log (actions/runner, ActionCommand.cs);
   the younger "::" does so only where a line begins. Its first character is put apart. */
#define RUNNER_COMMAND "##["

/**
 * Take one character; a byte that begins no well-formed UTF-8 is taken alone, as REPLACEMENT.
 * @return bytes taken
 */
static size_t take_char(const char *text, uint32_t *out)
{
    size_t size_bytes = utf8_decode(text, strnlen(text, 4), out);
    if (!size_bytes)
        *out = REPLACEMENT;
    return size_bytes ? size_bytes : 1;
}

static bool is_line_end(uint32_t c)
{
    return c == '\n' || c == '\r' || c == '\t' || c == 0x0B || c == 0x0C || c == 0x85 ||
           c == 0x2028 || c == 0x2029;
}

/** Characters that show as nothing, or that change how others show. */
static bool is_invisible(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x0000, 0x001F},   {0x007F, 0x009F},    {0x00AD, 0x00AD}, /* soft hyphen */
        {0x034F, 0x034F},   {0x061C, 0x061C},    {0x115F, 0x1160},   {0x17B4, 0x17B5},
        {0x180B, 0x180F},   {0x200B, 0x200F},    {0x202A, 0x202E}, /* zero width, direction */
        {0x2060, 0x206F},   {0x3164, 0x3164},    {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
        {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},    {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
        {0xE0000, 0xE0FFF}, {0xF0000, 0x10FFFF}, /* tags, private use */
    };
    for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
        if (c >= ranges[i].first && c <= ranges[i].last)
            return true;
    }
    return false;
}

static bool is_alnum(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

/** A character where it stands. */
struct place {
    const char *text, *at;
    size_t size_bytes;
};

/** How characters are put: those that show, and what stands around the number of one that does not.
 */
struct style {
    int (*put)(struct buf *out, const struct place *place);
    const char *before, *after;
};

static int put_plain(struct buf *out, const struct place *place)
{
    return buf_append(out, place->at, place->size_bytes);
}

/**
 * True for a digit that must stand apart lest a word be taken for a commit's name, which has at
 * least 7 of them: its first, and every sixth from there. What follows the digits does not
 * matter, for the text may be cut there.
 */
static bool parts_hash(const struct place *place)
{
    const char *start = place->at;
    if (!is_hex(*place->at))
        return false;
    while (start > place->text && is_hex(start[-1]))
        start--;
    if (start > place->text && is_alnum(start[-1]))
        return false;
    size_t length = 0;
    while (length < SHORTEST_HASH && is_hex(start[length]))
        length++;
    return length == SHORTEST_HASH && (place->at - start) % (SHORTEST_HASH - 1) == 0;
}

/** True when @word, in any case, stands just before the place. */
static bool follows(const struct place *place, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(place->at - place->text) < length)
        return false;
    for (size_t i = 0; i < length; i++) {
        char c = place->at[(ptrdiff_t)i - (ptrdiff_t)length];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (c != word[i])
            return false;
    }
    return true;
}

/** True for what neither CommonMark nor GitHub gives a meaning where it stands. */
static bool is_inert(const struct place *place)
{
    char c = *place->at;
    bool first = place->at == place->text;
    bool inside = !first && is_alnum(place->at[-1]) && is_alnum(place->at[1]);

    switch (c) {
    case ',':
    case ';':
    case '\'':
    case '(':
    case '/':
        return true;
    case ' ':
    case '=':
    case '+':
    case '%':
    case '?':
        return !first; /* code block, heading, list */
    case ')':
        return !first && !(place->at[-1] >= '0' && place->at[-1] <= '9'); /* "1)" is a list */
    case ':': /* after a word and before a space: no address, no emoji */
        return !first && is_alnum(place->at[-1]) && place->at[1] == ' ';
    case '_':
        return inside;
    case '-':
        return inside && !follows(place, "gh"); /* GH-1 */
    case '.':
        return inside && !follows(place, "www");
    default:
        return is_alnum(c) || (unsigned char)c >= 0x80;
    }
}

/**
 * An entity never starts markup (CommonMark 6.2). GitHub, however, looks for mentions,
 * numbers of issues, commits, emoji and formulas in the text that has come out of the
 * Markdown, element by element: what could begin one gets an element of its own, which is
 * GitHub's documented way for a dollar sign (docs, "Writing mathematical expressions").
 */
static int put_markdown(struct buf *out, const struct place *place)
{
    if (parts_hash(place))
        return buf_printf(out, "<span>%c</span>", *place->at);
    if (is_inert(place))
        return buf_append(out, place->at, place->size_bytes);
    bool apart = strchr("@#:$.-", *place->at) != NULL;
    return buf_printf(out, apart ? "<span>&#%u;</span>" : "&#%u;", (unsigned char)*place->at);
}

static int escape(struct buf *out, const char *text, size_t max_chars, const struct style *style)
{
    static const char space[] = "  ";
    struct place place = {.text = text ? text : ""};
    size_t chars = 0;

    for (place.at = place.text; *place.at; place.at += place.size_bytes) {
        if (chars++ == max_chars)
            return buf_puts(out, "…");
        uint32_t c;
        place.size_bytes = take_char(place.at, &c);
        if (is_line_end(c)) {
            bool first = place.at == place.text;
            style->put(out, &(struct place){.text = space, .at = space + !first, .size_bytes = 1});
        } else if (is_invisible(c) || (c == REPLACEMENT && place.size_bytes == 1)) {
            buf_printf(out, "%sU+%04X%s", style->before, (unsigned)c, style->after);
        } else {
            style->put(out, &place);
            if (!strncmp(place.at, RUNNER_COMMAND, sizeof(RUNNER_COMMAND) - 1))
                buf_puts(out, " ");
        }
    }
    return buf_status(out);
}

int tt_md_escape(struct buf *out, const char *text, size_t max_chars)
{
    /* apart, for its digits and those that follow could make a commit's name */
    static const struct style markdown = {put_markdown, "<span>", "</span>"};
    return escape(out, text, max_chars, &markdown);
}

int tt_plain_escape(struct buf *out, const char *text, size_t max_chars)
{
    static const struct style plain = {put_plain, "", ""};
    return escape(out, text, max_chars, &plain);
}
