/* SPDX-License-Identifier: MIT */
/* Text and errors at the edge of Windows. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "common/num.h"
#include "common/wide.h"

static int is_high(uint32_t unit)
{
    return unit >= 0xd800 && unit <= 0xdbff;
}

static int is_low(uint32_t unit)
{
    return unit >= 0xdc00 && unit <= 0xdfff;
}

size_t wide_encode(const wchar_t *text, size_t units, char *out)
{
    unsigned char *to = (unsigned char *)out;

    for (size_t i = 0; i < units; i++) {
        uint32_t code = text[i];
        if (is_high(code) && i + 1 < units && is_low(text[i + 1]))
            code = 0x10000 + ((code - 0xd800) << 10) + (text[++i] - 0xdc00u);
        if (code < 0x80) {
            *to++ = (unsigned char)code;
        } else if (code < 0x800) {
            *to++ = (unsigned char)(0xc0 | code >> 6);
            *to++ = (unsigned char)(0x80 | (code & 0x3f));
        } else if (code < 0x10000) {
            *to++ = (unsigned char)(0xe0 | code >> 12);
            *to++ = (unsigned char)(0x80 | (code >> 6 & 0x3f));
            *to++ = (unsigned char)(0x80 | (code & 0x3f));
        } else {
            *to++ = (unsigned char)(0xf0 | code >> 18);
            *to++ = (unsigned char)(0x80 | (code >> 12 & 0x3f));
            *to++ = (unsigned char)(0x80 | (code >> 6 & 0x3f));
            *to++ = (unsigned char)(0x80 | (code & 0x3f));
        }
    }
    return (size_t)(to - (unsigned char *)out);
}

/** One code point, surrogates among them. @return its bytes, 0 when it is none */
static size_t decode_one(const unsigned char *text, size_t size_bytes, uint32_t *out)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = text[0];

    *out = first;
    if (first < 0x80)
        return 1;
    size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || length > size_bytes)
        return 0;
    uint32_t code = first & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3fu);
    }
    *out = code;
    return code < smallest[length] || code > 0x10ffff ? 0 : length;
}

size_t wide_decode(const char *text, size_t size_bytes, wchar_t *out)
{
    size_t units = 0;

    for (size_t i = 0; i < size_bytes;) {
        uint32_t code;
        size_t length = decode_one((const unsigned char *)text + i, size_bytes - i, &code);
        if (!length)
            return (size_t)-1;
        i += length;
        if (code >= 0x10000) {
            out[units++] = (wchar_t)(0xd800 + ((code - 0x10000) >> 10));
            out[units++] = (wchar_t)(0xdc00 + ((code - 0x10000) & 0x3ff));
        } else {
            out[units++] = (wchar_t)code;
        }
    }
    return units;
}

char *wide_to_utf8(const wchar_t *text)
{
    size_t units = wcslen(text);
    size_t room;
    if (num_mul(units, WIDE_UTF8_MAX(1), &room) || num_add(room, 1, &room))
        return NULL;
    char *out = malloc(room);
    if (out)
        out[wide_encode(text, units, out)] = '\0';
    return out;
}

int wide_from_utf8(const char *text, wchar_t **out)
{
    size_t size_bytes = strlen(text);
    size_t room;

    *out = NULL;
    if (num_add(size_bytes, 1, &room) || num_mul(room, sizeof(wchar_t), &room))
        return -ENOMEM;
    wchar_t *wide = malloc(room);
    if (!wide)
        return -ENOMEM;
    size_t units = wide_decode(text, size_bytes, wide);
    if (units == (size_t)-1) {
        free(wide);
        return -EILSEQ;
    }
    wide[units] = L'\0';
    *out = wide;
    return 0;
}

int wide_error(unsigned long code)
{
    static const struct {
        unsigned long code;
        int error;
    } rows[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},
        {ERROR_BAD_NET_NAME, ENOENT},
        {ERROR_INVALID_DRIVE, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},
        {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EACCES},
        {ERROR_LOCK_VIOLATION, EACCES},
        {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_OUTOFMEMORY, ENOMEM},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_BROKEN_PIPE, EPIPE},
        {ERROR_NO_DATA, EPIPE},
        {ERROR_INVALID_HANDLE, EBADF},
        {ERROR_INVALID_PARAMETER, EINVAL},
        {ERROR_BAD_EXE_FORMAT, ENOEXEC},
        {ERROR_EXE_MACHINE_TYPE_MISMATCH, ENOEXEC},
        {ERROR_NOT_SUPPORTED, ENOTSUP},
        {ERROR_CALL_NOT_IMPLEMENTED, ENOTSUP},
        {ERROR_NOT_SAME_DEVICE, EXDEV},
        {WAIT_TIMEOUT, ETIMEDOUT},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (rows[i].code == code)
            return -rows[i].error;
    }
    return -EIO;
}
