/* SPDX-License-Identifier: MIT */
/* What the workload needs of Windows. */
#include "system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "common/wide.h"
#include "common/wtf8.h"

#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

const char wl_separator = '\\';

static int last_error(void)
{
    return wide_error(GetLastError());
}

static int is_folder(const wchar_t *path)
{
    DWORD attributes = GetFileAttributesW(path);
    return attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY;
}

int wl_make_folder(const char *path)
{
    wchar_t *wide;

    int ret = wide_from_utf8(path, &wide);
    if (!ret && !CreateDirectoryW(wide, NULL)) {
        ret = last_error();
        if (ret == -EEXIST)
            ret = is_folder(wide) ? 0 : -ENOTDIR;
    }
    free(wide);
    return ret;
}

int wl_make_file(const char *path)
{
    wchar_t *wide;

    int ret = wide_from_utf8(path, &wide);
    if (ret)
        return ret;
    HANDLE file =
        CreateFileW(wide, GENERIC_READ, SHARE_ALL, NULL, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE)
        ret = last_error();
    else
        CloseHandle(file);
    free(wide);
    return ret;
}

int wl_enter_folder(const char *path)
{
    wchar_t *wide;

    int ret = wide_from_utf8(path, &wide);
    if (!ret && !SetCurrentDirectoryW(wide))
        ret = last_error();
    free(wide);
    return ret;
}

/** UTF-8 of a path, drive letter in upper case, no '\' at its end. */
static int put_path(wchar_t *wide, char out[WL_PATH_SIZE])
{
    size_t units = wcslen(wide);

    if (units && wide[units - 1] == L'\\')
        units--;
    if (WTF8_BYTES(units) >= WL_PATH_SIZE)
        return -ENAMETOOLONG;
    if (wide[0] >= L'a' && wide[0] <= L'z' && wide[1] == L':')
        wide[0] = (wchar_t)(wide[0] - L'a' + L'A');
    out[wtf8_from_utf16(wide, units * sizeof(*wide), out)] = '\0';
    return 0;
}

int wl_absolute_folder(const char *path, int real, char out[WL_PATH_SIZE])
{
    wchar_t full[WL_PATH_SIZE];
    wchar_t *wide;

    int ret = wide_from_utf8(path, &wide);
    if (ret)
        return ret;
    DWORD units = GetFullPathNameW(wide, WL_PATH_SIZE, full, NULL);
    free(wide);
    if (!units || units >= WL_PATH_SIZE)
        return units ? -ENAMETOOLONG : last_error();
    /* Windows keeps the working folder by the name that it was entered by. */
    if (real && !is_folder(full))
        return GetFileAttributesW(full) == INVALID_FILE_ATTRIBUTES ? last_error() : -ENOTDIR;
    return put_path(full, out);
}

int wl_self_path(char path[WL_PATH_SIZE])
{
    wchar_t wide[WL_PATH_SIZE];
    DWORD units = GetModuleFileNameW(NULL, wide, WL_PATH_SIZE);
    if (!units || units >= WL_PATH_SIZE)
        return units ? -ENAMETOOLONG : last_error();
    return put_path(wide, path);
}

void wl_describe_end(int child_status, char *out, size_t size_bytes)
{
    /* Negative ones are Windows' own, and known by their digits. */
    (void)snprintf(out, size_bytes,
                   child_status < 0 ? "status 0x%08x" : "exit status %u instead of 0",
                   (unsigned)child_status);
}
