/* SPDX-License-Identifier: MIT */
/* Puts Mach-O files of one processor each into a universal one, as lipo(1) does, which only macOS
 * has. */
#include "mach.h"

#define ALIGN_BITS 14u /* pages of 16 KiB, which Apple's processors want */
#define MAX_FILES 8

static void put_big(FILE *out, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        putc((int)(value >> shift & 0xff), out);
}

static uint64_t aligned(uint64_t offset)
{
    uint64_t mask = (UINT64_C(1) << ALIGN_BITS) - 1;
    return (offset + mask) & ~mask;
}

int main(int argc, char **argv)
{
    struct bytes files[MAX_FILES];
    int count = argc - 2;
    if (count < 1 || count > MAX_FILES) {
        fputs("usage: universal OUT FILE...\n", stderr);
        return 2;
    }
    FILE *out = fopen(argv[1], "wb");
    if (!out)
        give_up(argv[1], "cannot be written");
    put_big(out, FAT_MAGIC);
    put_big(out, (uint32_t)count);
    uint64_t offset = aligned(8 + 20 * (uint64_t)count);
    for (int i = 0; i < count; i++) {
        files[i] = read_file(argv[i + 2]);
        if (little_32(files[i], 0) != MACHO_MAGIC)
            give_up(argv[i + 2], "no Mach-O file of one processor");
        for (int k = 0; k < i; k++)
            if (little_32(files[k], 4) == little_32(files[i], 4))
                give_up(argv[i + 2], "another file is for the same processor");
        put_big(out, little_32(files[i], 4));
        put_big(out, little_32(files[i], 8));
        put_big(out, (uint32_t)offset);
        put_big(out, (uint32_t)files[i].size_bytes);
        put_big(out, ALIGN_BITS);
        offset = aligned(offset + files[i].size_bytes);
    }
    for (int i = 0; i < count; i++) {
        for (long end = ftell(out), start = (long)aligned((uint64_t)end); end < start; end++)
            putc(0, out);
        fwrite(files[i].data, 1, files[i].size_bytes, out);
        free((void *)(uintptr_t)files[i].data);
    }
    if (ferror(out) || fclose(out))
        give_up(argv[1], "cannot be written");
    return 0;
}
