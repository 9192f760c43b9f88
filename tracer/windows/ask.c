/* SPDX-License-Identifier: MIT */
/* What a 32-bit program and the tracer say to each other. */
#include "tracer/windows/ask.h"

#include <errno.h>
#include <stdbool.h>

/** One of the kernel's handles, which are multiples of 4 and small. The others stand for the
 * caller itself, its thread or its rights, and would mean the tracer's own where it uses them. */
static bool is_handle(uint64_t value)
{
    return value && value % 4 == 0 && value < UINT64_C(0x80000000);
}

int ft_ask_read(const void *bytes, size_t size_bytes, uint64_t nonce, struct ft_ask *out)
{
    *out = (struct ft_ask){0};
    if (size_bytes != sizeof(*out))
        return -EPROTO;
    struct ft_ask ask;
    COPY_FIXED(&ask, bytes, sizeof(ask));
    if (ask.magic != FT_ASK_MAGIC)
        return -EPROTO;
    if (ask.nonce != nonce)
        return -EACCES;
    if (!is_handle(ask.process) || !is_handle(ask.thread) || ask.process == ask.thread)
        return -EBADF;
    *out = ask;
    return 0;
}

enum ft_entry ft_answer_read(const void *bytes, size_t size_bytes)
{
    struct ft_answer answer;
    if (size_bytes != sizeof(answer))
        return FT_ENTRY_FAILED;
    COPY_FIXED(&answer, bytes, sizeof(answer));
    return answer.magic == FT_ANSWER_MAGIC && answer.entry < FT_ENTRY_COUNT
               ? (enum ft_entry)answer.entry
               : FT_ENTRY_FAILED;
}

void ft_pipe_name(uint64_t pipe, uint16_t out[FT_PIPE_NAME_UNITS])
{
    static const char start[] = "\\\\.\\pipe\\filetrace-", digits[] = "0123456789abcdef";
    uint32_t n = 0;
    _Static_assert(sizeof(start) + 16 <= FT_PIPE_NAME_UNITS, "the name fits");
    for (; start[n]; n++)
        out[n] = (uint16_t)start[n];
    for (unsigned shift = 64; shift; shift -= 4)
        out[n++] = (uint16_t)digits[pipe >> (shift - 4) & 15u];
    out[n] = 0;
}
