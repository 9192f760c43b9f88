/* SPDX-License-Identifier: MIT */
/* The shared log when a writer is killed, or writes what it likes: its neighbours are not hidden.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/tracer/log_fixture.h"

/* Writers that were killed. */

/** Run @act in a child that is killed right after it. */
static void in_killed_child(void (*act)(struct ft_log_head *log), struct ft_log_head *log)
{
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        act(log);
        (void)raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
}

static void reserves_only(struct ft_log_head *log)
{
    (void)ft_log_reserve(log, ft_log_cpu(), RECORD_BYTES);
}

static void begins_only(struct ft_log_head *log)
{
    struct ft_record *record =
        (struct ft_record *)(void *)ft_log_reserve(log, ft_log_cpu(), RECORD_BYTES);
    if (record)
        record->state = FT_STATE_BEGUN | RECORD_BYTES;
}

static void takes_torn_records_out(void **state)
{
    struct fixture *fixture = *state;
    struct ft_log_head *log = fixture->log.head;
    append(log, 0);
    in_killed_child(begins_only, log);
    append(log, 1);
    in_killed_child(reserves_only, log);
    append(log, 2);
    append(log, 3);
    in_killed_child(begins_only, log);
    in_killed_child(begins_only, log);
    append(log, 4);
    assert_int_equal(ft_log_drain_all(&fixture->log, receive, &fixture->received), 0);
    assert_received(&fixture->received, 5, NULL, 0);
    assert_int_equal(fixture->log.torn, 4);
}

static void counts_a_torn_record_at_the_end(void **state)
{
    struct fixture *fixture = *state;
    append(fixture->log.head, 0);
    in_killed_child(begins_only, fixture->log.head);
    assert_int_equal(ft_log_drain_all(&fixture->log, receive, &fixture->received), 0);
    assert_received(&fixture->received, 1, NULL, 0);
    assert_int_equal(fixture->log.torn, 1);
}

/** Killed between its reservation and its first byte, and nobody came after. */
static void counts_a_hole_at_the_end(void **state)
{
    struct fixture *fixture = *state;
    append(fixture->log.head, 0);
    in_killed_child(reserves_only, fixture->log.head);
    assert_int_equal(ft_log_drain_all(&fixture->log, receive, &fixture->received), 0);
    assert_received(&fixture->received, 1, NULL, 0);
    assert_int_equal(fixture->log.torn, 1);
}

/** A full chunk with a torn record waits for the end; the others do not wait for it. */
static void drains_around_a_torn_chunk(void **state)
{
    struct fixture *fixture = *state;
    struct ft_log_head *log = fixture->log.head;
    uint32_t serial = 0;
    append(log, serial++);
    in_killed_child(begins_only, log);
    while (serial < 3 * RECORDS_A_CHUNK)
        append(log, serial++);
    assert_int_equal(ft_log_drain(&fixture->log, receive, &fixture->received), 0);
    assert_int_equal(fixture->received.records, 2 * RECORDS_A_CHUNK);
    assert_int_equal(ft_log_drain_all(&fixture->log, receive, &fixture->received), 0);
    assert_received(&fixture->received, serial, NULL, 0);
    assert_int_equal(fixture->log.torn, 1);
}

/** Killed after it took a chunk and before the chunk was in a cursor. */
static void reads_a_chunk_that_was_only_claimed(void **state)
{
    struct fixture *fixture = *state;
    struct ft_log_head *log = fixture->log.head;
    append(log, 0);
    log->chunks[7].state = FT_CHUNK_CLAIMED;
    log->chunks[8].state = FT_CHUNK_OPEN;
    memcpy(ft_log_chunk(log, 8), ft_log_chunk(log, 1), RECORD_BYTES);
    ((struct ft_record *)(void *)ft_log_chunk(log, 8))->pid = 1;
    ((struct ft_record *)(void *)ft_log_chunk(log, 8))->op = 1;
    assert_int_equal(ft_log_drain_all(&fixture->log, receive, &fixture->received), 0);
    assert_received(&fixture->received, 2, NULL, 0);
}

/* Watched programs that write what they like. */

static void survives_a_forged_length(void **state)
{
    static const uint32_t lengths[] = {
        0, 1, 7, RECORD_BYTES - 1, RECORD_BYTES + 1, FT_CHUNK_BYTES + 1, UINT32_MAX};
    struct fixture *fixture = *state;
    struct ft_log_head *log = fixture->log.head;
    for (uint32_t serial = 0; serial < 2 * RECORDS_A_CHUNK; serial++)
        append(log, serial);
    uint32_t used_bytes = log->chunks[1].used_bytes;
    assert_int_equal(log->chunks[1].state, FT_CHUNK_CLOSED);
    for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
        struct received any = {.times = calloc(1, SERIAL_MAX)};
        assert_non_null(any.times);
        log->chunks[1].used_bytes = lengths[i];
        assert_int_equal(ft_log_drain_all(&fixture->log, receive, &any), 0);
        free(any.times);
    }
    /* Beyond the chunk it is no length at all, and the records are found without it. */
    log->chunks[1].used_bytes = UINT32_MAX;
    assert_int_equal(ft_log_drain(&fixture->log, receive, &fixture->received), 0);
    assert_int_equal(ft_log_drain_all(&fixture->log, receive, &fixture->received), 0);
    assert_received(&fixture->received, 2 * RECORDS_A_CHUNK, NULL, 0);
    assert_in_range(used_bytes, RECORD_BYTES, FT_CHUNK_BYTES);
}

static int receive_anything(void *context, const struct ft_record *records, size_t size_bytes)
{
    (void)records;
    *(size_t *)context += size_bytes;
    return 0;
}

/* A watched program that writes into the log while the tracer reads it. */
struct forger {
    struct ft_log *log;
    size_t records;
};

static int forge_and_receive(void *context, const struct ft_record *records, size_t size_bytes)
{
    struct forger *forger = context;
    size_t offset = 0;
    uint64_t torn = 0;
    memset((char *)forger->log->head + FT_CHUNKS_OFFSET, 0xff, FT_LOG_BYTES - FT_CHUNKS_OFFSET);
    for (const struct ft_record *record;
         (record = ft_record_next((const char *)records, size_bytes, &offset, &torn));) {
        assert_int_equal(record->base_bytes, sizeof(base) - 1);
        assert_memory_equal(record->bytes, base, sizeof(base) - 1);
        forger->records++;
    }
    assert_int_equal(torn, 0);
    return 0;
}

static void passes_on_what_nobody_can_change(void **state)
{
    struct fixture *fixture = *state;
    struct forger forger = {.log = &fixture->log};
    for (uint32_t serial = 0; serial < RECORDS_A_CHUNK + 1; serial++)
        put(&fixture->log, serial);
    assert_int_equal(ft_log_drain(&fixture->log, forge_and_receive, &forger), 0);
    assert_int_equal(forger.records, RECORDS_A_CHUNK);
}

static void survives_a_forged_cursor(void **state)
{
    static const uint64_t places[] = {UINT64_MAX,
                                      (uint64_t)FT_CHUNK_COUNT << 32,
                                      (uint64_t)FT_CHUNK_COUNT << 32 | FT_CHUNK_BYTES,
                                      (uint64_t)1 << 32 | (FT_SMALL_CHUNK_BYTES + 8),
                                      (uint64_t)1 << 32 | FT_CHUNK_BYTES,
                                      (uint64_t)UINT32_MAX << 32,
                                      (uint64_t)UINT32_MAX << 32 | FT_CHUNK_BYTES,
                                      UINT32_MAX - RECORD_BYTES + 8,
                                      UINT32_MAX};
    struct fixture *fixture = *state;
    struct ft_log_head *log = fixture->log.head;
    int status;
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            /* Alone in its memory: one step outside is a fault, not a neighbour's bytes. */
            for (size_t k = 0; k < FT_CURSOR_COUNT; k++)
                log->cursors[k].place = places[i];
            put(&fixture->log, 1);
            append(log, 2);
            size_t bytes = 0;
            _exit(ft_log_drain_all(&fixture->log, receive_anything, &bytes) != 0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        if (status)
            fail_msg("a cursor at %#llx ended the writer: status %#x",
                     (unsigned long long)places[i], (unsigned)status);
    }
}

/** Any bytes at all: every record lies within them, and the end is reached. */
static void survives_any_bytes(void **state)
{
    (void)state;
    uint64_t random = 88172645463325252u; /* xorshift64 (Marsaglia 2003) */
    enum { BYTES = 4096 };
    for (int round = 0; round < 2000; round++) {
        size_t size_bytes = (size_t)(random % BYTES), offset = 0;
        uint64_t torn = 0;
        char *data = malloc(BYTES);
        assert_non_null(data);
        for (size_t i = 0; i < BYTES; i += 8) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            uint64_t word = random;
            if (random >> 61 == 0) /* now and then the mark of a record */
                word = (random & ~UINT64_C(0xffffffff)) | (random & 0x1f8u) |
                       (random >> 60 & 1 ? FT_STATE_COMMITTED : FT_STATE_BEGUN);
            else if (random >> 61 == 1)
                word = 0;
            memcpy(data + i, &word, 8);
        }
        char *exact = malloc(size_bytes + 1);
        assert_non_null(exact);
        memcpy(exact, data, size_bytes);
        for (const struct ft_record *record;
             (record = ft_record_next(exact, size_bytes, &offset, &torn));) {
            size_t start = (size_t)((const char *)record - exact);
            size_t length = FT_RECORD_HEAD_BYTES + record->base_bytes + record->path_bytes;
            assert_true(start + length <= offset);
            assert_true(offset <= size_bytes);
        }
        assert_int_equal(offset, size_bytes);
        free(exact);
        free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(takes_torn_records_out),
        TEST(counts_a_torn_record_at_the_end),
        TEST(counts_a_hole_at_the_end),
        TEST(drains_around_a_torn_chunk),
        TEST(reads_a_chunk_that_was_only_claimed),
        TEST(survives_a_forged_length),
        TEST(passes_on_what_nobody_can_change),
        TEST(survives_a_forged_cursor),
        TEST(survives_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
