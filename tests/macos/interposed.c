/* SPDX-License-Identifier: MIT */
/*
 * What a library for macOS interposes: for each slice and entry of the section __DATA,__interpose
 * one line, "arm64 _open". Fails when an entry is not a pointer of ours that dyld moves with the
 * library and an import. Knows dyld's compressed tables (LC_DYLD_INFO_ONLY), which the linker of
 * make check-macos writes.
 */
#include "mach.h"

#define MAX_SEGMENTS 16u
#define MAX_ENTRIES 4096u

/** One slice, and what was found in it. */
struct slice {
    const char *path, *cpu;
    struct bytes bytes;
    uint64_t segment_address[MAX_SEGMENTS];
    size_t segments;
    uint64_t section_address, section_bytes;
    uint32_t rebase_offset, rebase_bytes, bind_offset, bind_bytes;
    const char *names[MAX_ENTRIES]; /* imports, by entry */
    bool moved[MAX_ENTRIES];        /* ours, by entry */
};

static void read_segment(struct slice *slice, uint64_t command)
{
    if (slice->segments == MAX_SEGMENTS)
        give_up(slice->path, "too many segments");
    slice->segment_address[slice->segments++] = little_64(slice->bytes, command + 24);
    uint32_t count = little_32(slice->bytes, command + 64);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t section = command + 72 + (uint64_t)i * 80;
        const char *names = (const char *)at(slice->bytes, section, 80);
        if (strncmp(names, "__interpose", 16) != 0 || strncmp(names + 16, "__DATA", 16) != 0)
            continue;
        slice->section_address = little_64(slice->bytes, section + 32);
        slice->section_bytes = little_64(slice->bytes, section + 40);
    }
}

static void read_commands(struct slice *slice)
{
    uint32_t count = little_32(slice->bytes, 16);
    uint64_t command = 32;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = little_32(slice->bytes, command);
        if (kind == 0x19)
            read_segment(slice, command);
        if (kind == 0x80000022) {
            slice->rebase_offset = little_32(slice->bytes, command + 8);
            slice->rebase_bytes = little_32(slice->bytes, command + 12);
            slice->bind_offset = little_32(slice->bytes, command + 16);
            slice->bind_bytes = little_32(slice->bytes, command + 20);
        }
        command += little_32(slice->bytes, command + 4);
    }
}

/** A number of 7 bits a byte. */
static uint64_t take_number(struct bytes table, uint64_t *offset)
{
    uint64_t value = 0;
    unsigned shift = 0;
    for (unsigned char byte = 0x80; byte & 0x80; shift += 7) {
        byte = *at(table, (*offset)++, 1);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
    }
    return value;
}

/** The place of the section that @address is: entry * 16 + byte; or -1. */
static int64_t place(const struct slice *slice, uint64_t address)
{
    uint64_t offset = address - slice->section_address;
    return offset < slice->section_bytes && offset / 16 < MAX_ENTRIES ? (int64_t)offset : -1;
}

static void bind(struct slice *slice, uint64_t address, const char *name)
{
    int64_t offset = place(slice, address);
    if (offset >= 0 && offset % 16 == 8)
        slice->names[offset / 16] = name;
}

static uint64_t segment(const struct slice *slice, unsigned index)
{
    if (index >= slice->segments)
        give_up(slice->path, "a table names a segment that is not there");
    return slice->segment_address[index];
}

/** dyld's own little language: <mach-o/loader.h>, BIND_OPCODE_*. */
static void read_binds(struct slice *slice)
{
    struct bytes table = {at(slice->bytes, slice->bind_offset, slice->bind_bytes),
                          slice->bind_bytes};
    const char *name = "";
    uint64_t address = 0;

    for (uint64_t offset = 0; offset < table.size_bytes;) {
        unsigned char byte = *at(table, offset++, 1);
        unsigned small = byte & 0x0f;
        uint64_t count, skip;
        switch (byte & 0xf0) {
        case 0x20: /* which library */
        case 0x60: /* what to add */
            (void)take_number(table, &offset);
            break;
        case 0x40:
            name = (const char *)at(table, offset, 1);
            offset += strnlen(name, table.size_bytes - offset) + 1;
            break;
        case 0x70:
            address = segment(slice, small) + take_number(table, &offset);
            break;
        case 0x80:
            address += take_number(table, &offset);
            break;
        case 0x90:
        case 0xa0:
        case 0xb0:
            bind(slice, address, name);
            address += 8;
            if ((byte & 0xf0) == 0xa0)
                address += take_number(table, &offset);
            else if ((byte & 0xf0) == 0xb0)
                address += 8 * (uint64_t)small;
            break;
        case 0xc0:
            count = take_number(table, &offset);
            skip = take_number(table, &offset);
            for (; count; count--, address += 8 + skip)
                bind(slice, address, name);
            break;
        default:
            break;
        }
    }
}

static void rebase(struct slice *slice, uint64_t *address, uint64_t count, uint64_t skip)
{
    for (; count; count--, *address += 8 + skip) {
        int64_t offset = place(slice, *address);
        if (offset >= 0 && offset % 16 == 0)
            slice->moved[offset / 16] = true;
    }
}

/** The same for pointers of ours: REBASE_OPCODE_*. */
static void read_rebases(struct slice *slice)
{
    struct bytes table = {at(slice->bytes, slice->rebase_offset, slice->rebase_bytes),
                          slice->rebase_bytes};
    uint64_t address = 0;

    for (uint64_t offset = 0; offset < table.size_bytes;) {
        unsigned char byte = *at(table, offset++, 1);
        unsigned small = byte & 0x0f;
        uint64_t count;
        switch (byte & 0xf0) {
        case 0x20:
            address = segment(slice, small) + take_number(table, &offset);
            break;
        case 0x30:
            address += take_number(table, &offset);
            break;
        case 0x40:
            address += 8 * (uint64_t)small;
            break;
        case 0x50:
            rebase(slice, &address, small, 0);
            break;
        case 0x60:
            rebase(slice, &address, take_number(table, &offset), 0);
            break;
        case 0x70:
            rebase(slice, &address, 1, take_number(table, &offset));
            break;
        case 0x80:
            count = take_number(table, &offset);
            rebase(slice, &address, count, take_number(table, &offset));
            break;
        default:
            break;
        }
    }
}

static void show_slice(const char *path, struct bytes bytes)
{
    struct slice *slice = calloc(1, sizeof(*slice));
    if (!slice || little_32(bytes, 0) != MACHO_MAGIC)
        give_up(path, "no Mach-O file of 64 bits");
    slice->path = path;
    slice->bytes = bytes;
    slice->cpu = little_32(bytes, 4) == CPU_ARM64 ? "arm64" : "x86_64";
    read_commands(slice);
    if (!slice->section_bytes)
        give_up(path, "there is no section __DATA,__interpose: was it linked without "
                      "-Wl,--no-gc-sections?");
    read_binds(slice);
    read_rebases(slice);
    for (uint64_t i = 0; i < slice->section_bytes / 16; i++) {
        if (i >= MAX_ENTRIES || !slice->names[i] || !slice->moved[i])
            give_up(path, "an entry of __interpose is not a function of ours and an import");
        printf("%s %s\n", slice->cpu, slice->names[i]);
    }
    free(slice);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: interposed LIBRARY\n", stderr);
        return 2;
    }
    struct bytes file = read_file(argv[1]);
    if (big_32(file, 0) != FAT_MAGIC) {
        show_slice(argv[1], file);
    } else {
        uint32_t count = big_32(file, 4);
        for (uint32_t i = 0; i < count; i++) {
            uint64_t offset = big_32(file, 8 + i * 20 + 8),
                     size_bytes = big_32(file, 8 + i * 20 + 12);
            show_slice(argv[1], (struct bytes){at(file, offset, size_bytes), size_bytes});
        }
    }
    free((void *)(uintptr_t)file.data);
    return fflush(stdout) || ferror(stdout);
}
