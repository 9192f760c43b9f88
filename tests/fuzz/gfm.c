/* SPDX-License-Identifier: MIT */
/* Markdown as GitHub's own parser reads it. */
#include "gfm.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include "common/buf.h"
#include "fuzz.h"

#define MAX_TEXT_BYTES (64u << 20)
#define TYPE_SIZE 64

static cmark_node *parse(const char *markdown, size_t size_bytes)
{
    static const char *const extensions[] = {"table", "strikethrough", "autolink", "tagfilter",
                                             "tasklist"};
    cmark_gfm_core_extensions_ensure_registered();
    cmark_parser *parser = cmark_parser_new(CMARK_OPT_FOOTNOTES);
    for (size_t i = 0; i < ARRAY_LEN(extensions); i++) {
        cmark_syntax_extension *extension = cmark_find_syntax_extension(extensions[i]);
        FUZZ_CHECK(extension && cmark_parser_attach_syntax_extension(parser, extension),
                   "cmark-gfm lacks an extension");
    }
    cmark_parser_feed(parser, markdown, size_bytes);
    cmark_node *root = cmark_parser_finish(parser);
    cmark_parser_free(parser);
    return root;
}

static bool is_alnum(char c)
{
    return isalnum((unsigned char)c) && (unsigned char)c < 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Of a commit: 7 to 40 hexadecimal digits that are a word. */
static bool has_commit_at(const char *text, size_t at, size_t size_bytes)
{
    size_t length = 0;
    if (at && is_alnum(text[at - 1]))
        return false;
    while (at + length < size_bytes && isxdigit((unsigned char)text[at + length]))
        length++;
    return length >= 7 && length <= 40 &&
           (at + length == size_bytes || !is_alnum(text[at + length]));
}

/* ":tada:" */
static bool has_emoji_at(const char *text, size_t at, size_t size_bytes)
{
    size_t end = at + 1;
    while (end < size_bytes && (is_alnum(text[end]) || strchr("_+-", text[end])))
        end++;
    return end > at + 1 && end < size_bytes && text[end] == ':';
}

void gfm_check_run(const char *text, size_t size_bytes)
{
    for (size_t i = 0; i < size_bytes; i++) {
        char next = i + 1 < size_bytes ? text[i + 1] : ' ';
        FUZZ_CHECK(text[i] != '@' || !is_alnum(next), "a mention");
        FUZZ_CHECK(text[i] != '#' || !is_digit(next), "a number of an issue");
        FUZZ_CHECK(i + 3 >= size_bytes || strncasecmp(text + i, "gh-", 3) != 0 ||
                       !is_digit(text[i + 3]),
                   "a number of an issue (GH-)");
        FUZZ_CHECK(i + 4 > size_bytes || strncasecmp(text + i, "www.", 4) != 0, "an address (www)");
        FUZZ_CHECK(i + 3 > size_bytes || strncmp(text + i, "://", 3) != 0, "an address");
        FUZZ_CHECK(text[i] != ':' || !has_emoji_at(text, i, size_bytes), "an emoji");
        FUZZ_CHECK(text[i] != '$' || !memchr(text + i + 1, '$', size_bytes - i - 1), "a formula");
        FUZZ_CHECK(!has_commit_at(text, i, size_bytes), "a commit");
    }
}

size_t gfm_plain_tag(const char *text)
{
    static const char *const tags[] = {
        "<span>", "</span>", "<b>",       "</b>",       "<sub>",     "</sub>",    "<br>",
        "<code>", "</code>", "<details>", "</details>", "<summary>", "</summary>"};
    for (size_t i = 0; i < ARRAY_LEN(tags); i++) {
        if (!strncmp(text, tags[i], strlen(tags[i])))
            return strlen(tags[i]);
    }
    return 0;
}

/* Raw HTML: text, entities, tags without attributes, and the comments that mark ours. */
static void check_html(const char *html)
{
    while ((html = strchr(html, '<'))) {
        size_t length = gfm_plain_tag(html);
        if (!length && !strncmp(html, "<!-- tracetax:", 14)) {
            const char *end = strstr(html, "-->");
            FUZZ_CHECK(end, "a comment that does not end");
            length = (size_t)(end + 3 - html);
        }
        FUZZ_CHECK(length, "raw HTML that is not ours");
        html += length;
    }
}

/* What is gathered on the way through the nodes. */
struct walk {
    const char *server; /* or NULL */
    const char *types;  /* or NULL: any */
    struct buf text;
    size_t run_start; /* of the text since the last tag */
    unsigned inside;  /* links and code, in which GitHub looks for nothing */
};

static void end_run(struct walk *walk)
{
    size_t length = walk->text.size_bytes - walk->run_start;
    if (length)
        gfm_check_run(walk->text.data + walk->run_start, length);
    walk->run_start = walk->text.size_bytes;
}

static void check_type(const struct walk *walk, cmark_node *node)
{
    char type[TYPE_SIZE];
    const char *name = cmark_node_get_type_string(node);
    size_t length = strlen(name);
    FUZZ_CHECK(length + 3 <= sizeof(type), "a type with a long name");
    type[0] = ' ';
    memcpy(type + 1, name, length);
    memcpy(type + 1 + length, " ", 2);
    FUZZ_CHECK(!walk->types || strstr(walk->types, type), name);
}

static void enter(struct walk *walk, cmark_node *node)
{
    const char *literal = cmark_node_get_literal(node);
    check_type(walk, node);
    switch ((unsigned)cmark_node_get_type(node)) {
    case CMARK_NODE_TEXT:
        if (!walk->inside)
            buf_puts(&walk->text, literal ? literal : "");
        return;
    case CMARK_NODE_HTML_BLOCK:
    case CMARK_NODE_HTML_INLINE:
        check_html(literal ? literal : "");
        break;
    case CMARK_NODE_IMAGE:
        FUZZ_CHECK(false, "an image");
        break;
    case CMARK_NODE_LINK:
        FUZZ_CHECK(walk->server &&
                       !strncmp(cmark_node_get_url(node), walk->server, strlen(walk->server)),
                   "a link that is not ours");
        walk->inside++;
        break;
    case CMARK_NODE_FOOTNOTE_REFERENCE:
    case CMARK_NODE_FOOTNOTE_DEFINITION:
        FUZZ_CHECK(false, "a footnote");
        break;
    default:
        break;
    }
    end_run(walk);
}

static void walk_nodes(struct walk *walk, cmark_node *root)
{
    cmark_iter *iter = cmark_iter_new(root);
    cmark_event_type event;
    buf_init(&walk->text, MAX_TEXT_BYTES);
    while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
        cmark_node *node = cmark_iter_get_node(iter);
        if (event == CMARK_EVENT_ENTER) {
            enter(walk, node);
        } else {
            end_run(walk);
            walk->inside -= cmark_node_get_type(node) == CMARK_NODE_LINK;
        }
    }
    end_run(walk);
    cmark_iter_free(iter);
}

void gfm_check_document(const char *markdown, size_t size_bytes, const char *server)
{
    struct walk walk = {.server = server};
    cmark_node *root = parse(markdown, size_bytes);
    walk_nodes(&walk, root);
    cmark_node_free(root);
    buf_fini(&walk.text);
}

/* Without the white space at its ends. */
static void trim(const char **text, size_t *length)
{
    while (*length && isspace((unsigned char)**text))
        (*text)++, (*length)--;
    while (*length && isspace((unsigned char)(*text)[*length - 1]))
        (*length)--;
}

void gfm_check_inert(const char *markdown, size_t size_bytes, const char *types, const char *wanted)
{
    struct walk walk = {.types = types};
    cmark_node *root = parse(markdown, size_bytes);
    walk_nodes(&walk, root);
    const char *text = walk.text.data ? walk.text.data : "";
    size_t length = walk.text.size_bytes, wanted_length = strlen(wanted);
    trim(&text, &length);
    trim(&wanted, &wanted_length);
    if (length != wanted_length || memcmp(text, wanted, length) != 0)
        (void)fprintf(stderr, "\"%.*s\" instead of \"%.*s\"\nof: %s\n", (int)length, text,
                      (int)wanted_length, wanted, markdown);
    FUZZ_CHECK(length == wanted_length && !memcmp(text, wanted, length), "another text");
    cmark_node_free(root);
    buf_fini(&walk.text);
}
