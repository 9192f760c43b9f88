/* SPDX-License-Identifier: MIT */
/* A buffer with a limit, whose first failure sticks. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/buf.h"

/* The linker sends the buffer's realloc here (--wrap). */
static size_t allocations_left = SIZE_MAX;
void *__real_realloc(void *data, size_t size_bytes);
void *__wrap_realloc(void *data, size_t size_bytes);
void *__wrap_realloc(void *data, size_t size_bytes)
{
    if (!allocations_left)
        return NULL;
    if (allocations_left != SIZE_MAX)
        allocations_left--;
    return __real_realloc(data, size_bytes);
}

static void starts_empty(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf, 10);
    assert_null(buf.data);
    assert_int_equal(buf_status(&buf), 0);
    assert_int_equal(buf_append(&buf, NULL, 0), 0);
    assert_string_equal(buf.data, "");
    buf_fini(&buf);
    buf_fini(&buf);

    struct buf zeroed = {0};
    assert_int_equal(buf_puts(&zeroed, ""), 0);
    assert_int_equal(buf_puts(&zeroed, "x"), -EFBIG);
    buf_fini(&zeroed);

    char *text = NULL;
    buf_init(&buf, 10);
    text = buf_take(&buf);
    assert_string_equal(text, "");
    free(text);
}

static void holds_exactly_its_limit(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf, 5);
    assert_int_equal(buf_puts(&buf, "abc"), 0);
    assert_int_equal(buf_puts(&buf, "de"), 0);
    assert_int_equal(buf_append(&buf, "", 0), 0);
    assert_int_equal(buf_puts(&buf, "f"), -EFBIG);
    assert_string_equal(buf.data, "abcde"); /* all or nothing */
    /* The failure sticks although there would be room for nothing. */
    assert_int_equal(buf_append(&buf, "", 0), -EFBIG);
    assert_int_equal(buf_printf(&buf, "x"), -EFBIG);
    assert_int_equal(buf_status(&buf), -EFBIG);
    assert_null(buf_take(&buf));
    buf_clear(&buf);
    assert_int_equal(buf_status(&buf), 0);
    assert_int_equal(buf_printf(&buf, "%d", 12345), 0);
    assert_string_equal(buf.data, "12345");
    assert_int_equal(buf_printf(&buf, "%s", ""), 0);
    buf_fini(&buf);
    assert_int_equal(buf.limit_bytes, 5);
}

static void grows_and_keeps_its_bytes(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf, SIZE_MAX);
    for (unsigned i = 0; i < 20000; i++)
        assert_int_equal(buf_printf(&buf, "%05u", i), 0);
    assert_int_equal(buf.size_bytes, 100000);
    assert_int_equal(strlen(buf.data), 100000);
    assert_memory_equal(buf.data + (size_t)5 * 12345, "12345", 5);
    buf_truncate(&buf, 200000);
    assert_int_equal(buf.size_bytes, 100000);
    buf_truncate(&buf, 7);
    assert_string_equal(buf.data, "0000000");
    char *taken = buf_take(&buf);
    assert_string_equal(taken, "0000000");
    assert_null(buf.data);
    assert_int_equal(buf.size_bytes, 0);
    free(taken);
    buf_fini(&buf);
}

static void holds_any_byte(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf, 100);
    assert_int_equal(buf_append(&buf, "a\0b", 3), 0);
    assert_int_equal(buf.size_bytes, 3);
    assert_memory_equal(buf.data, "a\0b", 4);
    buf_fini(&buf);
}

static void survives_each_failed_allocation(void **state)
{
    (void)state;
    for (size_t n = 0; n < 4; n++) {
        struct buf buf;
        buf_init(&buf, SIZE_MAX);
        allocations_left = n;
        size_t good = 0;
        while (!buf_append(&buf, "0123456789", 10))
            good++;
        allocations_left = SIZE_MAX;
        assert_int_equal(buf_status(&buf), -ENOMEM);
        /* 256 bytes first, doubled each time; one is the NUL. */
        assert_int_equal(good, n ? ((256u << (n - 1)) - 1) / 10 : 0);
        assert_int_equal(buf.size_bytes, 10 * good);
        assert_null(buf_take(&buf));
        buf_clear(&buf);
        assert_int_equal(buf_puts(&buf, "again"), 0);
        assert_string_equal(buf.data, "again");
        buf_fini(&buf);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_empty),
        cmocka_unit_test(holds_exactly_its_limit),
        cmocka_unit_test(grows_and_keeps_its_bytes),
        cmocka_unit_test(holds_any_byte),
        cmocka_unit_test(survives_each_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
