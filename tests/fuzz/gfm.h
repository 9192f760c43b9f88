/* SPDX-License-Identifier: MIT */
/* Markdown as GitHub's own parser (cmark-gfm) reads it: does it do anything? */
#ifndef TESTS_FUZZ_GFM_H
#define TESTS_FUZZ_GFM_H

#include <stddef.h>

/** The only place that links of ours may lead to. */
#define GFM_OUR_SERVER "https://server.example"

/**
 * A whole text of ours that holds foreign strings: no image, no raw HTML but plain tags without
 * attributes, no link but to @server, and nothing in the text that GitHub would make one of.
 * @server NULL: no link at all
 */
void gfm_check_document(const char *markdown, size_t size_bytes, const char *server);

/**
 * One escaped string in its place: only nodes of these types come out, and their text is
 * @wanted, but for white space at the ends.
 * @types cmark-gfm's names, with a space before and after each: " document paragraph text "
 */
void gfm_check_inert(const char *markdown, size_t size_bytes, const char *types,
                     const char *wanted);

/** Text between two tags: no mention, number, commit, emoji, formula or address begins in it. */
void gfm_check_run(const char *text, size_t size_bytes);

/** A tag without attributes, of those that our texts hold, at the start of @text. @return its
 * length, or 0 */
size_t gfm_plain_tag(const char *text);

#endif
