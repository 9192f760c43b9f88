/* SPDX-License-Identifier: MIT */
/* The first code of ours that a static program runs. */
#include "tracer/linux/bootstrap.h"

#include <asm/unistd.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "tracer/linux/payload.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

#define FAILS_MAX 8

struct writer {
    unsigned char *out;
    size_t count;
    size_t fails[FAILS_MAX]; /* offsets of jumps to the end */
    size_t fails_count;
};

static void put(struct writer *writer, const void *bytes, size_t size_bytes)
{
    memcpy(writer->out + writer->count, bytes, size_bytes);
    writer->count += size_bytes;
}

#define PUT(writer, ...)                                                                           \
    put(writer, (const unsigned char[]){__VA_ARGS__}, sizeof((const unsigned char[]){__VA_ARGS__}))

static void put_word(struct writer *writer, uint32_t word)
{
    put(writer, &word, sizeof(word));
}

static void put_system_call(struct writer *writer, uint32_t number)
{
    PUT(writer, 0xb8); /* mov $NUMBER, %eax */
    put_word(writer, number);
    PUT(writer, 0x0f, 0x05);
}

/** A call that returns an address or a negative number: go to the end in that case. */
static void put_check(struct writer *writer)
{
    PUT(writer, 0x48, 0x3d, 0x01, 0xf0, 0xff, 0xff); /* cmp $-4095, %rax */
    PUT(writer, 0x0f, 0x83);                         /* jae END */
    writer->fails[writer->fails_count++] = writer->count;
    put_word(writer, 0);
}

struct mapping {
    uint64_t address;
    uint32_t size_bytes, protection, flags, offset;
    int fd;
};

static void put_map(struct writer *writer, const struct mapping *map)
{
    PUT(writer, 0x48, 0xbf); /* mov $ADDRESS, %rdi */
    put(writer, &map->address, sizeof(map->address));
    PUT(writer, 0xbe); /* mov $SIZE, %esi */
    put_word(writer, map->size_bytes);
    PUT(writer, 0xba); /* mov $PROTECTION, %edx */
    put_word(writer, map->protection);
    PUT(writer, 0x41, 0xba); /* mov $FLAGS, %r10d */
    put_word(writer, map->flags);
    PUT(writer, 0x41, 0xb8); /* mov $FD, %r8d */
    put_word(writer, (uint32_t)map->fd);
    PUT(writer, 0x41, 0xb9); /* mov $OFFSET, %r9d */
    put_word(writer, map->offset);
    put_system_call(writer, __NR_mmap);
    put_check(writer);
}

static void put_wipe(struct writer *writer)
{
    PUT(writer, 0xbf); /* mov $ADDRESS, %edi */
    put_word(writer, FT_PAYLOAD_WIPED);
    PUT(writer, 0xbe);
    put_word(writer, FT_PAYLOAD_DATA_BYTES - FT_PAYLOAD_PAGE_BYTES);
    PUT(writer, 0xba);
    put_word(writer, MADV_WIPEONFORK);
    put_system_call(writer, __NR_madvise);
    put_check(writer);
}

static void put_close(struct writer *writer, int fd)
{
    PUT(writer, 0xbf); /* mov $FD, %edi */
    put_word(writer, (uint32_t)fd);
    put_system_call(writer, __NR_close);
}

/** Room for what the tracer will write, read and executed. */
static void put_code(struct writer *writer, const struct ft_bootstrap *bootstrap)
{
    bool movable = bootstrap->slot->is_movable;
    uint32_t stubs_bytes = (uint32_t)bootstrap->slot->stubs_bytes;
    struct mapping code = {
        .address = FT_PAYLOAD_BASE,
        .size_bytes = FT_PAYLOAD_TEXT_BYTES + (movable ? 0 : stubs_bytes),
        .protection = PROT_READ | PROT_EXEC,
        .flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
        .fd = -1,
    };
    put_map(writer, &code);
    if (!movable)
        return;
    code.address = bootstrap->stubs;
    code.size_bytes = stubs_bytes;
    put_map(writer, &code);
}

/** The part of the log that all use, and perhaps all of it. */
static void put_log(struct writer *writer, const struct ft_bootstrap *bootstrap)
{
    struct mapping log = {
        .address = FT_PAYLOAD_LOG,
        .size_bytes = FT_PAYLOAD_LOG_BYTES,
        .protection = PROT_READ | PROT_WRITE,
        .flags = MAP_SHARED | MAP_FIXED_NOREPLACE,
        .fd = bootstrap->log,
    };
    put_map(writer, &log);
    if (!bootstrap->maps_all)
        return;
    log.address = 0;
    log.size_bytes = (uint32_t)FT_LOG_BYTES;
    log.flags = MAP_SHARED;
    put_map(writer, &log);
    PUT(writer, 0x48, 0x89, 0x04, 0x25); /* mov %rax, DATA->log */
    put_word(writer, FT_PAYLOAD_DATA + (uint32_t)offsetof(struct ft_payload_data, log));
}

static void put_mappings(struct writer *writer, const struct ft_bootstrap *bootstrap)
{
    const struct mapping data = {
        .address = FT_PAYLOAD_DATA,
        .size_bytes = FT_PAYLOAD_DATA_BYTES,
        .protection = PROT_READ | PROT_WRITE,
        .flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
        .fd = -1,
    };
    put_code(writer, bootstrap);
    put_map(writer, &data);
    put_wipe(writer);
    put_log(writer, bootstrap);
    PUT(writer, 0xc7, 0x04, 0x25); /* movl $1, WIPED->is_mapped */
    put_word(writer, FT_PAYLOAD_WIPED + (uint32_t)offsetof(struct ft_payload_wiped, is_mapped));
    put_word(writer, 1);
}

static void put_jump_offset(struct writer *writer, size_t place, int64_t offset)
{
    int32_t narrow = (int32_t)offset;
    memcpy(writer->out + place, &narrow, sizeof(narrow));
}

size_t ft_bootstrap_write(const struct ft_bootstrap *bootstrap, uint64_t address,
                          unsigned char *out)
{
    struct writer writer = {.out = out};

    PUT(&writer, 0x48, 0x8d, 0x64, 0x24, 0x80); /* lea -128(%rsp), %rsp: the red zone */
    PUT(&writer, 0x57, 0x56, 0x52, 0x41, 0x52, 0x41, 0x50, 0x41, 0x51); /* push all but rax */
    put_mappings(&writer, bootstrap);
    for (size_t i = 0; i < writer.fails_count; i++)
        put_jump_offset(&writer, writer.fails[i], (int64_t)(writer.count - writer.fails[i] - 4));
    put_close(&writer, bootstrap->log);
    PUT(&writer, 0x41, 0x59, 0x41, 0x58, 0x41, 0x5a, 0x5a, 0x5e, 0x5f); /* pop them */
    PUT(&writer, 0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0);                /* lea 128(%rsp), %rsp */
    PUT(&writer, 0xb8);
    put_word(&writer, __NR_arch_prctl);
    PUT(&writer, 0xe9); /* jmp AGAIN */
    put_word(&writer, (uint32_t)(bootstrap->again - (address + writer.count + 4)));
    return writer.count;
}
