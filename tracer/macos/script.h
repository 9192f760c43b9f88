/* SPDX-License-Identifier: MIT */
/* The first line of a script, as macOS's kernel reads it. */
#ifndef TRACER_MACOS_SCRIPT_H
#define TRACER_MACOS_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Part of the injected library too: no C library behind this. */

#define FT_SCRIPT_LINE_MAX 512u /**< the kernel looks no further (IMG_SHSIZE) */
#define FT_SCRIPT_WORDS_MAX                                                                        \
    32u /**< more than anybody writes; a line with more is left to the kernel */

/** The words of "#!...". */
struct ft_script {
    uint32_t count;                      /**< 0: no script */
    uint16_t words[FT_SCRIPT_WORDS_MAX]; /**< where each starts in `text` */
    char text[FT_SCRIPT_LINE_MAX];       /**< each word with its NUL */
};

/**
 * Split a script's first line: the interpreter and its arguments, at blanks; unlike Linux, which
 * makes one argument of all the rest. A '#' ends the line as its end does.
 * (exec_shell_imgact() in https://github.com/apple-oss-distributions/xnu, bsd/kern/kern_exec.c)
 * @head the file's first bytes, @size_bytes of them
 * @return is it a script that the kernel would run? Pure.
 */
bool ft_script_read(const char *head, size_t size_bytes, struct ft_script *out);

/** Word @index, which is less than `count`. */
static inline const char *ft_script_word(const struct ft_script *script, uint32_t index)
{
    return script->text + script->words[index];
}

/**
 * Is it "/usr/bin/env NAME [ARG...]", without options or variables? Then NAME is what runs, found
 * along PATH, and the words from the second on are its arguments.
 */
bool ft_script_is_env(const struct ft_script *script);

/** Is @path a shell that `--sh` stands in for: /bin/sh or /bin/bash? */
bool ft_script_is_shell(const char *path);

#endif
