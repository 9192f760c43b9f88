/* SPDX-License-Identifier: MIT */
/* UTF-8 as RFC 3629 has it. */
#include "common/utf8.h"

size_t utf8_decode(const char *text, size_t size_bytes, uint32_t *out)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};

    *out = 0;
    if (!size_bytes)
        return 0;
    unsigned char first = (unsigned char)text[0];
    if (first < 0x80) {
        *out = first;
        return 1;
    }
    size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || length > size_bytes)
        return 0;
    uint32_t code = first & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        unsigned char next = (unsigned char)text[i];
        if ((next & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (next & 0x3fu);
    }
    if (code < smallest[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return 0;
    *out = code;
    return length;
}

bool utf8_is_valid(const char *text, size_t size_bytes)
{
    for (size_t i = 0; i < size_bytes;) {
        uint32_t code;
        size_t length = utf8_decode(text + i, size_bytes - i, &code);
        if (!length)
            return false;
        i += length;
    }
    return true;
}
