/* SPDX-License-Identifier: MIT */
/* Results and archives for tests. */
#include "samples.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <zip.h>

#include "harness/history.h"
#include "harness/result.h"

/* Numerical Recipes' generator: the same numbers on every machine. */
static double noise(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (double)(1u << 24) - 0.5;
}

static json_t *make_arm(double ns, size_t rounds, uint32_t *state, int traced)
{
    json_t *samples = json_array();
    for (size_t i = 0; i < rounds; i++)
        json_array_append_new(samples, json_integer((json_int_t)(ns * (1 + 0.01 * noise(state)))));
    json_t *arm = json_pack("{s:o}", "samples_ns", samples);
    if (traced)
        json_object_set_new(arm, "trace",
                            json_pack("{s:i, s:i, s:i, s:i, s:i, s:b}", "expected", 8192,
                                      "recorded_min", 8192, "accesses_min", 8200, "accesses_max",
                                      8200, "lost", 0, "complete", 1));
    return arm;
}

static json_t *make_target(const struct sample *sample, size_t index, uint32_t *state)
{
    char name[300];
    const char *target = sample->target ? sample->target : "dynamic";
    if (sample->targets > 1)
        (void)snprintf(name, sizeof(name), "%s-%zu", target, index + 1);
    else
        (void)snprintf(name, sizeof(name), "%s", target);
    size_t rounds = sample->rounds ? sample->rounds : 60;
    double untracked = (sample->untracked_ms > 0 ? sample->untracked_ms : 20) * 1e6;
    double ratio = sample->overhead_ratio > 0 ? sample->overhead_ratio : 1.07;
    json_t *arms = json_pack("{s:o, s:o}", "untracked", make_arm(untracked, rounds, state, 0),
                             "tracked", make_arm(untracked * ratio, rounds, state, 1));
    if (sample->head_base_ratio > 0)
        json_object_set_new(
            arms, "tracked-base",
            make_arm(untracked * ratio / sample->head_base_ratio, rounds, state, 1));
    return json_pack("{s:s, s:s, s:i, s:o}", "name", name, "operation", "open-close",
                     "operations_count", 8192, "arms", arms);
}

static json_t *make_platform(const struct sample *sample)
{
    int is_mac = strstr(sample->platform, "macos") != NULL;
    int is_windows = strstr(sample->platform, "windows") != NULL;
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:i}", "id", sample->platform, "os",
                     is_mac       ? "Darwin"
                     : is_windows ? "Windows"
                                  : "Linux",
                     "image",
                     is_mac       ? "macos-15"
                     : is_windows ? "windows-2025"
                                  : "Ubuntu 24.04",
                     "kernel", "6.8.0", "libc", "glibc 2.39", "arch", is_mac ? "arm64" : "x86_64",
                     "cpu", sample->cpu ? sample->cpu : "AMD EPYC 9V74", "cores", 4);
}

char *sample_json(const struct sample *sample)
{
    uint32_t state = sample->seed * 2654435761u + 1;
    json_t *targets = json_array();
    for (size_t i = 0; i < (sample->targets ? sample->targets : 1); i++)
        json_array_append_new(targets, make_target(sample, i, &state));
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:s?, s:s?, s:o, s:{s:s, s:i, s:i}, s:{s:s, s:s, s:{s:s, s:s}, s:i, s:i}, "
        "s:{s:s, s:s}, s:i, s:i, s:o}",
        "schema", TT_RESULT_SCHEMA, "created_at",
        sample->created_at ? sample->created_at : "2026-07-23T18:00:00Z", "tool_version", "0.1.0",
        "commit", sample->commit, "base_commit", sample->base_commit, "platform",
        make_platform(sample), "ci", "provider", "github", "run_id",
        sample->run_id ? (int)sample->run_id : 5000, "attempt", 1, "suite", "name", "default",
        "version", "1", "parameters", "files", "2048", "threads", "4", "shard", 1, "shards", 1,
        "engine", "name", "hyperfine", "version", "1.19.0", "seed", 1, "warmup_rounds", 2,
        "targets", targets);
    char *text = json_dumps(root, JSON_INDENT(1));
    json_decref(root);
    return text;
}

int sample_zip(const char *path, const char *entry, const void *data, size_t size_bytes)
{
    int code = 0;
    zip_t *archive = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (!archive)
        return -1;
    zip_source_t *source = zip_source_buffer(archive, data, size_bytes, 0);
    if (!source || zip_file_add(archive, entry, source, ZIP_FL_ENC_UTF_8) < 0) {
        zip_discard(archive);
        return -1;
    }
    return zip_close(archive);
}

int sample_result_zip(const char *path, const struct sample *sample)
{
    char *json = sample_json(sample);
    int ret = json ? sample_zip(path, "result.json", json, strlen(json)) : -1;
    free(json);
    return ret;
}

char *sample_history(const struct sample *sample, size_t rows)
{
    struct tt_history history = {0};
    char *text = NULL;
    for (size_t i = 0; i < rows; i++) {
        struct sample one = *sample;
        struct tt_result result;
        char created[32];
        (void)snprintf(created, sizeof(created), "2026-06-%02zuT12:00:00Z", i % 28 + 1);
        one.created_at = created;
        char commit[41];
        (void)snprintf(commit, sizeof(commit), "%08zx%032d", (i + 1) * 0x9e3779b1u % 0xffffffffu,
                       0);
        one.commit = commit;
        one.seed = (unsigned int)i + 100;
        one.overhead_ratio = 1.07 + 0.005 * (double)(i % 3);
        char *json = sample_json(&one);
        if (!json || tt_result_parse("sample", json, strlen(json), &result, NULL)) {
            free(json);
            goto out;
        }
        free(json);
        result.ci.run_id = 100 + i;
        int ret = tt_history_extend(&history, &result, NULL);
        tt_result_fini(&result);
        if (ret)
            goto out;
    }
    if (tt_history_format(&history, &text, NULL))
        text = NULL;
out:
    tt_history_fini(&history);
    return text;
}
