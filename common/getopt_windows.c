/* SPDX-License-Identifier: MIT */
/* Options of a command line, where the C library does not take them apart. */
#include "common/windows/getopt.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

char *optarg;
int optind = 1, opterr = 1, optopt;

/** Where we are within a word of letters; NULL or its end: at the next word. */
static char *letter;

/** What one call works on. The word at optind is the option; its argument stands behind the
 * @skipped words that are none, which have been moved behind it. */
struct call {
    int argc;
    char **argv;
    bool colon; /* a missing argument is ':' */
    const char *letters;
};
static int skipped;

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1];
}

/** Move a word forward, past others. */
static void move(char **argv, int from, int to)
{
    char *word = argv[from];
    memmove(argv + to + 1, argv + to, (size_t)(from - to) * sizeof(*argv));
    argv[to] = word;
}

/** Bring the next option to optind. @return false at the end of options */
static bool next_option(struct call *call, bool in_order)
{
    int at = optind;
    while (!in_order && at < call->argc && !is_option(call->argv[at]))
        at++;
    if (at >= call->argc || !is_option(call->argv[at]))
        return false;
    bool is_end = !strcmp(call->argv[at], "--");
    skipped = at - optind;
    move(call->argv, at, optind);
    optind += is_end;
    return !is_end;
}

/** The option's argument, in the word that follows. @return @found, or what says that it lacks */
static int take_argument(struct call *call, int found)
{
    int at = optind + skipped; /* optind is past the option's own word */
    if (at >= call->argc) {
        optopt = found;
        return call->colon ? ':' : '?';
    }
    move(call->argv, at, optind);
    optarg = call->argv[optind++];
    return found;
}

static int take_letter(struct call *call)
{
    unsigned char c = (unsigned char)*letter++;
    char *rest = letter;
    const char *known = c == ':' ? NULL : strchr(call->letters, c);

    if (!*rest || (known && known[1] == ':')) {
        letter = NULL;
        optind++; /* past the word */
    }
    if (!known) {
        optopt = c;
        return '?';
    }
    if (known[1] != ':')
        return c;
    if (!*rest)
        return take_argument(call, c);
    optarg = rest;
    return c;
}

/** The one that is named: wholly, or by the start of it alone; NULL for none or several. */
static const struct option *find(const struct option *options, const char *name, size_t length)
{
    const struct option *found = NULL;
    bool several = false;
    for (const struct option *option = options; option->name; option++) {
        if (strncmp(option->name, name, length) != 0)
            continue;
        if (!option->name[length])
            return option;
        several |= found && (found->has_arg != option->has_arg || found->val != option->val);
        found = option;
    }
    return several ? NULL : found;
}

static int take_long(struct call *call, const struct option *options)
{
    char *name = call->argv[optind++] + 2;
    char *value = strchr(name, '=');
    const struct option *option =
        find(options, name, value ? (size_t)(value - name) : strlen(name));

    optopt = 0;
    if (!option)
        return '?';
    if (value && option->has_arg == no_argument) {
        optopt = option->val;
        return '?';
    }
    if (option->has_arg == no_argument)
        return option->val;
    if (!value)
        return take_argument(call, option->val);
    optarg = value + 1;
    return option->val;
}

int getopt_long(int argc, char *const *argv, const char *letters, const struct option *options,
                int *index)
{
    bool in_order = letters[0] == '+';
    struct call call = {.argc = argc, .argv = (char **)argv, .letters = letters + in_order};

    (void)index;
    optarg = NULL;
    call.colon = call.letters[0] == ':';
    if (letter && *letter)
        return take_letter(&call);
    letter = NULL;
    if (!next_option(&call, in_order))
        return -1;
    if (call.argv[optind][1] == '-')
        return take_long(&call, options);
    letter = call.argv[optind] + 1;
    return take_letter(&call);
}
