/* SPDX-License-Identifier: MIT */
/* Files of macOS in memory, for the checks of what is built for it. */
#ifndef TESTS_MACOS_MACH_H
#define TESTS_MACOS_MACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU_ARM64 0x0100000cu
#define CPU_X86_64 0x01000007u
#define MACHO_MAGIC 0xfeedfacfu
#define FAT_MAGIC 0xcafebabeu

/** Bytes that are looked at with their bounds checked: what does not fit ends the program. */
struct bytes {
    const unsigned char *data;
    size_t size_bytes;
};

_Noreturn static inline void give_up(const char *name, const char *why)
{
    fprintf(stderr, "%s: %s\n", name, why);
    exit(1);
}

static inline const unsigned char *at(struct bytes bytes, uint64_t offset, uint64_t size_bytes)
{
    if (offset > bytes.size_bytes || size_bytes > bytes.size_bytes - offset)
        give_up("Mach-O file", "cut short");
    return bytes.data + offset;
}

static inline uint32_t little_32(struct bytes bytes, uint64_t offset)
{
    const unsigned char *b = at(bytes, offset, 4);
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline uint64_t little_64(struct bytes bytes, uint64_t offset)
{
    return little_32(bytes, offset) | (uint64_t)little_32(bytes, offset + 4) << 32;
}

static inline uint32_t big_32(struct bytes bytes, uint64_t offset)
{
    return __builtin_bswap32(little_32(bytes, offset));
}

/** A whole file; its bytes are the caller's to free(). */
static inline struct bytes read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        give_up(path, "cannot be read");
    long size_bytes = ftell(file);
    rewind(file);
    unsigned char *data = size_bytes > 0 ? malloc((size_t)size_bytes) : NULL;
    if (!data || fread(data, 1, (size_t)size_bytes, file) != (size_t)size_bytes)
        give_up(path, "cannot be read");
    fclose(file); /* read only: nothing can be lost */
    return (struct bytes){data, (size_t)size_bytes};
}

#endif
