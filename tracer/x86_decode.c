/* SPDX-License-Identifier: MIT */
/* Where an x86-64 instruction ends (Intel SDM volume 2, appendix A: the opcode maps). */
#include "tracer/x86_decode.h"

/* What follows an opcode. */
enum {
    NONE = 0,
    MODRM = 1,
    IMM8 = 2,
    IMMZ = 4, /* 4 bytes, 2 with an operand size prefix */
    IMM16 = 8,
    REL8 = 16,
    REL32 = 32,
    CONTROL = 64,
    REFUSED = 128,
    MOFFS = 256, /* a whole address */
};

/** A piece of code that is read byte by byte. */
struct reader {
    const unsigned char *code;
    size_t size_bytes, at;
    bool over;
};

static unsigned char next(struct reader *reader)
{
    if (reader->at < reader->size_bytes)
        return reader->code[reader->at++];
    reader->over = true;
    return 0;
}

static unsigned first_map(unsigned op)
{
    if (op < 0x40) {
        static const unsigned char row[8] = {MODRM, MODRM, MODRM,   MODRM,
                                             IMM8,  IMMZ,  REFUSED, REFUSED};
        return row[op & 7]; /* prefixes and 0f are taken before */
    }
    if (op >= 0x50 && op <= 0x5f)
        return NONE;
    if (op >= 0x70 && op <= 0x7f)
        return REL8 | CONTROL;
    if (op >= 0x84 && op <= 0x8f)
        return MODRM;
    if (op >= 0xb0 && op <= 0xb7)
        return IMM8;
    if (op >= 0xb8 && op <= 0xbf)
        return IMMZ; /* 8 bytes with REX.W: see immediate_bytes() */
    if (op >= 0xd8 && op <= 0xdf)
        return MODRM;
    switch (op) {
    case 0x63:
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
    case 0xf6:
    case 0xf7:
    case 0xfe:
    case 0xff:
        return MODRM; /* f6, f7 and ff: see special() */
    case 0x68:
    case 0xa9:
        return IMMZ;
    case 0x69:
    case 0x81:
    case 0xc7:
        return MODRM | IMMZ;
    case 0x6a:
    case 0xa8:
    case 0xe4:
    case 0xe5:
    case 0xe6:
    case 0xe7:
        return IMM8;
    case 0x6b:
    case 0x80:
    case 0x83:
    case 0xc0:
    case 0xc1:
    case 0xc6:
        return MODRM | IMM8;
    case 0xc2:
    case 0xca:
        return IMM16 | CONTROL;
    case 0xc8:
        return IMM16 | IMM8;
    case 0xc3:
    case 0xcb:
    case 0xcc:
    case 0xcf:
    case 0xf1:
    case 0xf4:
        return CONTROL;
    case 0xcd:
        return IMM8 | CONTROL;
    case 0xe0:
    case 0xe1:
    case 0xe2:
    case 0xe3:
    case 0xeb:
        return REL8 | CONTROL;
    case 0xe8:
    case 0xe9:
        return REL32 | CONTROL;
    case 0x6c:
    case 0x6d:
    case 0x6e:
    case 0x6f:
    case 0x9b:
    case 0x9c:
    case 0x9d:
    case 0x9e:
    case 0x9f:
    case 0xa4:
    case 0xa5:
    case 0xa6:
    case 0xa7:
    case 0xaa:
    case 0xab:
    case 0xac:
    case 0xad:
    case 0xae:
    case 0xaf:
    case 0xc9:
    case 0xd7:
    case 0xec:
    case 0xed:
    case 0xee:
    case 0xef:
    case 0xf5:
    case 0xf8:
    case 0xf9:
    case 0xfa:
    case 0xfb:
    case 0xfc:
    case 0xfd:
        return NONE;
    default:
        if (op >= 0xa0 && op <= 0xa3)
            return MOFFS;
        return op >= 0x90 && op <= 0x99 ? NONE : REFUSED;
    }
}

static unsigned second_map(unsigned op)
{
    if (op >= 0x80 && op <= 0x8f)
        return REL32 | CONTROL;
    if (op >= 0xc8 && op <= 0xcf)
        return NONE;
    if (op >= 0x70 && op <= 0x73)
        return MODRM | IMM8;
    switch (op) {
    case 0x05:
    case 0x07:
    case 0x0b:
    case 0x34:
    case 0x35: /* syscall, sysret, ud2, sysenter, sysexit */
        return CONTROL;
    case 0x06:
    case 0x08:
    case 0x09:
    case 0x30:
    case 0x31:
    case 0x32:
    case 0x33:
    case 0x37:
    case 0x77:
    case 0xa0:
    case 0xa1:
    case 0xa2:
    case 0xa8:
    case 0xa9:
    case 0xaa:
        return NONE;
    case 0xa4:
    case 0xac:
    case 0xba:
    case 0xc2:
    case 0xc4:
    case 0xc5:
    case 0xc6:
        return MODRM | IMM8;
    case 0x04:
    case 0x0a:
    case 0x0c:
    case 0x0e:
    case 0x0f:
    case 0x36:
    case 0x39:
    case 0x3b:
    case 0x3c:
    case 0x3d:
    case 0x3e:
    case 0x3f:
    case 0xa6:
    case 0xa7:
        return REFUSED;
    default:
        return (op >= 0x24 && op <= 0x27) || op == 0x7a || op == 0x7b ? REFUSED : MODRM;
    }
}

static unsigned map_flags(unsigned map, unsigned op)
{
    return map == 1 ? second_map(op) : map == 2 ? MODRM : map == 3 ? MODRM | IMM8 : REFUSED;
}

/** Prefix bytes with a map of their own: VEX and EVEX. */
static unsigned vector_flags(struct reader *reader, unsigned char lead)
{
    unsigned map = 1;
    if (lead == 0xc5) {
        (void)next(reader);
    } else if (lead == 0xc4) {
        map = next(reader) & 0x1f;
        (void)next(reader);
    } else {
        map = next(reader) & 7;
        (void)next(reader);
        (void)next(reader);
    }
    unsigned op = next(reader);
    if (map == 5 || map == 6) /* AVX-512 FP16 */
        return MODRM;
    unsigned flags = map_flags(map, op);
    return flags & CONTROL ? REFUSED : flags;
}

static unsigned opcode_flags(struct reader *reader, unsigned char op)
{
    if (op == 0xc4 || op == 0xc5 || op == 0x62)
        return vector_flags(reader, op);
    if (op != 0x0f)
        return first_map(op);
    op = next(reader);
    if (op == 0x38 || op == 0x3a) {
        (void)next(reader);
        return op == 0x38 ? MODRM : MODRM | IMM8;
    }
    return second_map(op);
}

/** What the ModRM byte of some opcodes adds. */
static unsigned special(unsigned char op, unsigned reg)
{
    if ((op == 0xf6 || op == 0xf7) && reg < 2)
        return op == 0xf6 ? IMM8 : IMMZ;
    if (op == 0xff && reg >= 2 && reg <= 5)
        return CONTROL;
    if ((op == 0x8f && reg) || (op == 0xff && reg == 7) || (op == 0xfe && reg > 1))
        return REFUSED; /* XOP; nothing */
    if (op == 0xc7 && reg == 7)
        return CONTROL; /* xbegin */
    return NONE;
}

/** The ModRM byte, and what it says follows. @return its middle field */
static unsigned take_modrm(struct reader *reader, struct ft_x86 *out)
{
    unsigned char modrm = next(reader);
    unsigned mod = modrm >> 6, rm = modrm & 7;
    size_t more = mod == 1 ? 1 : mod == 2 ? 4 : 0;
    if (mod != 3 && rm == 4) {
        unsigned char sib = next(reader);
        if (mod == 0 && (sib & 7) == 5)
            more = 4;
    } else if (mod == 0 && rm == 5) {
        more = 4;
        out->rip_relative = true;
    }
    for (size_t i = 0; i < more; i++)
        (void)next(reader);
    return modrm >> 3 & 7;
}

static bool is_prefix(unsigned char byte)
{
    return byte == 0x66 || byte == 0x67 || byte == 0xf2 || byte == 0xf3 || byte == 0xf0 ||
           byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x26 || byte == 0x64 ||
           byte == 0x65;
}

static size_t immediate_bytes(unsigned flags, bool wide_register, bool narrow)
{
    size_t n = (flags & IMM8 || flags & REL8 ? 1u : 0u) + (flags & IMM16 ? 2u : 0u) +
               (flags & REL32 ? 4u : 0u);
    if (flags & MOFFS)
        n += 8;
    if (flags & IMMZ)
        n += wide_register ? 8 : narrow ? 2 : 4;
    return n;
}

bool ft_x86_decode(const unsigned char *code, size_t size_bytes, struct ft_x86 *out)
{
    struct reader reader = {
        .code = code, .size_bytes = size_bytes < FT_X86_MAX_BYTES ? size_bytes : FT_X86_MAX_BYTES};
    unsigned char op = next(&reader), rex = 0;
    bool narrow = false, short_address = false;

    *out = (struct ft_x86){0};
    for (; is_prefix(op); op = next(&reader)) {
        narrow |= op == 0x66;
        short_address |= op == 0x67;
    }
    if ((op & 0xf0) == 0x40) {
        rex = op;
        op = next(&reader);
        if (is_prefix(op) || (op & 0xf0) == 0x40)
            return false; /* the processor takes it, no compiler writes it */
    }
    unsigned flags = opcode_flags(&reader, op);
    if (flags & REFUSED)
        return false;
    if (flags & MODRM)
        flags |= special(op, take_modrm(&reader, out));
    /* An address of 4 bytes, and a near jump of 16 bits, are what no compiler writes. */
    if (flags & REFUSED || (flags & REL32 && narrow) || (flags & MOFFS && short_address))
        return false;
    bool wide_register = rex & 8 && op >= 0xb8 && op <= 0xbf;
    size_t immediate = immediate_bytes(flags, wide_register, narrow && !(rex & 8));
    size_t start = reader.at;
    for (size_t i = 0; i < immediate; i++)
        (void)next(&reader);
    if (reader.over)
        return false;
    out->size_bytes = (uint8_t)reader.at;
    out->control = flags & CONTROL;
    if (flags & (REL8 | REL32)) {
        int32_t offset = code[start] < 0x80 ? code[start] : code[start] - 0x100;
        if (flags & REL32)
            __builtin_memcpy(&offset, code + start, sizeof(offset));
        out->has_target = true;
        out->target = (int64_t)offset + out->size_bytes;
    }
    return true;
}
