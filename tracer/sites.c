/* SPDX-License-Identifier: MIT */
/* The places in a program's code where system calls on paths are made. */
#include "tracer/sites.h"

#include <emmintrin.h>
#include <string.h>

#include "tracer/x86_decode.h"

#define SYSCALL_BYTES 2u
/* Decoding begins at each of so many neighbouring bytes, so far before the instruction that
 * wrong beginnings have fallen into step long before it. */
#define STARTS FT_X86_MAX_BYTES
#define RUN_UP_BYTES 64u
#define NUMBER_LOOKBACK 10u
#define NUMBER_MAX 1023u
#define FUTEX 202u
/* How far jumps into the middle of a site are looked for; compilers keep a function's parts near.
 */
#define JUMPS_NEAR_BYTES (512u << 10)
#define NEAR_BYTES 160u
#define LOOK_BYTES (2 * NEAR_BYTES + STARTS + FT_X86_MAX_BYTES)

/** The code that is looked through. */
struct text {
    const unsigned char *code;
    size_t size_bytes;
};

/**
 * What stands before and behind one call, decoded as it is asked for: the walks below come by
 * the same places again and again.
 */
struct look {
    const struct text *text;
    size_t first; /* of what is looked at */
    size_t syscall;
    bool known[LOOK_BYTES], refused[LOOK_BYTES];
    struct ft_x86 instructions[LOOK_BYTES];
};

static void look_init(struct look *look, const struct text *text, size_t syscall)
{
    look->text = text;
    look->syscall = syscall;
    look->first = syscall < NEAR_BYTES + STARTS ? 0 : syscall - NEAR_BYTES - STARTS;
    memset(look->known, 0, sizeof(look->known));
}

/** The instruction at @at, or NULL. */
static const struct ft_x86 *look_at(struct look *look, size_t at)
{
    size_t i = at - look->first;
    if (i >= LOOK_BYTES || at >= look->text->size_bytes)
        return NULL;
    if (!look->known[i]) {
        look->known[i] = true;
        look->refused[i] = !ft_x86_decode(look->text->code + at, look->text->size_bytes - at,
                                          &look->instructions[i]);
    }
    return look->refused[i] ? NULL : &look->instructions[i];
}

/** The instructions that lead up to a place: where each begins. */
struct path {
    size_t starts[NEAR_BYTES + STARTS]; /* of one byte each, as far back as is looked */
    size_t count;
};

/** Decode from @from until @to or past it. @return where that ends; 0: what is there is no code */
static size_t walk(struct look *look, size_t from, size_t to, struct path *out)
{
    size_t at = from;
    if (out)
        out->count = 0;
    while (at < to) {
        const struct ft_x86 *instruction = look_at(look, at);
        if (!instruction)
            return 0;
        if (out)
            out->starts[out->count++] = at;
        at += instruction->size_bytes;
    }
    return at;
}

/**
 * Decode the code before the call from fifteen neighbouring bytes, of which one begins an
 * instruction. All that get through must agree that one begins at @window and at the call.
 */
static bool is_agreed(struct look *look, size_t window)
{
    size_t syscall = look->syscall;
    size_t first = syscall < RUN_UP_BYTES + STARTS ? 0 : syscall - RUN_UP_BYTES - STARTS;
    unsigned agreed = 0;
    for (size_t from = first; from < first + STARTS && from < window; from++) {
        size_t at = walk(look, from, window, NULL);
        if (!at)
            continue;
        if (at != window || walk(look, window, syscall, NULL) != syscall)
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

/** mov $NUMBER to a register. @return the register, or -1 */
static int loaded_register(const unsigned char *code, uint32_t *number)
{
    bool wide = code[0] == 0x48 && code[1] == 0xc7 && (code[2] & 0xf8) == 0xc0;
    bool high = code[0] == 0x41 && (code[1] & 0xf8) == 0xb8;
    if (!wide && !high && (code[0] & 0xf8) != 0xb8)
        return -1;
    *number = word_at(code + (wide ? 3 : high ? 2 : 1));
    return (code[wide ? 2 : high ? 1 : 0] & 7) + (high ? 8 : 0);
}

/** mov REGISTER, %eax. @return the register, or -1 */
static int register_to_rax(const unsigned char *code)
{
    bool has_rex = (code[0] & 0xf0) == 0x40;
    const unsigned char *op = code + has_rex;
    if (op[0] != 0x89 || (op[1] & 0xc7) != 0xc0 || (has_rex && code[0] & 1))
        return -1;
    return (op[1] >> 3 & 7) + (has_rex && code[0] & 4 ? 8 : 0);
}

/** Is the second argument loaded with, or cut down to, what is no address: a private futex(2)? */
static bool is_futex(const unsigned char *code, size_t size_bytes)
{
    static const unsigned char load[] = {0xbe, 0x80, 0, 0, 0}, cut[] = {0x81, 0xe6, 0x80, 0, 0, 0};
    return (size_bytes == sizeof(load) && !memcmp(code, load, sizeof(load))) ||
           (size_bytes == sizeof(cut) && !memcmp(code, cut, sizeof(cut)));
}

/** The number that the instructions before a call load, if they do so plainly. */
static enum knowledge find_number(struct look *look, const struct path *path, uint32_t *out)
{
    int wanted = 0; /* rax, or where it has it from */
    for (size_t i = 0; i < path->count && i < NUMBER_LOOKBACK; i++) {
        size_t start = path->starts[path->count - 1 - i];
        const unsigned char *code = look->text->code + start;
        const struct ft_x86 *instruction = look_at(look, start);
        if (!instruction || instruction->control)
            return NUMBER_UNKNOWN;
        if (loaded_register(code, out) == wanted)
            return NUMBER_KNOWN;
        if (is_futex(code, instruction->size_bytes)) {
            *out = FUTEX;
            return NUMBER_KNOWN;
        }
        if (wanted)
            continue;
        if ((code[0] == 0x31 || code[0] == 0x33) && code[1] == 0xc0) { /* xor %eax, %eax */
            *out = 0;
            return NUMBER_KNOWN;
        }
        const unsigned char *op = code + ((code[0] & 0xf0) == 0x40);
        if (op[0] == 0x8b && (op[1] & 0x38) == 0) /* mov PLACE, %eax */
            return NUMBER_UNKNOWN;
        if (register_to_rax(code) > 0)
            wanted = register_to_rax(code);
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
static size_t window_bytes(struct look *look, const struct path *path)
{
    for (size_t i = path->count; i-- > 0;) {
        size_t start = path->starts[i], bytes = look->syscall - start;
        const struct ft_x86 *instruction = look_at(look, start);
        if (!instruction || instruction->control || instruction->rip_relative)
            return 0;
        if (bytes >= FT_JUMP_BYTES)
            return bytes <= FT_SITE_MAX_BYTES ? bytes : 0;
        if (is_landing_pad(look->text->code + start))
            return 0; /* between moved ones */
    }
    return 0;
}

/** Does the instruction at @at jump to between the first moved byte and the call? */
static bool jumps_into(struct look *look, size_t at, size_t window)
{
    const struct ft_x86 *instruction = look_at(look, at);
    int64_t target = instruction ? (int64_t)at + instruction->target : 0;
    return instruction && instruction->has_target && target > (int64_t)window &&
           target < (int64_t)look->syscall;
}

/** Does a relative jump of any kind near by, decoded in step, go to between the bounds? */
static bool near_jump_into(struct look *look, size_t window)
{
    struct path path;
    bool decoded = false;
    /* Behind, from the call on; before, along every way that leads there. */
    const struct ft_x86 *instruction;
    for (size_t at = look->syscall; (instruction = look_at(look, at));
         at += instruction->size_bytes)
        if (jumps_into(look, at, window))
            return true;
    size_t first = window < NEAR_BYTES ? 0 : window - NEAR_BYTES;
    if (first < look->first)
        first = look->first;
    for (size_t from = first; from < first + STARTS && from < window; from++) {
        if (walk(look, from, window, &path) != window)
            continue;
        decoded = true;
        for (size_t i = 0; i < path.count; i++)
            if (jumps_into(look, path.starts[i], window))
                return true;
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

/** Leave out the site whose moved instructions the jump to @target goes between. */
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

/** Sixteen bytes at once: which of them are this one, a bit for each? */
static unsigned equal_bytes(__m128i bytes, int byte)
{
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)byte)));
}

/** Bit i: what stands at @code + i may be the opcode of a jump or call with an offset of 32 bits.
 */
static unsigned far_jumps(const unsigned char *code)
{
    __m128i here = _mm_loadu_si128((const __m128i *)(const void *)code);
    __m128i next = _mm_loadu_si128((const __m128i *)(const void *)(code + 1));
    __m128i high = _mm_and_si128(next, _mm_set1_epi8((char)0xf0));
    return equal_bytes(_mm_and_si128(here, _mm_set1_epi8((char)0xfe)), 0xe8) |
           (equal_bytes(here, 0x0f) & equal_bytes(high, 0x80));
}

#define VECTOR_BYTES 16u
#define JUMP_MAX_BYTES 6u

/** Where the far jump at @at would go. */
static uint64_t far_target(const struct text *text, size_t at)
{
    size_t lead = text->code[at] == 0x0f ? 2 : 1;
    int32_t offset = (int32_t)word_at(text->code + at + lead);
    return at + lead + 4 + (uint64_t)(int64_t)offset;
}

/**
 * Far jumps: any four bytes behind what may be the opcode of a jump or call may be its offset.
 * Sure, and rarely wrong. Addresses are those within the text.
 */
static void drop_jumped_into(const struct text *text, struct ft_site *sites, size_t count)
{
    uint64_t lowest = sites[0].address,
             room = sites[count - 1].address + FT_SITE_MAX_BYTES - lowest;
    size_t end = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_several(&sites[i]))
            continue;
        size_t place = (size_t)sites[i].address;
        size_t first = place < JUMPS_NEAR_BYTES ? 0 : place - JUMPS_NEAR_BYTES;
        size_t at = first > end ? first : end; /* not what was looked through for the one before */
        end = text->size_bytes - place < JUMPS_NEAR_BYTES ? text->size_bytes
                                                          : place + JUMPS_NEAR_BYTES;
        for (; at < end; at += VECTOR_BYTES) {
            unsigned char tail[VECTOR_BYTES + 1] = {0};
            bool whole = text->size_bytes - at > VECTOR_BYTES;
            if (!whole)
                memcpy(tail, text->code + at, text->size_bytes - at);
            for (unsigned found = far_jumps(whole ? text->code + at : tail); found;
                 found &= found - 1) {
                size_t jump = at + (unsigned)__builtin_ctz(found);
                if (text->size_bytes - jump < JUMP_MAX_BYTES)
                    break;
                uint64_t target = far_target(text, jump);
                if (target - lowest < room)
                    drop_target(sites, count, target);
            }
        }
    }
}

/** @return true when the call at @syscall is a site, which is written to @out */
static bool take_site(const struct text *text, size_t syscall, ft_site_wanted *wanted,
                      struct ft_site *out)
{
    size_t first = syscall < RUN_UP_BYTES + STARTS ? 0 : syscall - RUN_UP_BYTES - STARTS;
    struct look look;
    struct path path;
    uint32_t number = 0;
    size_t from = first;

    path.count = 0;

    /* Most calls, at a glance: mov $NUMBER, %eax right before. */
    if (syscall >= 5 && text->code[syscall - 5] == 0xb8) {
        number = word_at(text->code + syscall - 4);
        if (number <= NUMBER_MAX && !wanted(number))
            return false;
    }
    look_init(&look, text, syscall);
    while (from < first + STARTS && from < syscall && walk(&look, from, syscall, &path) != syscall)
        from++;
    if (from == first + STARTS || from >= syscall || is_cancellation_point(text, syscall))
        return false;
    if (find_number(&look, &path, &number) == NUMBER_KNOWN && !wanted(number))
        return false;
    size_t bytes = window_bytes(&look, &path);
    if (!bytes)
        return false;
    size_t window = syscall - bytes;
    if (!is_agreed(&look, window))
        return false;
    out->address = window;
    out->size_bytes = (uint8_t)bytes;
    memcpy(out->bytes, text->code + window, bytes);
    return !is_several(out) || !near_jump_into(&look, window);
}

/** The next 0f 05 from @at on, or @end. */
static const unsigned char *find_syscall(const unsigned char *at, const unsigned char *end)
{
    while (end - at > (ptrdiff_t)VECTOR_BYTES) {
        __m128i here = _mm_loadu_si128((const __m128i *)(const void *)at);
        __m128i next = _mm_loadu_si128((const __m128i *)(const void *)(at + 1));
        unsigned found = equal_bytes(here, 0x0f) & equal_bytes(next, 0x05);
        if (found)
            return at + (unsigned)__builtin_ctz(found);
        at += VECTOR_BYTES;
    }
    while (at < end && (end - at < 2 || at[0] != 0x0f || at[1] != 0x05))
        at++;
    return at;
}

size_t ft_sites_find(const unsigned char *code, size_t size_bytes, uint64_t address,
                     ft_site_wanted *wanted, struct ft_site *out, size_t max)
{
    const struct text text = {code, size_bytes};
    const unsigned char *end = code + size_bytes, *at = code;
    size_t count = 0, kept = 0;

    for (; count < max && (at = find_syscall(at, end)) < end; at += SYSCALL_BYTES) {
        /* Behind a real call there is never a zero byte (add %al, (%rax)). */
        if (end - at > (ptrdiff_t)SYSCALL_BYTES && at[SYSCALL_BYTES] != 0 &&
            take_site(&text, (size_t)(at - code), wanted, &out[count]))
            count++;
    }
    if (count)
        drop_jumped_into(&text, out, count);
    for (size_t i = 0; i < count; i++) {
        if (!out[i].size_bytes)
            continue;
        out[kept] = out[i];
        out[kept++].address += address;
    }
    return kept;
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
