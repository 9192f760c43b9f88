/* SPDX-License-Identifier: MIT */
/* A suite from a stranger: its vectors are filled in, and quoted such that hyperfine and a shell
   take them apart into the same words again. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "harness/argv.h"
#include "harness/suite.h"

#define MAX_WORDS_BYTES (1u << 20)

/* The next word as POSIX's shell takes it, quotes removed; only what tt_argv_quote() writes. */
static const char *take_word(const char *at, struct buf *word)
{
    bool quoted = false;
    for (; *at && (quoted || *at != ' '); at++) {
        if (*at == '\'') {
            quoted = !quoted;
            continue;
        }
        if (!quoted && *at == '\\')
            at++;
        else
            FUZZ_CHECK(quoted || !strchr("\"$`;&|<>()*?[]#~!{}\n\t", *at), "a shell would act");
        buf_append(word, at, 1);
    }
    FUZZ_CHECK(!quoted, "a quote that does not end");
    return *at ? at + 1 : at;
}

static void check_quoted(char **argv)
{
    struct buf text, word;
    buf_init(&text, MAX_WORDS_BYTES);
    buf_init(&word, MAX_WORDS_BYTES);
    if (!tt_argv_quote(tt_argv_view(argv), &text)) {
        const char *at = text.data;
        for (size_t i = 0; argv[i]; i++) {
            buf_clear(&word);
            at = take_word(at, &word);
            FUZZ_CHECK(!strcmp(word.data ? word.data : "", argv[i]), "another word came back");
        }
        FUZZ_CHECK(!*at, "more words than there were");
    }
    buf_fini(&text);
    buf_fini(&word);
}

static void expand(char **template)
{
    static const char *const command[] = {"a b", "", "'", NULL};
    const struct tt_argv_values values = {
        .bin = "/b in", .dir = "{trace}", .trace = "$(t)", .tracker = "{bin}", .command = command};
    char **argv = NULL;
    if (!template || tt_argv_expand(tt_argv_view(template), &values, &argv))
        return;
    FUZZ_CHECK(tt_argv_count(tt_argv_view(argv)) <= TT_ARGV_MAX_COUNT, "too many words");
    check_quoted(argv);
    tt_argv_free(argv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    struct tt_suite suite;
    struct err err = {0};
    int ret = tt_suite_parse("the suite", data, size_bytes, &suite, &err);
    FUZZ_CHECK(!ret == !err.code, "a failure without words");
    for (size_t i = 0; i < suite.targets_count; i++) {
        const struct tt_suite_target *target = &suite.targets[i];
        FUZZ_CHECK(target->name && target->operation && target->command && target->command[0],
                   "a target without a name or command");
        expand(target->prepare);
        expand(target->command);
        expand(target->paths);
        expand(target->tracker);
    }
    if (!ret)
        tt_suite_shard(&suite, 2, 3);
    tt_suite_fini(&suite);
    return 0;
}
