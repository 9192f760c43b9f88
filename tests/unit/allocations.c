/* SPDX-License-Identifier: MIT */
/* Each allocation of some work fails once, in turn. */
#include "tests/unit/allocations.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <cmocka.h>

static size_t allocations_left = SIZE_MAX;
static size_t blocks; /* allocated and not freed */

void *__real_malloc(size_t size_bytes);
void *__real_calloc(size_t count, size_t size_bytes);
void *__real_realloc(void *data, size_t size_bytes);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size_bytes);
void __real_free(void *data);
void *__wrap_malloc(size_t size_bytes);
void *__wrap_calloc(size_t count, size_t size_bytes);
void *__wrap_realloc(void *data, size_t size_bytes);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size_bytes);
void __wrap_free(void *data);

static bool refused(void)
{
    if (!allocations_left) {
        errno = ENOMEM;
        return true;
    }
    if (allocations_left != SIZE_MAX)
        allocations_left--;
    return false;
}

static void *counted(void *data)
{
    blocks += data != NULL;
    return data;
}

void *__wrap_malloc(size_t size_bytes)
{
    return refused() ? NULL : counted(__real_malloc(size_bytes));
}

void *__wrap_calloc(size_t count, size_t size_bytes)
{
    return refused() ? NULL : counted(__real_calloc(count, size_bytes));
}

void *__wrap_realloc(void *data, size_t size_bytes)
{
    if (refused())
        return NULL;
    void *moved = __real_realloc(data, size_bytes);
    return data ? moved : counted(moved);
}

char *__wrap_strdup(const char *text)
{
    return refused() ? NULL : counted(__real_strdup(text));
}

char *__wrap_strndup(const char *text, size_t size_bytes)
{
    return refused() ? NULL : counted(__real_strndup(text, size_bytes));
}

void __wrap_free(void *data)
{
    blocks -= data != NULL;
    __real_free(data);
}

void *allocations_malloc(size_t size_bytes)
{
    return __wrap_malloc(size_bytes);
}

void allocations_free(void *data)
{
    __wrap_free(data);
}

static void fail_each(const struct allocating *row)
{
    for (size_t n = 0;; n++) {
        size_t before = blocks;
        allocations_left = n;
        int ret = row->work();
        bool enough = allocations_left > 0 || ret == 0;
        allocations_left = SIZE_MAX;
        if (blocks != before)
            fail_msg("%s: with %zu allocations %zd blocks were left", row->name, n,
                     (ssize_t)(blocks - before));
        if (ret == 0) {
            assert_true(n >= row->least);
            return;
        }
        assert_false(enough);
        if (ret != -ENOMEM && !(row->parses && (ret == -EPROTO || ret == -EINVAL)))
            fail_msg("%s: with %zu allocations: %d instead of -ENOMEM", row->name, n, ret);
    }
}

void allocations_check_failure(int ret, const struct err *err, const void *out, size_t size_bytes)
{
    static const char zero[4096];

    assert_true(size_bytes <= sizeof(zero));
    if (ret) {
        assert_int_equal(err->code, ret);
        assert_memory_equal(out, zero, size_bytes);
    }
}

void allocations_fail_each(const struct allocating *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        print_message("%s\n", rows[i].name);
        fail_each(&rows[i]);
    }
}
