/* SPDX-License-Identifier: MIT */
/* Our getopt_long() for Windows gives what this system's does, on every short command line of words
 * that ask for each of its cases. */
#include <getopt.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "common/compiler.h"

/* Names that the source is compiled with for this test. */
extern char *own_optarg;
extern int own_optind, own_opterr, own_optopt;
int own_getopt_long(int argc, char *const *argv, const char *letters, const struct option *options,
                    int *index);

#define WORDS_MAX 4

static const char *const words[] = {
    "plain",  "-",        "--",   "-a",       "-ab",        "-o",     "-ovalue", "-z",
    "--flag", "--flag=x", "--fl", "--output", "--output=v", "--out=", "--o",     "--none"};
static const char *const letters[] = {"abo:", ":abo:", "+abo:", "+:abo:", ":"};
static const struct option options[] = {
    {"flag", no_argument, NULL, 300},
    {"flagging", no_argument, NULL, 301},
    {"output", required_argument, NULL, 'o'},
    {"other", no_argument, NULL, 302},
    {NULL, 0, NULL, 0},
};

/** One implementation. */
struct parser {
    int (*next)(int, char *const *, const char *, const struct option *, int *);
    char **argument;
    int *index, *error, *letter;
    int begin; /* of the index; GNU's looks at a '+' only where that is 0 */
};

static const struct parser system_parser = {getopt_long, &optarg, &optind, &opterr, &optopt, 0};
static const struct parser own_parser = {own_getopt_long, &own_optarg, &own_optind,
                                         &own_opterr,     &own_optopt, 1};

/** All that a program can see of a parse, as text. */
static void parse(const struct parser *parser, int argc, char **argv, const char *allowed,
                  char *out, size_t out_bytes)
{
    int found;
    size_t n = 0;
    *parser->index = parser->begin;
    *parser->error = 0;
    do {
        *parser->letter = 0;
        found = parser->next(argc, argv, allowed, options, NULL);
        bool bad = found == '?' || found == ':';
        bool has_value = found == 'o';
        /* Within a word of letters it is not promised where the index stands. */
        n += (size_t)snprintf(out + n, out_bytes - n, "%d/%d/%s ", found, bad ? *parser->letter : 0,
                              has_value ? *parser->argument : "");
    } while (found != -1 && n < out_bytes);
    n += (size_t)snprintf(out + n, out_bytes - n, "at %d:", *parser->index);
    for (int i = 0; i < argc && n < out_bytes; i++)
        n += (size_t)snprintf(out + n, out_bytes - n, " %s", argv[i]);
    assert_true(n < out_bytes);
}

static void compare(const int *chosen, int count)
{
    for (size_t i = 0; i < ARRAY_LEN(letters); i++) {
        char *theirs[WORDS_MAX + 2] = {(char *)"program"},
                                 *ours[WORDS_MAX + 2] = {(char *)"program"};
        char expected[512], got[512];
        for (int k = 0; k < count; k++)
            ours[k + 1] = theirs[k + 1] = (char *)(uintptr_t)words[chosen[k]];
        parse(&system_parser, count + 1, theirs, letters[i], expected, sizeof(expected));
        parse(&own_parser, count + 1, ours, letters[i], got, sizeof(got));
        assert_string_equal(got, expected);
    }
}

static void agrees_with_the_system(void **state)
{
    int chosen[WORDS_MAX] = {0};
    (void)state;
    for (int count = 0; count <= WORDS_MAX; count++) {
        for (;;) {
            compare(chosen, count);
            int k = 0;
            while (k < count && ++chosen[k] == (int)ARRAY_LEN(words))
                chosen[k++] = 0;
            if (k == count)
                break;
        }
    }
}

/** What programs name in their messages: the word that was read last. */
static void leaves_the_index_behind_the_word(void **state)
{
    char *argv[] = {(char *)"program", (char *)"plain", (char *)"--none", (char *)"-o", NULL};
    (void)state;
    own_optind = 1;
    assert_int_equal(own_getopt_long(4, argv, ":o:", options, NULL), '?');
    assert_string_equal(argv[own_optind - 1], "--none");
    assert_int_equal(own_getopt_long(4, argv, ":o:", options, NULL), ':');
    assert_string_equal(argv[own_optind - 1], "-o");
    assert_int_equal(own_getopt_long(4, argv, ":o:", options, NULL), -1);
    assert_string_equal(argv[own_optind], "plain");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_system),
        cmocka_unit_test(leaves_the_index_behind_the_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
