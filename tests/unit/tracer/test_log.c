/* SPDX-License-Identifier: MIT */
/* The shared log: nothing is lost unseen, and one bad writer never hides its neighbours. */
#include <errno.h>
#include <stdio.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "common/compiler.h"
#include "tracer/log.h"
#include "tracer/linux/cpu.h"
#include "tracer/log_write.h"

/* A test's own writers do not wait for room: the log is full when it is full. */
static void ft_log_wait(void)
{
}

#define SERIAL_MAX 2000000u

/** What a sink has received: each record carries a serial number as its pid. */
struct received {
    unsigned char *times; /* by serial number */
    size_t records;
    int status; /* to return */
};

static const char base[] = "/some/folder", path[] = "name of a file that is opened";

static int receive(void *context, const struct ft_record *records, size_t size_bytes)
{
    struct received *received = context;
    size_t offset = 0, end = 0;
    uint64_t torn = 0;
    for (const struct ft_record *record;
         (record = ft_record_next((const char *)records, size_bytes, &offset, &torn));) {
        assert_ptr_equal(record, (const char *)records + end); /* no hole */
        end = offset;
        assert_true(record->pid < SERIAL_MAX);
        assert_int_equal(record->base_bytes, sizeof(base) - 1);
        assert_memory_equal(record->bytes, base, sizeof(base) - 1);
        assert_int_equal(record->path_bytes, sizeof(path) - 1);
        assert_memory_equal(record->bytes + sizeof(base) - 1, path, sizeof(path) - 1);
        assert_int_equal(record->op, (uint16_t)record->pid);
        received->times[record->pid]++;
        received->records++;
    }
    assert_int_equal(end, size_bytes);
    assert_int_equal(torn, 0);
    return received->status;
}

/** A log, what came out of it, and one processor for all, so that records have one order. */
struct fixture {
    struct ft_log log;
    struct received received;
    cpu_set_t processors;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    cpu_set_t one;
    fixture = (struct fixture){.received.times = calloc(1, SERIAL_MAX)};
    *state = &fixture;
    if (!fixture.received.times || ft_log_open(&fixture.log, NULL) ||
        sched_getaffinity(0, sizeof(fixture.processors), &fixture.processors))
        return -1;
    for (size_t i = 0; i < CPU_SETSIZE; i++) {
        if (!CPU_ISSET(i, &fixture.processors))
            continue;
        CPU_ZERO(&one);
        CPU_SET(i, &one);
        return sched_setaffinity(0, sizeof(one), &one);
    }
    return -1;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    free(fixture->received.times);
    ft_log_close(&fixture->log);
    ft_log_close(&fixture->log);
    return sched_setaffinity(0, sizeof(fixture->processors), &fixture->processors);
}

static struct ft_record head_of(uint32_t serial)
{
    return (struct ft_record){.pid = serial, .op = (uint16_t)serial, .kind = FT_KIND_ACCESS};
}

static void put(struct ft_log *log, uint32_t serial)
{
    const struct ft_record head = head_of(serial);
    ft_log_put(log, &head, base, sizeof(base) - 1, path, sizeof(path) - 1);
}

/** As a watched process does it: without waiting, in this test. */
static void append(struct ft_log_head *log, uint32_t serial)
{
    const struct ft_record head = head_of(serial);
    ft_log_append(log, ft_log_cpu(), &head, base, sizeof(base) - 1, path, sizeof(path) - 1);
}

#define RECORD_BYTES                                                                               \
    ((uint32_t)(FT_RECORD_HEAD_BYTES + sizeof(base) - 1 + sizeof(path) - 1 + 7u) & ~7u)
#define RECORDS_A_CHUNK (FT_SMALL_CHUNK_BYTES / RECORD_BYTES) /* of the first ones */
#define RECORDS_A_LOG                                                                              \
    (RECORDS_A_CHUNK * FT_SMALL_CHUNK_COUNT +                                                      \
     FT_CHUNK_BYTES / RECORD_BYTES * (FT_CHUNK_COUNT - 1 - FT_SMALL_CHUNK_COUNT)) /* 0 is none */

/** Each number below @count came exactly once, but for those in @missing. */
static void assert_received(const struct received *received, uint32_t count,
                            const uint32_t *missing, size_t missing_count)
{
    for (uint32_t serial = 0; serial < count; serial++) {
        bool expected = true;
        for (size_t i = 0; i < missing_count; i++)
            expected &= missing[i] != serial;
        if (received->times[serial] != expected)
            fail_msg("record %lu came %d times", (unsigned long)serial, received->times[serial]);
    }
    assert_int_equal(received->records, count - missing_count);
}

static void gives_back_what_was_put(void **state)
{
    struct fixture *fixture = *state;
    for (uint32_t serial = 0; serial < 100; serial++)
        put(&fixture->log, serial);
    /* Nothing is full yet. */
    assert_int_equal(ft_log_drain(&fixture->log, receive, &fixture->received), 0);
    assert_int_equal(fixture->received.records, 0);
    assert_int_equal(ft_log_drain_all(&fixture->log, receive, &fixture->received), 0);
    assert_received(&fixture->received, 100, NULL, 0);
    assert_int_equal(ft_log_lost(&fixture->log), 0);
    assert_int_equal(fixture->log.torn, 0);
}

static int keep_one(void *context, const struct ft_record *records, size_t size_bytes)
{
    assert_in_range(size_bytes, 1, FT_RECORD_MAX_BYTES);
    memcpy(context, records, size_bytes);
    return 0;
}

static void cuts_paths_at_their_limit(void **state)
{
    struct fixture *fixture = *state;
    static char large[2 * FT_BASE_MAX], out[FT_RECORD_MAX_BYTES];
    const struct ft_record head = head_of(1), *record = (const struct ft_record *)(void *)out;
    memset(large, 'l', sizeof(large));
    ft_log_put(&fixture->log, &head, large, sizeof(large), large, sizeof(large));
    assert_int_equal(ft_log_drain_all(&fixture->log, keep_one, out), 0);
    assert_int_equal(record->base_bytes, FT_BASE_MAX);
    assert_int_equal(record->path_bytes, FT_PATH_MAX);
}

/** Chunks are emptied and used again: ten times what the log holds goes through it. */
static void is_used_again(void **state)
{
    struct fixture *fixture = *state;
    uint32_t serial = 0;
    for (int round = 0; round < 20; round++) {
        for (uint32_t i = 0; i < RECORDS_A_LOG / 20 && serial < SERIAL_MAX; i++)
            append(fixture->log.head, serial++);
        assert_int_equal(ft_log_drain(&fixture->log, receive, &fixture->received), 0);
    }
    for (; serial < SERIAL_MAX; serial++) {
        append(fixture->log.head, serial);
        if (serial % (RECORDS_A_LOG / 2) == 0)
            assert_int_equal(ft_log_drain(&fixture->log, receive, &fixture->received), 0);
    }
    assert_int_equal(ft_log_drain_all(&fixture->log, receive, &fixture->received), 0);
    assert_received(&fixture->received, SERIAL_MAX, NULL, 0);
    assert_int_equal(ft_log_lost(&fixture->log), 0);
    assert_int_equal(fixture->log.torn, 0);
}

/** While the tracer keeps up, the same few pages carry everything. */
static void stays_in_few_chunks(void **state)
{
    struct fixture *fixture = *state;
    for (uint32_t serial = 0; serial < SERIAL_MAX / 10; serial++) {
        append(fixture->log.head, serial);
        if (serial % RECORDS_A_CHUNK)
            continue;
        for (size_t i = 0; i < FT_CURSOR_COUNT; i++)
            assert_in_range(fixture->log.head->cursors[i].place >> 32, 0, 3);
        assert_int_equal(ft_log_drain(&fixture->log, receive, &fixture->received), 0);
    }
    assert_int_equal(ft_log_drain_all(&fixture->log, receive, &fixture->received), 0);
    assert_received(&fixture->received, SERIAL_MAX / 10, NULL, 0);
}

static int count_records(void *context, const struct ft_record *records, size_t size_bytes)
{
    size_t offset = 0;
    uint64_t torn = 0;
    while (ft_record_next((const char *)records, size_bytes, &offset, &torn))
        ++*(size_t *)context;
    return 0;
}

/** A record that is larger than what a small chunk is filled with has one for itself. */
static void holds_large_records_between_small_ones(void **state)
{
    struct fixture *fixture = *state;
    static char large[FT_BASE_MAX];
    const struct ft_record head = head_of(1);
    size_t count = 0;
    memset(large, 'l', sizeof(large));
    for (uint32_t i = 0; i < 100; i++) {
        put(&fixture->log, i);
        ft_log_put(&fixture->log, &head, large, sizeof(large), large, FT_PATH_MAX);
        assert_int_equal(ft_log_drain(&fixture->log, count_records, &count), 0);
    }
    assert_int_equal(ft_log_drain_all(&fixture->log, count_records, &count), 0);
    assert_int_equal(count, 200);
    assert_int_equal(ft_log_lost(&fixture->log), 0);
    assert_int_equal(fixture->log.torn, 0);
}

static void counts_what_finds_no_room(void **state)
{
    struct fixture *fixture = *state;
    for (uint32_t serial = 0; serial < RECORDS_A_LOG + 1000; serial++)
        append(fixture->log.head, serial);
    assert_int_equal(ft_log_lost(&fixture->log), 1000);
    /* One of them has waited; nobody else does until there is a sign of life. */
    assert_int_equal(fixture->log.head->full_waits, FT_LOG_WAITS);
    assert_int_equal(ft_log_drain(&fixture->log, receive, &fixture->received), 0);
    assert_received(&fixture->received, RECORDS_A_LOG, NULL, 0);
    /* And goes on where there is room again. */
    append(fixture->log.head, RECORDS_A_LOG);
    assert_int_equal(ft_log_drain_all(&fixture->log, receive, &fixture->received), 0);
    assert_received(&fixture->received, RECORDS_A_LOG + 1, NULL, 0);
}

static void passes_on_what_the_sink_says(void **state)
{
    struct fixture *fixture = *state;
    for (uint32_t serial = 0; serial < 3 * RECORDS_A_CHUNK; serial++)
        append(fixture->log.head, serial);
    fixture->received.status = -ENOSPC;
    assert_int_equal(ft_log_drain(&fixture->log, receive, &fixture->received), -ENOSPC);
    assert_int_equal(ft_log_drain_all(&fixture->log, receive, &fixture->received), -ENOSPC);
}

/* Writers at once. */

struct writer {
    struct ft_log *log;
    uint32_t first, count;
};

static void write_all(const struct writer *writer)
{
    for (uint32_t i = 0; i < writer->count; i++)
        put(writer->log, writer->first + i);
}

static void *thread_writes(void *argument)
{
    write_all(argument);
    return NULL;
}

#define WRITERS 4
#define EACH 200000u

static unsigned writers_left;

static void *thread_counts_down(void *argument)
{
    thread_writes(argument);
    __atomic_fetch_sub(&writers_left, 1, __ATOMIC_RELEASE);
    return NULL;
}

/** A tracer that is slow and not dead: longer than a writer waits for one without a pulse. */
static void waits_while_the_tracer_lives(void **state)
{
    struct fixture *fixture = *state;
    struct ft_log_head *head = fixture->log.head;
    struct writer writer = {&fixture->log, RECORDS_A_LOG, 1};
    pthread_t thread;

    for (uint32_t serial = 0; serial < RECORDS_A_LOG; serial++)
        append(head, serial);
    assert_int_equal(pthread_create(&thread, NULL, thread_writes, &writer), 0);
    while (ATOMIC_LOAD(&head->full_waits) < FT_LOG_WAITS + 10 && !ft_log_lost(&fixture->log)) {
        ATOMIC_STORE(&head->beat, head->beat + 1);
        sched_yield();
    }
    assert_int_equal(ft_log_lost(&fixture->log), 0);
    assert_int_equal(ft_log_drain(&fixture->log, receive, &fixture->received), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(ft_log_lost(&fixture->log), 0);
    assert_int_equal(ft_log_drain_all(&fixture->log, receive, &fixture->received), 0);
    assert_received(&fixture->received, RECORDS_A_LOG + 1, NULL, 0);
}

/** More than the log holds, from threads on all processors, drained meanwhile. */
static void loses_nothing_of_threads(void **state)
{
    struct fixture *fixture = *state;
    struct writer writers[WRITERS];
    pthread_t threads[WRITERS];
    assert_true(WRITERS * EACH > RECORDS_A_LOG);
    assert_int_equal(sched_setaffinity(0, sizeof(fixture->processors), &fixture->processors), 0);
    writers_left = WRITERS;
    for (uint32_t i = 0; i < WRITERS; i++) {
        writers[i] = (struct writer){&fixture->log, i * EACH, EACH};
        assert_int_equal(pthread_create(&threads[i], NULL, thread_counts_down, &writers[i]), 0);
    }
    while (__atomic_load_n(&writers_left, __ATOMIC_ACQUIRE)) {
        assert_int_equal(ft_log_drain(&fixture->log, receive, &fixture->received), 0);
        (void)sched_yield();
    }
    for (size_t i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(ft_log_drain_all(&fixture->log, receive, &fixture->received), 0);
    assert_received(&fixture->received, WRITERS * EACH, NULL, 0);
    assert_int_equal(ft_log_lost(&fixture->log), 0);
    assert_int_equal(fixture->log.torn, 0);
}

/** The same from processes, each a fork that writes while its parent and its child do. */
static void loses_nothing_of_forks(void **state)
{
    struct fixture *fixture = *state;
    pid_t children[WRITERS];
    assert_int_equal(sched_setaffinity(0, sizeof(fixture->processors), &fixture->processors), 0);
    for (uint32_t i = 0; i < WRITERS; i++) {
        const struct writer writer = {&fixture->log, i * EACH, EACH};
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) {
            write_all(&writer);
            _exit(0);
        }
    }
    for (size_t left = WRITERS; left;) {
        int status;
        assert_int_equal(ft_log_drain(&fixture->log, receive, &fixture->received), 0);
        if (waitpid(-1, &status, WNOHANG) > 0) {
            assert_int_equal(status, 0);
            left--;
        }
        (void)sched_yield();
    }
    assert_int_equal(ft_log_drain_all(&fixture->log, receive, &fixture->received), 0);
    assert_received(&fixture->received, WRITERS * EACH, NULL, 0);
    assert_int_equal(ft_log_lost(&fixture->log), 0);
    assert_int_equal(fixture->log.torn, 0);
}

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

static void knows_who_is_still_attached(void **state)
{
    struct fixture *fixture = *state;
    char name[64];
    assert_int_equal(ft_log_attached(&fixture->log), FT_ATTACHED_NOBODY);
    /* As a watched process does: through /proc, and the descriptor is closed at once. */
    (void)snprintf(name, sizeof(name), "/proc/self/fd/%d", fixture->log.fd);
    int fd = open(name, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    void *map = mmap(NULL, FT_LOG_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    assert_ptr_not_equal(map, MAP_FAILED);
    assert_int_equal(ft_log_attached(&fixture->log), FT_ATTACHED_SOMEBODY);
    assert_int_equal(munmap(map, FT_LOG_BYTES), 0);
    assert_int_equal(ft_log_attached(&fixture->log), FT_ATTACHED_NOBODY);
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

/** The tracer itself writes at such a place, in its own memory. */
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(gives_back_what_was_put),
        TEST(cuts_paths_at_their_limit),
        TEST(is_used_again),
        TEST(stays_in_few_chunks),
        TEST(holds_large_records_between_small_ones),
        TEST(counts_what_finds_no_room),
        TEST(passes_on_what_the_sink_says),
        TEST(waits_while_the_tracer_lives),
        TEST(loses_nothing_of_threads),
        TEST(loses_nothing_of_forks),
        TEST(takes_torn_records_out),
        TEST(counts_a_torn_record_at_the_end),
        TEST(counts_a_hole_at_the_end),
        TEST(drains_around_a_torn_chunk),
        TEST(reads_a_chunk_that_was_only_claimed),
        TEST(knows_who_is_still_attached),
        TEST(survives_a_forged_length),
        TEST(passes_on_what_nobody_can_change),
        TEST(survives_a_forged_cursor),
        TEST(survives_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
