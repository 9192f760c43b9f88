/* SPDX-License-Identifier: MIT */
/* What a record costs the thread that writes it: the injected library's own code, called here
 * without the system's call before it. Rounds with a log alternate with rounds without one, which
 * pay for the loop alone. Fails when even the quietest round with a log costs too much, or a record
 * is gone. */
#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"
#include "tracer/log.h"
#include "tracer/windows/hook.h"

#define ROUNDS 41
#define RECORDS 20000
#define LIMIT_NS 150.0

struct ft_hook_state ft_hook_state;

static uint64_t drained;

static int count(void *context, const struct ft_record *records, size_t size_bytes)
{
    size_t offset = 0;
    uint64_t torn = 0;
    (void)context;
    while (ft_record_next((const char *)records, size_bytes, &offset, &torn))
        drained++;
    return 0;
}

static double round_ns(struct ft_log_head *log, const OBJECT_ATTRIBUTES *attributes)
{
    ft_hook_state.log = log;
    uint64_t start_ns = clock_monotonic_ns();
    for (int i = 0; i < RECORDS; i++)
        ft_note_object(FT_OP_NtCreateFile, FT_READ, 0, attributes);
    return (double)(clock_monotonic_ns() - start_ns) / RECORDS;
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int main(void)
{
    static wchar_t path[] = L"\\??\\C:\\Users\\someone\\project\\node_modules\\package\\index.js";
    UNICODE_STRING name = {sizeof(path) - 2, sizeof(path), path};
    OBJECT_ATTRIBUTES attributes;
    double with[ROUNDS], without[ROUNDS];
    struct ft_log log;
    struct err err;

    InitializeObjectAttributes(&attributes, &name, OBJ_CASE_INSENSITIVE, NULL, NULL);
    if (ft_log_open(&log, &err)) {
        printf("FAILED: %s\n", err.text);
        return 1;
    }
    ft_hook_state.pid = GetCurrentProcessId();
    for (int i = 0; i < ROUNDS; i++) {
        without[i] = round_ns(NULL, &attributes);
        with[i] = round_ns(log.head, &attributes);
        if (ft_log_drain(&log, count, NULL))
            return 1;
    }
    if (ft_log_drain_all(&log, count, NULL))
        return 1;
    uint64_t lost = ft_log_lost(&log);
    ft_log_close(&log);
    qsort(with, ROUNDS, sizeof(*with), by_size);
    qsort(without, ROUNDS, sizeof(*without), by_size);
    printf(
        "a record of %u bytes costs %.1f ns, in the quietest of %d rounds %.1f ns (without a log: "
        "%.1f ns)\n",
        (unsigned)((FT_RECORD_HEAD_BYTES + sizeof(path) - 2 + 7) & ~7u), with[ROUNDS / 2], ROUNDS,
        with[0], without[ROUNDS / 2]);
    if (with[0] > LIMIT_NS || lost || drained != (uint64_t)ROUNDS * RECORDS) {
        printf("FAILED: at most %.0f ns, and %llu records, of which %llu are lost\n", LIMIT_NS,
               (unsigned long long)drained, (unsigned long long)lost);
        return 1;
    }
    return 0;
}
