/* SPDX-License-Identifier: MIT */
/* What a Mach-O file says of itself. */
#include "tracer/macos/macho.h"

#define FAT_MAGIC 0xcafebabeu /* big endian, as all of a fat header */
#define FAT_MAGIC_64 0xcafebabfu
#define MACHO_MAGIC_64 0xfeedfacfu

#define CPU_TYPE_X86_64 0x01000007u
#define CPU_TYPE_ARM64 0x0100000cu
#define CPU_SUBTYPE_MASK 0x00ffffffu
#define CPU_SUBTYPE_ARM64E 2u

#define FILE_TYPE_EXECUTE 2u
#define COMMAND_SEGMENT_64 0x19u
#define COMMAND_LOAD_DYLINKER 0xeu
#define COMMAND_CODE_SIGNATURE 0x1du

#define HEADER_BYTES 32u
#define SEGMENT_BYTES 72u
#define SECTION_BYTES 80u

/* A signature is a list of blobs; all numbers are big endian. */
#define SIGNATURE_MAGIC 0xfade0cc0u
#define DIRECTORY_MAGIC 0xfade0c02u
#define ENTITLEMENTS_MAGIC 0xfade7171u
#define DIRECTORY_PLATFORM_AT 38u /* one byte */
#define DIRECTORY_FLAGS_AT 12u

/* More than any file has; beyond it the rest is not looked at, and `cpu` is 0. */
#define MAX_SLICES 64u
#define MAX_COMMANDS 4096u
#define MAX_BLOBS 64u
#define MAX_SECTIONS 256u
#define MAX_ENTITLEMENTS_BYTES (256u << 10)

#define WINDOW_BYTES 1024u

struct file {
    ft_image_read *read;
    void *context;
    uint64_t slice_offset;
    uint64_t window_offset; /* the part of the file that was read last */
    size_t window_bytes;
    unsigned char window[WINDOW_BYTES];
};

/** @size_bytes (at most a window) from @offset of the file. @return NULL when they are not all
 * there */
static const unsigned char *bytes_at(struct file *file, uint64_t offset, size_t size_bytes)
{
    if (offset < file->window_offset || offset - file->window_offset > file->window_bytes ||
        size_bytes > file->window_bytes - (size_t)(offset - file->window_offset)) {
        long n = file->read(file->context, file->window, WINDOW_BYTES, offset);
        file->window_offset = offset;
        file->window_bytes = n > 0 && n <= (long)WINDOW_BYTES ? (size_t)n : 0;
    }
    size_t skip = (size_t)(offset - file->window_offset);
    return size_bytes <= file->window_bytes - skip ? file->window + skip : NULL;
}

static uint32_t little(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static uint32_t big(const unsigned char *bytes)
{
    return (uint32_t)bytes[3] | (uint32_t)bytes[2] << 8 | (uint32_t)bytes[1] << 16 |
           (uint32_t)bytes[0] << 24;
}

static uint64_t big_64(const unsigned char *bytes)
{
    return (uint64_t)big(bytes) << 32 | big(bytes + 4);
}

static unsigned cpu_of(uint32_t type, uint32_t subtype)
{
    if (type == CPU_TYPE_X86_64)
        return FT_CPU_X86_64;
    if (type != CPU_TYPE_ARM64)
        return FT_CPU_OTHER;
    return (subtype & CPU_SUBTYPE_MASK) == CPU_SUBTYPE_ARM64E ? FT_CPU_ARM64E : FT_CPU_ARM64;
}

/** How much the kernel wants a slice; 0: not at all. */
static unsigned rank(unsigned cpu, unsigned own)
{
    static const struct {
        unsigned char x86_64, arm64, arm64e;
    } ranks[] = {{1, 2, 3}, {3, 1, 2}};
    bool intel = own == FT_CPU_X86_64;
    switch (cpu) {
    case FT_CPU_X86_64:
        return ranks[intel].x86_64;
    case FT_CPU_ARM64:
        return ranks[intel].arm64;
    case FT_CPU_ARM64E:
        return ranks[intel].arm64e;
    default:
        return 0;
    }
}

/** Find the slice that runs, and set file->slice_offset. */
static void choose_slice(struct file *file, unsigned own, struct ft_macho *out)
{
    const unsigned char *head = bytes_at(file, 0, 8);
    if (!head)
        return;
    if (little(head) == MACHO_MAGIC_64) {
        const unsigned char *thin = bytes_at(file, 0, HEADER_BYTES);
        if (!thin)
            return;
        out->cpus = cpu_of(little(thin + 4), little(thin + 8));
        out->cpu = rank(out->cpus, own) ? out->cpus : 0;
        return;
    }
    bool wide = big(head) == FAT_MAGIC_64;
    uint32_t count = big(head + 4);
    /* A class file of Java begins alike; its "count" is a version number, of 45 and more. */
    if ((big(head) != FAT_MAGIC && !wide) || count > MAX_SLICES)
        return;
    for (uint32_t i = 0; i < count; i++) {
        size_t entry_bytes = wide ? 32 : 20;
        const unsigned char *entry = bytes_at(file, 8 + i * entry_bytes, entry_bytes);
        if (!entry)
            return;
        unsigned cpu = cpu_of(big(entry), big(entry + 4));
        out->cpus |= cpu;
        if (rank(cpu, own) > rank(out->cpu, own)) {
            out->cpu = cpu;
            file->slice_offset = wide ? big_64(entry + 8) : big(entry + 8);
        }
    }
}

/** Is the name, of at most 16 bytes with zeros behind, this one? */
static bool is_name(const unsigned char *bytes, const char *name)
{
    for (unsigned i = 0; i < 16; i++) {
        if (bytes[i] != (unsigned char)*name)
            return false;
        if (!*name)
            return true;
        name++;
    }
    return !*name;
}

/** The section of this name, in a segment of that name, is what dyld looks for. */
static bool has_restrict_section(struct file *file, uint64_t offset, uint32_t size_bytes)
{
    const unsigned char *segment = bytes_at(file, offset, SEGMENT_BYTES);
    if (!segment || size_bytes < SEGMENT_BYTES || !is_name(segment + 8, "__RESTRICT"))
        return false;
    uint32_t count = little(segment + 64);
    uint32_t room = (size_bytes - SEGMENT_BYTES) / SECTION_BYTES;
    for (uint32_t i = 0; i < count && i < room && i < MAX_SECTIONS; i++) {
        const unsigned char *section =
            bytes_at(file, offset + SEGMENT_BYTES + (uint64_t)i * SECTION_BYTES, 16);
        if (section && is_name(section, "__restrict"))
            return true;
    }
    return false;
}

static uint32_t text_length(const char *text)
{
    uint32_t n = 0;
    while (text[n])
        n++;
    return n;
}

/** The text at @offset, within @end? */
static bool text_at(struct file *file, uint64_t offset, uint64_t end, const char *text)
{
    uint32_t length = text_length(text);
    if (offset > end || length > end - offset)
        return false;
    const unsigned char *bytes = bytes_at(file, offset, length);
    for (uint32_t i = 0; bytes && i < length; i++)
        if (bytes[i] != (unsigned char)text[i])
            return false;
    return bytes != NULL;
}

/** Does the property list say <key>KEY</key> and then <true/>? */
static bool is_entitled(struct file *file, uint64_t offset, uint64_t end, const char *key)
{
    for (; offset < end; offset++) {
        const unsigned char *first = bytes_at(file, offset, 1);
        if (!first)
            return false;
        if (*first != '>' || !text_at(file, offset + 1, end, key))
            continue;
        uint64_t at = offset + 1 + text_length(key);
        if (!text_at(file, at, end, "</key>"))
            continue;
        for (at += 6; at < end; at++) {
            first = bytes_at(file, at, 1);
            if (!first || (*first != ' ' && *first != '\t' && *first != '\n' && *first != '\r'))
                break;
        }
        if (text_at(file, at, end, "<true/>"))
            return true;
    }
    return false;
}

static void read_entitlements(struct file *file, uint64_t offset, uint32_t size_bytes,
                              struct ft_macho *out)
{
    if (size_bytes < 8 || size_bytes > MAX_ENTITLEMENTS_BYTES)
        return;
    uint64_t end = offset + size_bytes;
    out->allows_variables = is_entitled(file, offset + 8, end,
                                        "com.apple.security.cs.allow-dyld-environment-variables");
    out->allows_libraries =
        is_entitled(file, offset + 8, end, "com.apple.security.cs.disable-library-validation");
}

/** @return false when it makes no sense */
static bool read_signature(struct file *file, uint64_t offset, uint64_t size_bytes,
                           struct ft_macho *out)
{
    const unsigned char *head = bytes_at(file, offset, 12);
    if (!head || size_bytes < 12 || big(head) != SIGNATURE_MAGIC)
        return false;
    uint32_t count = big(head + 8);
    if (count > MAX_BLOBS)
        return false;
    bool has_directory = false;
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *entry = bytes_at(file, offset + 12 + (uint64_t)i * 8, 8);
        if (!entry)
            return false;
        uint32_t at = big(entry + 4);
        const unsigned char *blob = bytes_at(file, offset + at, 8);
        if (!blob || at > size_bytes)
            return false;
        uint32_t magic = big(blob), blob_bytes = big(blob + 4);
        if (magic == DIRECTORY_MAGIC) {
            /* There is one for each kind of hash; their flags agree, else the strictest counts. */
            blob = bytes_at(file, offset + at, DIRECTORY_PLATFORM_AT + 1);
            if (!blob || blob_bytes < DIRECTORY_PLATFORM_AT + 1)
                return false;
            out->code_flags |= big(blob + DIRECTORY_FLAGS_AT);
            out->is_platform |= blob[DIRECTORY_PLATFORM_AT] != 0;
            has_directory = true;
        } else if (magic == ENTITLEMENTS_MAGIC && blob_bytes <= size_bytes - at) {
            read_entitlements(file, offset + at, blob_bytes, out);
        }
    }
    return has_directory;
}

/** @return false when the commands make no sense */
static bool read_commands(struct file *file, struct ft_macho *out)
{
    uint64_t offset = file->slice_offset;
    const unsigned char *head = bytes_at(file, offset, HEADER_BYTES);
    if (!head || little(head) != MACHO_MAGIC_64 ||
        cpu_of(little(head + 4), little(head + 8)) != out->cpu)
        return false;
    out->is_program = little(head + 12) == FILE_TYPE_EXECUTE;
    uint32_t count = little(head + 16), left = little(head + 20);
    if (count > MAX_COMMANDS)
        return false;
    offset += HEADER_BYTES;
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *command = bytes_at(file, offset, 16);
        if (!command || left < 8)
            return false;
        uint32_t kind = little(command), size_bytes = little(command + 4);
        if (size_bytes < 8 || size_bytes > left)
            return false;
        if (kind == COMMAND_LOAD_DYLINKER)
            out->has_loader = true;
        if (kind == COMMAND_SEGMENT_64)
            out->restrict_section |= has_restrict_section(file, offset, size_bytes);
        if (kind == COMMAND_CODE_SIGNATURE &&
            (size_bytes < 16 || !read_signature(file, file->slice_offset + little(command + 8),
                                                little(command + 12), out)))
            return false;
        offset += size_bytes;
        left -= size_bytes;
    }
    return true;
}

void ft_macho_inspect(ft_image_read *read, void *context, unsigned own, struct ft_macho *out)
{
    struct file file; /* its window needs no zeros */

    file.read = read;
    file.context = context;
    file.slice_offset = 0;
    file.window_offset = 0;
    file.window_bytes = 0;
    *out = (struct ft_macho){0};
    choose_slice(&file, own, out);
    if (out->cpu && !read_commands(&file, out))
        out->cpu = 0;
}
