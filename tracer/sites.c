/* SPDX-License-Identifier: MIT */
/* The places in a program's code where system calls on paths are made. */
#include "tracer/sites.h"

#include <string.h>

#include "tracer/x86_decode.h"

#define SYSCALL_BYTES 2u
/* Decoding begins at each of so many neighbouring bytes, so far before the instruction that
 * wrong beginnings have fallen into step long before it. */
#define STARTS FT_X86_MAX_BYTES
#define RUN_UP_BYTES 64u
#define INSTRUCTIONS_MAX 180u /* of one byte each, as far back as is looked */
#define NUMBER_LOOKBACK 10u
/* How far jumps into the middle of a site are looked for; compilers keep a function's parts near.
 */
#define JUMPS_NEAR_BYTES (512u << 10)
#define NEAR_BYTES 160u

/** The code that is looked through. */
struct text {
    const unsigned char *code;
    size_t size_bytes;
};

/** The instructions that lead up to a place: where each begins. */
struct path {
    size_t starts[INSTRUCTIONS_MAX];
    size_t count;
};

/** Decode from @from until @to. @return true when an instruction begins right at @to */
static bool leads_to(const struct text *text, size_t from, size_t to, struct path *out)
{
    size_t at = from;
    out->count = 0;
    while (at < to) {
        struct ft_x86 instruction;
        if (out->count == INSTRUCTIONS_MAX ||
            !ft_x86_decode(text->code + at, text->size_bytes - at, &instruction))
            return false;
        out->starts[out->count++] = at;
        at += instruction.size_bytes;
    }
    return at == to;
}

/** Could a decoding from @from be one that a processor makes: does it come by @to at all? */
static bool comes_by(const struct text *text, size_t from, size_t to, size_t *out)
{
    size_t at = from;
    while (at < to) {
        struct ft_x86 instruction;
        if (!ft_x86_decode(text->code + at, text->size_bytes - at, &instruction))
            return false;
        at += instruction.size_bytes;
    }
    *out = at;
    return true;
}

/**
 * Decode the code before @syscall from fifteen neighbouring bytes, of which one begins an
 * instruction. All that get through must agree that one begins at @window and at @syscall.
 */
static bool is_agreed(const struct text *text, size_t window, size_t syscall)
{
    size_t first = syscall < RUN_UP_BYTES + STARTS ? 0 : syscall - RUN_UP_BYTES - STARTS;
    unsigned agreed = 0;
    for (size_t from = first; from < first + STARTS && from < window; from++) {
        size_t at;
        if (!comes_by(text, from, window, &at))
            continue;
        if (at != window || !comes_by(text, at, syscall, &at) || at != syscall)
            return false;
        agreed++;
    }
    return agreed > 0;
}

static uint32_t word_at(const unsigned char *code)
{
    uint32_t word;
    memcpy(&word, code, sizeof(word));
    return word;
}

enum knowledge { NUMBER_UNKNOWN, NUMBER_KNOWN };

/** The number that the instructions before a call load, if they do so plainly. */
static enum knowledge find_number(const struct text *text, const struct path *path, uint32_t *out)
{
    for (size_t i = 0; i < path->count && i < NUMBER_LOOKBACK; i++) {
        const unsigned char *code = text->code + path->starts[path->count - 1 - i];
        struct ft_x86 instruction;
        if (!ft_x86_decode(code, FT_X86_MAX_BYTES, &instruction) || instruction.control)
            return NUMBER_UNKNOWN;
        if (code[0] == 0xb8) { /* mov $NUMBER, %eax */
            *out = word_at(code + 1);
            return NUMBER_KNOWN;
        }
        if (code[0] == 0x48 && code[1] == 0xc7 && code[2] == 0xc0) { /* mov $NUMBER, %rax */
            *out = word_at(code + 3);
            return NUMBER_KNOWN;
        }
        if ((code[0] == 0x31 || code[0] == 0x33) && code[1] == 0xc0) { /* xor %eax, %eax */
            *out = 0;
            return NUMBER_KNOWN;
        }
        const unsigned char *op = code + ((code[0] & 0xf0) == 0x40);
        bool to_rax = (op[0] == 0x89 && (op[1] & 0xc7) == 0xc0) || /* mov REGISTER, %eax */
                      (op[0] == 0x8b && (op[1] & 0x38) == 0);      /* mov PLACE, %eax */
        if (to_rax)
            return NUMBER_UNKNOWN;
    }
    return NUMBER_UNKNOWN;
}

/**
 * musl and newer glibc ask in a signal's handler whether it interrupted a cancellation point,
 * by its address; a call made elsewhere would not be cancelled. Both have the same code:
 * mov %r11, 8(%rsp); syscall; ret.
 */
static bool is_cancellation_point(const struct text *text, size_t syscall)
{
    static const unsigned char before[] = {0x4c, 0x89, 0x5c, 0x24, 0x08};
    return syscall >= sizeof(before) &&
           !memcmp(text->code + syscall - sizeof(before), before, sizeof(before));
}

/** endbr64 marks where an indirect jump may go. */
static bool is_landing_pad(const unsigned char *code)
{
    return word_at(code) == 0xfa1e0ff3u;
}

/** The whole instructions before the call that make room for a jump. @return 0: there are none */
static size_t window_bytes(const struct text *text, const struct path *path, size_t syscall)
{
    for (size_t i = path->count; i-- > 0;) {
        size_t start = path->starts[i];
        struct ft_x86 instruction;
        if (!ft_x86_decode(text->code + start, text->size_bytes - start, &instruction) ||
            instruction.control || instruction.rip_relative)
            return 0;
        if (syscall - start >= FT_JUMP_BYTES)
            return syscall - start <= FT_SITE_MAX_BYTES ? syscall - start : 0;
        if (is_landing_pad(text->code + start))
            return 0; /* between moved ones */
    }
    return 0;
}

/** Does a relative jump of any kind near by, decoded in step, go to between the bounds? */
static bool near_jump_into(const struct text *text, size_t window, size_t syscall)
{
    size_t at = syscall, end = syscall + NEAR_BYTES;
    struct ft_x86 instruction;
    struct path path;
    bool decoded = false;
    /* Behind, from the call on; before, along an agreed path. */
    while (at < end && at < text->size_bytes &&
           ft_x86_decode(text->code + at, text->size_bytes - at, &instruction)) {
        int64_t target = (int64_t)at + instruction.target;
        if (instruction.has_target && target > (int64_t)window && target < (int64_t)syscall)
            return true;
        at += instruction.size_bytes;
    }
    size_t first = window < NEAR_BYTES ? 0 : window - NEAR_BYTES;
    for (size_t from = first; from < first + STARTS && from < window; from++) {
        if (!leads_to(text, from, window, &path))
            continue;
        decoded = true;
        for (size_t i = 0; i < path.count; i++) {
            size_t start = path.starts[i];
            (void)ft_x86_decode(text->code + start, text->size_bytes - start, &instruction);
            int64_t target = (int64_t)start + instruction.target;
            if (instruction.has_target && target > (int64_t)window && target < (int64_t)syscall)
                return true;
        }
    }
    return !decoded; /* what is before cannot be told */
}

/** A site, and whether code might jump between what is moved. */
static bool is_within(const struct ft_site *site, uint64_t target)
{
    return target > site->address && target < site->address + site->size_bytes;
}

/** Is it several instructions? Into one nobody jumps. */
static bool is_several(const struct ft_site *site)
{
    struct ft_x86 instruction;
    return !ft_x86_decode(site->bytes, site->size_bytes, &instruction) ||
           instruction.size_bytes != site->size_bytes;
}

/** Leave out the sites whose moved instructions the jump at @target goes between. */
static void drop_target(struct ft_site *sites, size_t count, uint64_t target)
{
    size_t low = 0, high = count;
    while (low < high) { /* the last one that does not begin behind the target */
        size_t middle = low + (high - low) / 2;
        if (sites[middle].address <= target)
            low = middle + 1;
        else
            high = middle;
    }
    if (low && is_within(&sites[low - 1], target) && is_several(&sites[low - 1]))
        sites[low - 1].size_bytes = 0;
}

/**
 * Far jumps: any four bytes behind what may be the opcode of a jump or call may be its offset.
 * Sure, and rarely wrong. Addresses are those within the text.
 */
static size_t drop_jumped_into(const struct text *text, struct ft_site *sites, size_t count)
{
    size_t kept = 0, end = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_several(&sites[i]))
            continue;
        size_t place = (size_t)sites[i].address;
        size_t first = place < JUMPS_NEAR_BYTES ? 0 : place - JUMPS_NEAR_BYTES;
        size_t at = first > end ? first : end; /* not what was looked through for the one before */
        end = text->size_bytes - place < JUMPS_NEAR_BYTES ? text->size_bytes
                                                          : place + JUMPS_NEAR_BYTES;
        for (; at + 6 <= end; at++) {
            const unsigned char *code = text->code + at;
            size_t lead = code[0] == 0x0f && (code[1] & 0xf0) == 0x80 ? 2 : 1;
            if (lead == 1 && (code[0] & 0xfe) != 0xe8)
                continue;
            int32_t offset = (int32_t)word_at(code + lead);
            drop_target(sites, count, at + lead + 4 + (uint64_t)(int64_t)offset);
        }
    }
    for (size_t i = 0; i < count; i++)
        if (sites[i].size_bytes)
            sites[kept++] = sites[i];
    return kept;
}

/** @return true when the call at @syscall is a site, which is written to @out */
static bool take_site(const struct text *text, size_t syscall, ft_site_wanted *wanted,
                      struct ft_site *out)
{
    size_t first = syscall < RUN_UP_BYTES + STARTS ? 0 : syscall - RUN_UP_BYTES - STARTS;
    struct path path;
    uint32_t number;
    size_t from = first;

    while (from < first + STARTS && from < syscall && !leads_to(text, from, syscall, &path))
        from++;
    if (from == first + STARTS || from >= syscall || is_cancellation_point(text, syscall))
        return false;
    if (find_number(text, &path, &number) == NUMBER_KNOWN && !wanted(number))
        return false;
    size_t bytes = window_bytes(text, &path, syscall);
    if (!bytes)
        return false;
    size_t window = syscall - bytes;
    if (!is_agreed(text, window, syscall))
        return false;
    out->address = window;
    out->size_bytes = (uint8_t)bytes;
    memcpy(out->bytes, text->code + window, bytes);
    return !is_several(out) || !near_jump_into(text, window, syscall);
}

size_t ft_sites_find(const unsigned char *code, size_t size_bytes, uint64_t address,
                     ft_site_wanted *wanted, struct ft_site *out, size_t max)
{
    const struct text text = {code, size_bytes};
    const unsigned char *end = code + size_bytes, *at = code;
    size_t count = 0;

    while (count < max && at + SYSCALL_BYTES < end &&
           (at = memchr(at + 1, 0x05, (size_t)(end - at - 1)))) {
        /* Behind a real call there is never a zero byte (add %al, (%rax)). */
        if (at[-1] != 0x0f || at + 1 >= end || at[1] == 0)
            continue;
        if (take_site(&text, (size_t)(at - 1 - code), wanted, &out[count]))
            count++;
    }
    count = drop_jumped_into(&text, out, count);
    for (size_t i = 0; i < count; i++)
        out[i].address += address;
    return count;
}

bool ft_jump_write(uint64_t from, uint64_t to, unsigned char *out)
{
    int64_t offset = (int64_t)(to - (from + FT_JUMP_BYTES));
    int32_t narrow = (int32_t)offset;
    if (narrow != offset)
        return false;
    out[0] = 0xe9;
    memcpy(out + 1, &narrow, sizeof(narrow));
    return true;
}

/** A stub being written. */
struct writer {
    unsigned char *out;
    size_t count;
};

static void put(struct writer *writer, const void *bytes, size_t size_bytes)
{
    memcpy(writer->out + writer->count, bytes, size_bytes);
    writer->count += size_bytes;
}

size_t ft_stub_write(const struct ft_site *site, uint64_t stub, uint32_t hook, unsigned char *out)
{
    static const unsigned char below_red_zone[] = {0x48, 0x8d, 0x64, 0x24,
                                                   0x80};   /* lea -128(%rsp), %rsp */
    static const unsigned char call[] = {0xff, 0x14, 0x25}; /* call *HOOK */
    static const unsigned char back[] = {0x48, 0x8d, 0xa4, 0x24,
                                         0x80, 0,    0,    0}; /* lea 128(%rsp), %rsp */
    static const unsigned char done[] = {0x73, FT_JUMP_BYTES}; /* jnc over a jump */
    unsigned char jump[FT_JUMP_BYTES];
    struct writer writer = {out, 0};
    uint64_t syscall = site->address + site->size_bytes;

    put(&writer, site->bytes, site->size_bytes);
    put(&writer, below_red_zone, sizeof(below_red_zone));
    put(&writer, call, sizeof(call));
    put(&writer, &hook, sizeof(hook));
    put(&writer, back, sizeof(back)); /* leaves the flags alone */
    put(&writer, done, sizeof(done));
    if (!ft_jump_write(stub + writer.count, syscall, jump))
        return 0;
    put(&writer, jump, sizeof(jump));
    if (!ft_jump_write(stub + writer.count, syscall + SYSCALL_BYTES, jump))
        return 0;
    put(&writer, jump, sizeof(jump));
    return writer.count;
}
