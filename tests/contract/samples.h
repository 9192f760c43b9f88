/* SPDX-License-Identifier: MIT */
/* Results and archives for tests; equal arguments give equal bytes. */
#ifndef TESTS_CONTRACT_SAMPLES_H
#define TESTS_CONTRACT_SAMPLES_H

#include <stddef.h>

/** What a made-up result says. */
struct sample {
    const char *platform;    /**< "linux-x86_64" */
    const char *cpu;         /**< NULL: "AMD EPYC 9V74" */
    const char *created_at;  /**< NULL: "2026-07-23T18:00:00Z" */
    const char *commit;      /**< or NULL */
    const char *base_commit; /**< or NULL */
    const char
        *target;    /**< name of the targets; numbered when there are several; NULL: "dynamic" */
    size_t targets; /**< 0: one */
    size_t rounds;  /**< 0: 60 */
    double untracked_ms;    /**< 0: 20 */
    double overhead_ratio;  /**< 0: 1.07 */
    double head_base_ratio; /**< 0: no arm tracked-base */
    unsigned int seed;      /**< of the noise, 1% wide */
    unsigned int run_id;    /**< of the run that it says measured it; 0: 5000 */
};

/** JSON of a result; for free(). */
char *sample_json(const struct sample *sample);

/** A zip archive with one file, written to @path. @return 0 */
int sample_zip(const char *path, const char *entry, const void *data, size_t size_bytes);

/** sample_json() as result.json in a zip archive. @return 0 */
int sample_result_zip(const char *path, const struct sample *sample);

/** A history with @rows runs of the platform of sample_json(). For free(). */
char *sample_history(const struct sample *sample, size_t rows);

#endif
