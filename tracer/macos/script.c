/* SPDX-License-Identifier: MIT */
/* The first line of a script. */
#include "tracer/macos/script.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_end(char c)
{
    return c == '\n' || c == '#';
}

static bool same_text(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

bool ft_script_read(const char *head, size_t size_bytes, struct ft_script *out)
{
    size_t i = 2, used = 0, end = 2;

    out->count = 0;
    if (size_bytes > FT_SCRIPT_LINE_MAX)
        size_bytes = FT_SCRIPT_LINE_MAX;
    if (size_bytes < 2 || head[0] != '#' || head[1] != '!')
        return false;
    while (end < size_bytes && !is_end(head[end]))
        end++;
    /* A line without an end is none for the kernel, which fills up with zeros behind a short file.
     */
    if (end == size_bytes)
        return false;
    while (i < end) {
        while (i < end && is_blank(head[i]))
            i++;
        if (i == end)
            break;
        if (out->count == FT_SCRIPT_WORDS_MAX) {
            out->count = 0;
            return false;
        }
        out->words[out->count++] = (uint16_t)used;
        while (i < end && !is_blank(head[i])) {
            if (!head[i]) { /* no word holds one */
                out->count = 0;
                return false;
            }
            out->text[used++] = head[i++];
        }
        out->text[used++] = '\0';
    }
    return out->count != 0;
}

bool ft_script_is_env(const struct ft_script *script)
{
    if (script->count < 2 || !same_text(ft_script_word(script, 0), "/usr/bin/env"))
        return false;
    const char *name = ft_script_word(script, 1);
    if (*name == '-')
        return false;
    for (; *name; name++)
        if (*name == '=')
            return false;
    return true;
}

bool ft_script_is_shell(const char *path)
{
    return same_text(path, "/bin/sh") || same_text(path, "/bin/bash");
}
