/* SPDX-License-Identifier: MIT */
/* The shapes of a system call's entry in ntdll, and what to write over one. */
#include "tracer/windows/stub.h"

#include <stdbool.h>

static bool equal(const uint8_t *a, const uint8_t *b, uint32_t count)
{
    while (count && *a == *b) {
        a++;
        b++;
        count--;
    }
    return !count;
}

static void copy(uint8_t *to, const uint8_t *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = from[i];
}

static void put(uint8_t *to, uint64_t value, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t get32(const uint8_t *from)
{
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

#define ABSOLUTE_JUMP_BYTES 14u

/** jmp [rip+0], and the address behind it. */
static void put_absolute_jump(uint8_t *to, uint64_t target)
{
    static const uint8_t jump[] = {0xff, 0x25, 0, 0, 0, 0};
    copy(to, jump, sizeof(jump));
    put(to + sizeof(jump), target, 8);
}

#define SHORT_JUMP_BYTES 5u

/** jmp rel32. @return false when that does not reach; a 32-bit address always does */
static bool put_short_jump(enum ft_stub_machine machine, uint8_t *to, uint64_t at, uint64_t target)
{
    uint64_t distance = target - (at + SHORT_JUMP_BYTES);
    if (machine == FT_STUB_X86_64 && distance + UINT64_C(0x80000000) > UINT64_C(0xffffffff))
        return false;
    to[0] = 0xe9;
    put(to + 1, distance, 4);
    return true;
}

/** Somebody's jump: theirs becomes what we call. */
static enum ft_stub_result chain(enum ft_stub_machine machine, const uint8_t *entry,
                                 uint64_t entry_address, uint64_t room_address, uint64_t hook,
                                 struct ft_stub *out)
{
    uint64_t distance = get32(entry + 1);
    uint64_t target = entry_address + SHORT_JUMP_BYTES + distance;
    if (distance & 0x80000000u)
        target -= UINT64_C(0x100000000);
    if (machine == FT_STUB_I386)
        target &= 0xffffffffu;
    out->original = target;
    out->entry_bytes = SHORT_JUMP_BYTES;
    /* No more bytes than they took: a thread may stand behind them. */
    if (machine == FT_STUB_I386)
        put_short_jump(machine, out->entry, entry_address, hook);
    else if (!put_short_jump(machine, out->entry, entry_address, room_address))
        return FT_STUB_FAR;
    else
        put_absolute_jump(out->room, hook);
    return FT_STUB_HOOKED;
}

static enum ft_stub_result make_x86_64(const uint8_t *entry, uint64_t entry_address,
                                       uint64_t room_address, uint64_t hook, struct ft_stub *out)
{
    static const uint8_t start[] = {0x4c, 0x8b, 0xd1, 0xb8};
    static const uint8_t test[] = {0xf6, 0x04, 0x25, 0x08, 0x03, 0xfe, 0x7f, 0x01};
    static const uint8_t syscall[] = {0x0f, 0x05, 0xc3};

    if (!equal(entry, start, sizeof(start)))
        return FT_STUB_UNKNOWN;
    out->original = room_address;
    out->entry_bytes = FT_STUB_LOOK_BYTES;
    if (equal(entry + 8, test, sizeof(test))) {
        /* The flags that the test sets live through the jump. */
        copy(out->room, entry, 16);
        put_absolute_jump(out->room + 16, entry_address + 16);
    } else if (equal(entry + 8, syscall, sizeof(syscall))) {
        copy(out->room, entry, 11);
    } else {
        return FT_STUB_UNKNOWN;
    }
    put_absolute_jump(out->entry, hook);
    out->entry[14] = out->entry[15] = 0xcc;
    return FT_STUB_HOOKED;
}

static enum ft_stub_result make_i386(const uint8_t *entry, uint64_t entry_address,
                                     uint64_t room_address, uint64_t hook, struct ft_stub *out)
{
    if (entry[0] != 0xb8)
        return FT_STUB_UNKNOWN;
    copy(out->room, entry, 5);
    put_short_jump(FT_STUB_I386, out->room + 5, room_address + 5, entry_address + 5);
    out->original = room_address;
    out->entry_bytes = SHORT_JUMP_BYTES;
    put_short_jump(FT_STUB_I386, out->entry, entry_address, hook);
    return FT_STUB_HOOKED;
}

static enum ft_stub_result make_aarch64(const uint8_t *entry, uint64_t entry_address,
                                        uint64_t room_address, uint64_t hook, struct ft_stub *out)
{
    if ((get32(entry) & 0xffe0001fu) != 0xd4000001u || get32(entry + 4) != 0xd65f03c0u)
        return FT_STUB_UNKNOWN;
    uint64_t relay = room_address + 16, distance = relay - entry_address;
    if (distance + 0x8000000u > 0xffffffcu)
        return FT_STUB_FAR;
    copy(out->room, entry, 8);
    put(out->room + 16, 0x58000050u, 4); /* ldr x16, .+8 */
    put(out->room + 20, 0xd61f0200u, 4); /* br x16 */
    put(out->room + 24, hook, 8);
    put(out->entry, 0x14000000u | (distance >> 2 & 0x3ffffffu), 4); /* b relay */
    out->original = room_address;
    out->entry_bytes = 4;
    return FT_STUB_HOOKED;
}

enum ft_stub_result ft_stub_make(enum ft_stub_machine machine, const uint8_t *entry,
                                 uint64_t entry_address, uint64_t room_address, uint64_t hook,
                                 struct ft_stub *out)
{
    for (uint32_t i = 0; i < FT_STUB_ROOM_BYTES; i++)
        out->room[i] = 0xcc;
    if (machine == FT_STUB_AARCH64)
        return make_aarch64(entry, entry_address, room_address, hook, out);
    if (entry[0] == 0xe9)
        return chain(machine, entry, entry_address, room_address, hook, out);
    if (machine == FT_STUB_I386)
        return make_i386(entry, entry_address, room_address, hook, out);
    return make_x86_64(entry, entry_address, room_address, hook, out);
}
