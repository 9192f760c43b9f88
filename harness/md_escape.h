/* SPDX-License-Identifier: MIT */
/* The one way for a foreign string into Markdown. */
#ifndef HARNESS_MD_ESCAPE_H
#define HARNESS_MD_ESCAPE_H

#include <stddef.h>

#include "common/buf.h"
#include "common/compiler.h"

/** Characters of a foreign string that are shown before it is cut with "…". */
#define TT_TEXT_MAX_CHARS 80

/**
 * Append a string to GitHub Markdown such that it shows as the same plain text and does
 * nothing: no markup, HTML, link, image, mention, reference, emoji code or formula. What has
 * a meaning where it stands becomes a numeric entity; what GitHub looks for in finished text
 * ("@user", "#12", "GH-1", ":emoji:", "$x$", "www.", a commit's name) is parted by a <span>.
 * Control, direction and invisible characters and bytes that are not UTF-8 show as "U+202E";
 * line ends become spaces, "##[" becomes "# #[". Good for a table's cell, running text, the start
 * of a line and between HTML tags; not for the inside of code spans and of attributes.
 * @text      may be hostile; NULL is as ""
 * @max_chars cut after so many characters, then "…"
 * @return as buf_status(@out)
 */
int tt_md_escape(struct buf *out, const char *text, size_t max_chars);

/**
 * Append a string to plain text for a terminal or log: control, direction and invisible
 * characters and bytes that are not UTF-8 show as "U+202E", line ends become spaces, and "##[",
 * which begins a command of GitHub's runner anywhere in a line, becomes "# #[". What has been
 * escaped stays the same when it is escaped again.
 * @max_chars as above
 * @return as buf_status(@out)
 */
int tt_plain_escape(struct buf *out, const char *text, size_t max_chars);

#endif
