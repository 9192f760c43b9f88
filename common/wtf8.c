/* SPDX-License-Identifier: MIT */
/* The names of Windows as bytes: UTF-16 with whatever units, and WTF-8. */
#include "common/wtf8.h"

#include <errno.h>
#include <stdbool.h>

#include "common/utf8.h"

static bool is_high(uint32_t unit)
{
    return unit >= 0xd800 && unit <= 0xdbff;
}

static bool is_low(uint32_t unit)
{
    return unit >= 0xdc00 && unit <= 0xdfff;
}

static size_t encode(uint32_t code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xe0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3f));
        out[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3f));
    out[2] = (char)(0x80 | (code >> 6 & 0x3f));
    out[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

size_t wtf8_from_utf16(const void *units, size_t size_bytes, char *out)
{
    const unsigned char *bytes = units;
    size_t length = 0;

    for (size_t i = 0; i + 2 <= size_bytes; i += 2) {
        uint32_t code = bytes[i] | (uint32_t)bytes[i + 1] << 8;
        uint32_t next = i + 4 <= size_bytes ? bytes[i + 2] | (uint32_t)bytes[i + 3] << 8 : 0;
        if (is_high(code) && is_low(next)) {
            code = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
            i += 2;
        }
        length += encode(code, out + length);
    }
    return length;
}

/** As utf8_decode(), and a surrogate is a character too. */
static size_t decode(const char *text, size_t size_bytes, uint32_t *out)
{
    size_t n = utf8_decode(text, size_bytes, out);
    const unsigned char *b = (const unsigned char *)text;
    if (n || size_bytes < 3 || b[0] != 0xed || b[1] < 0xa0 || b[1] > 0xbf || (b[2] & 0xc0) != 0x80)
        return n;
    *out = 0xd000u | (uint32_t)(b[1] & 0x3f) << 6 | (b[2] & 0x3fu);
    return 3;
}

int wtf8_to_utf16(const char *text, size_t size_bytes, uint16_t *out, size_t *out_units)
{
    size_t units = 0;

    *out_units = 0;
    for (size_t i = 0; i < size_bytes;) {
        uint32_t code;
        size_t n = decode(text + i, size_bytes - i, &code);
        if (!n)
            return -EILSEQ;
        i += n;
        if (code >= 0x10000) {
            out[units++] = (uint16_t)(0xd800 + ((code - 0x10000) >> 10));
            code = 0xdc00 + (code & 0x3ff);
        }
        out[units++] = (uint16_t)code;
    }
    *out_units = units;
    return 0;
}
