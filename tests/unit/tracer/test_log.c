/* SPDX-License-Identifier: MIT */
/* The shared log: nothing is lost unseen. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/tracer/log_fixture.h"

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
        TEST(knows_who_is_still_attached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
