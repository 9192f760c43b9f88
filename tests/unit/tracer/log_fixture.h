/* SPDX-License-Identifier: MIT */
/* What tests of the shared log share: a log for each of them, and a sink that counts what came. */
#ifndef TESTS_UNIT_TRACER_LOG_FIXTURE_H
#define TESTS_UNIT_TRACER_LOG_FIXTURE_H

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "common/compiler.h"
#include "tracer/log.h"
#include "tracer/linux/cpu.h"
#include "tracer/log_write.h"

/* A test's own writers do not wait for room: the log is full when it is full. */
static inline void ft_log_wait(void)
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

static inline int receive(void *context, const struct ft_record *records, size_t size_bytes)
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

static inline int set_up(void **state)
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

static inline int tear_down(void **state)
{
    struct fixture *fixture = *state;
    free(fixture->received.times);
    ft_log_close(&fixture->log);
    ft_log_close(&fixture->log);
    return sched_setaffinity(0, sizeof(fixture->processors), &fixture->processors);
}

static inline struct ft_record head_of(uint32_t serial)
{
    return (struct ft_record){.pid = serial, .op = (uint16_t)serial, .kind = FT_KIND_ACCESS};
}

static inline void put(struct ft_log *log, uint32_t serial)
{
    const struct ft_record head = head_of(serial);
    ft_log_put(log, &head, base, sizeof(base) - 1, path, sizeof(path) - 1);
}

/** As a watched process does it: without waiting, in this test. */
static inline void append(struct ft_log_head *log, uint32_t serial)
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
static inline void assert_received(const struct received *received, uint32_t count,
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
