/* SPDX-License-Identifier: MIT */
/* make-sample: a made-up result or history on standard output, for scripts and golden tests.
     make-sample PLATFORM [NAME=VALUE...]     names: cpu created commit base target targets rounds
     untracked overhead head_base seed history */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

static int apply(struct sample *sample, size_t *history, char *pair)
{
    char *value = strchr(pair, '=');
    if (!value)
        return -1;
    *value++ = '\0';
    const struct {
        const char *name;
        const char **text;
    } texts[] = {{"cpu", &sample->cpu},
                 {"created", &sample->created_at},
                 {"commit", &sample->commit},
                 {"base", &sample->base_commit},
                 {"target", &sample->target}};
    const struct {
        const char *name;
        double *number;
    } numbers[] = {{"untracked", &sample->untracked_ms},
                   {"overhead", &sample->overhead_ratio},
                   {"head_base", &sample->head_base_ratio}};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (!strcmp(pair, texts[i].name)) {
            *texts[i].text = value;
            return 0;
        }
    }
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (!strcmp(pair, numbers[i].name)) {
            *numbers[i].number = strtod(value, NULL);
            return 0;
        }
    }
    size_t whole = (size_t)strtoul(value, NULL, 10);
    if (!strcmp(pair, "targets"))
        sample->targets = whole;
    else if (!strcmp(pair, "rounds"))
        sample->rounds = whole;
    else if (!strcmp(pair, "seed"))
        sample->seed = (unsigned int)whole;
    else if (!strcmp(pair, "history"))
        *history = whole;
    else
        return -1;
    return 0;
}

int main(int argc, char **argv)
{
    struct sample sample = {.platform = argc > 1 ? argv[1] : ""};
    size_t history = 0;
    for (int i = 2; i < argc; i++) {
        if (apply(&sample, &history, argv[i])) {
            (void)fprintf(stderr, "make-sample: what is %s?\n", argv[i]);
            return 2;
        }
    }
    if (!*sample.platform)
        return 2;
    char *text = history ? sample_history(&sample, history) : sample_json(&sample);
    if (!text)
        return 1;
    (void)fputs(text, stdout);
    free(text);
    return fflush(stdout) ? 1 : 0;
}
