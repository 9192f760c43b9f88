/* SPDX-License-Identifier: MIT */
/* Repeats are known within bounds, and nothing new is taken for a repeat. */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tracer/seen.h"

/* The linker sends the memory's allocations here (--wrap), so that its bound can be seen. */
static size_t held_bytes, held_most_bytes;
static bool memory_is_short;
void *__real_calloc(size_t count, size_t size_bytes);
void *__wrap_calloc(size_t count, size_t size_bytes);
void *__real_malloc(size_t size_bytes);
void *__wrap_malloc(size_t size_bytes);
void __real_free(void *data);
void __wrap_free(void *data);

static void *held(void *data)
{
    if (data)
        held_bytes += malloc_usable_size(data);
    if (held_bytes > held_most_bytes)
        held_most_bytes = held_bytes;
    return data;
}

void *__wrap_calloc(size_t count, size_t size_bytes)
{
    return held(__real_calloc(count, size_bytes));
}

void *__wrap_malloc(size_t size_bytes)
{
    return memory_is_short ? NULL : held(__real_malloc(size_bytes));
}

void __wrap_free(void *data)
{
    if (data)
        held_bytes -= malloc_usable_size(data);
    __real_free(data);
}

static const struct ft_access one = {
    .pid = 7, .op = "openat", .access = FT_READ, .error = 0, .path = "/a", .path_bytes = 2};

static struct ft_seen *seen_new(void)
{
    struct ft_seen *seen;
    assert_int_equal(ft_seen_new(&seen), 0);
    return seen;
}

static void knows_repeats(void **state)
{
    (void)state;
    struct ft_seen *seen = seen_new();
    char path[] = "/a", op[] = "openat";
    struct ft_access same = one;
    same.path = path; /* the same bytes elsewhere */
    same.op = op;
    assert_false(ft_seen_before(seen, &one));
    assert_true(ft_seen_before(seen, &one));
    assert_true(ft_seen_before(seen, &same));
    ft_seen_free(seen);
    ft_seen_free(NULL);
}

static void tells_every_field_apart(void **state)
{
    (void)state;
    struct ft_seen *seen = seen_new();
    struct ft_access other[6] = {one, one, one, one, one, one};
    other[0].pid = 8;
    other[1].op = "open";
    other[2].access = FT_READ | FT_WRITE;
    other[3].error = 2;
    other[4].path = "/b";
    other[5].path_bytes = 1;
    assert_false(ft_seen_before(seen, &one));
    for (size_t i = 0; i < 6; i++)
        assert_false(ft_seen_before(seen, &other[i]));
    ft_seen_free(seen);
}

static void stays_within_its_bound(void **state)
{
    (void)state;
    enum { COUNT = 40000, PATH_BYTES = 4000 };
    static char path[PATH_BYTES + 1];
    struct ft_access access = one;

    held_bytes = held_most_bytes = 0;
    struct ft_seen *seen = seen_new();
    memset(path, 'x', PATH_BYTES);
    access.path = path;
    access.path_bytes = PATH_BYTES;
    /* 160 MB of distinct names: each a first occurrence, which is never taken for a repeat. */
    for (int i = 0; i < COUNT; i++) {
        (void)snprintf(path, sizeof(path), "/%08d", i);
        path[9] = '/';
        if (ft_seen_before(seen, &access))
            fail_msg("name %d was never asked for before", i);
    }
    assert_true(held_most_bytes > 16u << 20);
    assert_true(held_most_bytes < 36u << 20); /* 32 MiB and malloc's own rounding */
    ft_seen_free(seen);
    assert_int_equal(held_bytes, 0);
}

static void forgets_rather_than_errs(void **state)
{
    (void)state;
    struct ft_seen *seen = seen_new();
    memory_is_short = true;
    bool first = ft_seen_before(seen, &one), second = ft_seen_before(seen, &one);
    memory_is_short = false;
    assert_false(first);
    assert_false(second);
    assert_false(ft_seen_before(seen, &one));
    assert_true(ft_seen_before(seen, &one));
    ft_seen_free(seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_repeats),
        cmocka_unit_test(tells_every_field_apart),
        cmocka_unit_test(stays_within_its_bound),
        cmocka_unit_test(forgets_rather_than_errs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
