/* SPDX-License-Identifier: MIT */
/* Text and errors at the edge of Windows. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "common/num.h"
#include "common/wide.h"
#include "common/wtf8.h"

char *wide_to_utf8(const wchar_t *text)
{
    size_t units = wcslen(text);
    size_t room;
    if (num_mul(units, WTF8_BYTES(1), &room) || num_add(room, 1, &room))
        return NULL;
    char *out = malloc(room);
    if (out)
        out[wtf8_from_utf16(text, units * sizeof(*text), out)] = '\0';
    return out;
}

int wide_from_utf8(const char *text, wchar_t **out)
{
    size_t size_bytes = strlen(text);
    size_t room, units;

    *out = NULL;
    if (num_add(size_bytes, 1, &room) || num_mul(room, sizeof(wchar_t), &room))
        return -ENOMEM;
    uint16_t *wide = malloc(room);
    if (!wide)
        return -ENOMEM;
    int ret = wtf8_to_utf16(text, size_bytes, wide, &units);
    if (ret) {
        free(wide);
        return ret;
    }
    wide[units] = 0;
    *out = (wchar_t *)wide;
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
