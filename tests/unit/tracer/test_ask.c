/* SPDX-License-Identifier: MIT */
/* What comes through the tracer's pipe on Windows is believed only where it is what we would say.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/compiler.h"
#include "tracer/windows/ask.h"

#define NONCE UINT64_C(0xfedcba9876543210)

static const struct ft_ask good = {FT_ASK_MAGIC, NONCE, 0x1c4, 0x1c8};

/** Kept apart from anything else, so that a sanitizer sees a byte too far. */
static int read_ask(const void *bytes, size_t size_bytes, struct ft_ask *out)
{
    void *copy = malloc(size_bytes ? size_bytes : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size_bytes);
    memset(out, 0xa5, sizeof(*out));
    int ret = ft_ask_read(copy, size_bytes, NONCE, out);
    free(copy);
    static const struct ft_ask none;
    if (ret)
        assert_memory_equal(out, &none, sizeof(none));
    return ret;
}

static void takes_what_we_say(void **state)
{
    struct ft_ask out;
    (void)state;
    assert_int_equal(read_ask(&good, sizeof(good), &out), 0);
    assert_memory_equal(&out, &good, sizeof(good));
}

static void refuses_other_lengths(void **state)
{
    char longer[sizeof(good) + 8] = {0};
    struct ft_ask out;
    (void)state;
    memcpy(longer, &good, sizeof(good));
    for (size_t size_bytes = 0; size_bytes <= sizeof(longer); size_bytes++) {
        if (size_bytes != sizeof(good))
            assert_int_equal(read_ask(longer, size_bytes, &out), -EPROTO);
    }
}

static void refuses_each_changed_bit_of_its_head(void **state)
{
    (void)state;
    for (size_t bit = 0; bit < offsetof(struct ft_ask, process) * 8; bit++) {
        unsigned char bytes[sizeof(good)];
        struct ft_ask out;
        memcpy(bytes, &good, sizeof(good));
        bytes[bit / 8] = (unsigned char)(bytes[bit / 8] ^ 1u << bit % 8);
        assert_int_equal(read_ask(bytes, sizeof(bytes), &out),
                         bit < offsetof(struct ft_ask, nonce) * 8 ? -EPROTO : -EACCES);
    }
}

static void refuses_what_is_no_handle(void **state)
{
    /* None; odd ones; what stands for the caller's process, thread and tokens, 64 and 32 bits
     * wide; no number of the kernel's. */
    static const uint64_t values[] = {0,
                                      1,
                                      0x1c6,
                                      UINT64_MAX,
                                      UINT64_MAX - 1,
                                      UINT64_MAX - 3,
                                      UINT64_MAX - 5,
                                      0xffffffff,
                                      0xfffffffe,
                                      0xfffffffc,
                                      0x80000000,
                                      UINT64_C(0x1000001c4)};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        struct ft_ask ask = good, out;
        ask.process = values[i];
        assert_int_equal(read_ask(&ask, sizeof(ask), &out), -EBADF);
        ask = good;
        ask.thread = values[i];
        assert_int_equal(read_ask(&ask, sizeof(ask), &out), -EBADF);
    }
    struct ft_ask same = good, out;
    same.thread = same.process;
    assert_int_equal(read_ask(&same, sizeof(same), &out), -EBADF);
}

static void believes_no_strange_answer(void **state)
{
    (void)state;
    for (uint64_t entry = 0; entry < FT_ENTRY_COUNT; entry++) {
        struct ft_answer answer = {FT_ANSWER_MAGIC, entry};
        assert_int_equal(ft_answer_read(&answer, sizeof(answer)), entry);
        assert_int_equal(ft_answer_read(&answer, sizeof(answer) - 1), FT_ENTRY_FAILED);
        assert_int_equal(ft_answer_read(&answer, 0), FT_ENTRY_FAILED);
        answer.magic++;
        assert_int_equal(ft_answer_read(&answer, sizeof(answer)), FT_ENTRY_FAILED);
    }
    static const uint64_t strange[] = {FT_ENTRY_COUNT, UINT64_C(1) << 32, UINT64_MAX};
    for (size_t i = 0; i < ARRAY_LEN(strange); i++) {
        struct ft_answer answer = {FT_ANSWER_MAGIC, strange[i]};
        assert_int_equal(ft_answer_read(&answer, sizeof(answer)), FT_ENTRY_FAILED);
    }
}

static void names_the_pipe(void **state)
{
    static const char expected[] = "\\\\.\\pipe\\filetrace-0123456789abcdef";
    uint16_t name[FT_PIPE_NAME_UNITS];
    (void)state;
    ft_pipe_name(UINT64_C(0x0123456789abcdef), name);
    for (size_t i = 0; i < sizeof(expected); i++)
        assert_int_equal(name[i], expected[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_what_we_say),
        cmocka_unit_test(refuses_other_lengths),
        cmocka_unit_test(refuses_each_changed_bit_of_its_head),
        cmocka_unit_test(refuses_what_is_no_handle),
        cmocka_unit_test(believes_no_strange_answer),
        cmocka_unit_test(names_the_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
