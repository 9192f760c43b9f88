/* SPDX-License-Identifier: MIT */
/* Argument vectors made from templates. */
#include "harness/argv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/** A vector in the making. */
struct maker {
    char **argv; /**< owned; NULL-terminated */
    size_t count;
};

size_t tt_argv_count(const char *const *argv)
{
    size_t count = 0;
    while (argv && argv[count])
        count++;
    return count;
}

void tt_argv_free(char **argv)
{
    for (size_t i = 0; argv && argv[i]; i++)
        free(argv[i]);
    free(argv);
}

const char *const *tt_argv_view(char **argv)
{
    return (const char *const *)argv;
}

/** Put an argument at the end; @argument is taken over, also on failure. */
static int push(struct maker *maker, char *argument)
{
    char **argv = NULL;
    int ret = -ENOMEM;

    if (!argument)
        return -ENOMEM;
    if (maker->count >= TT_ARGV_MAX_COUNT)
        ret = -E2BIG;
    else
        argv = realloc(maker->argv, (maker->count + 2) * sizeof(*argv));
    if (!argv) {
        free(argument);
        return ret;
    }
    argv[maker->count++] = argument;
    argv[maker->count] = NULL;
    maker->argv = argv;
    return 0;
}

/** The value whose placeholder @text starts with, and the placeholder's length. */
static const char *match(const char *text, const struct tt_argv_values *values, size_t *length)
{
    const struct {
        const char *name, *value;
    } rows[] = {{"{bin}", values->bin},
                {"{dir}", values->dir},
                {"{trace}", values->trace},
                {"{tracker}", values->tracker}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        *length = strlen(rows[i].name);
        if (rows[i].value && !strncmp(text, rows[i].name, *length))
            return rows[i].value;
    }
    return NULL;
}

static int expand_one(const char *text, const struct tt_argv_values *values, char **out)
{
    struct buf argument;

    buf_init(&argument, TT_ARGV_MAX_ARGUMENT_BYTES);
    while (*text) {
        size_t length;
        const char *value = match(text, values, &length);
        if (value) {
            buf_puts(&argument, value);
            text += length;
        } else {
            buf_append(&argument, text++, 1);
        }
    }
    int ret = buf_status(&argument) == -EFBIG ? -E2BIG : buf_status(&argument);
    *out = ret ? NULL : buf_take(&argument);
    buf_fini(&argument);
    return ret;
}

int tt_argv_expand(const char *const *template, const struct tt_argv_values *values, char ***out)
{
    struct maker maker = {0};
    int ret = 0;

    *out = NULL;
    for (; !ret && *template; template ++) {
        if (values->command && !strcmp(*template, "{command}")) {
            for (const char *const *word = values->command; !ret && *word; word++)
                ret = push(&maker, strdup(*word));
        } else {
            char *argument;
            ret = expand_one(*template, values, &argument);
            if (!ret)
                ret = push(&maker, argument);
        }
    }
    if (!ret && !maker.argv)
        ret = -EINVAL;
    if (ret) {
        tt_argv_free(maker.argv);
        return ret;
    }
    *out = maker.argv;
    return 0;
}

int tt_argv_quote(const char *const *argv, struct buf *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-+=./:,@%";

    for (size_t i = 0; argv[i]; i++) {
        if (i)
            buf_puts(out, " ");
        if (*argv[i] && !argv[i][strspn(argv[i], plain)]) {
            buf_puts(out, argv[i]);
            continue;
        }
        buf_puts(out, "'");
        for (const char *c = argv[i]; *c; c++) {
            if (*c == '\'')
                buf_puts(out, "'\\''");
            else
                buf_append(out, c, 1);
        }
        buf_puts(out, "'");
    }
    return buf_status(out);
}
