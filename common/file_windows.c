/* SPDX-License-Identifier: MIT */
/* Whole files on Windows: read with a limit, written beside and renamed. */
#include "common/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "common/folder.h"
#include "common/wide.h"

#define READ_STEP_BYTES 65536u
#define TRIES 100 /**< names for a new file; each taken one is left by a crash */

/** The negative errno value of what has just failed. */
static int last_error(void)
{
    return wide_error(GetLastError());
}

static int read_all(HANDLE file, file_take *take, void *context)
{
    char *step = malloc(READ_STEP_BYTES);
    int ret = step ? 0 : -ENOMEM;

    while (!ret) {
        DWORD n = 0;
        if (!ReadFile(file, step, READ_STEP_BYTES, &n, NULL)) {
            /* A pipe whose writer has gone is at its end. */
            if (GetLastError() != ERROR_BROKEN_PIPE)
                ret = last_error();
            break;
        }
        if (!n)
            break;
        ret = take(context, step, n);
    }
    free(step);
    return ret;
}

/** How a file is called in a message. */
static const char *shown(const char *path)
{
    return strcmp(path, "-") ? path : "standard input";
}

/** As file_read_each(), without a word. */
static int read_each(const char *path, file_take *take, void *context)
{
    wchar_t *wide;

    if (!strcmp(path, "-"))
        return read_all(GetStdHandle(STD_INPUT_HANDLE), take, context);
    if (file_kind(path) == FILE_FOLDER)
        return -EISDIR;
    int ret = wide_from_utf8(path, &wide);
    if (ret)
        return ret;
    HANDLE file =
        CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    ret = file == INVALID_HANDLE_VALUE ? last_error() : read_all(file, take, context);
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file); /* read only: nothing can be lost */
    free(wide);
    return ret;
}

int file_read_each(const char *path, file_take *take, void *context, struct err *err)
{
    int ret = read_each(path, take, context);
    return ret ? err_set(err, ret, "cannot read %s: %s", shown(path), err_text(ret)) : 0;
}

static int append(void *context, const void *data, size_t size_bytes)
{
    return buf_append(context, data, size_bytes);
}

int file_read(const char *path, struct buf *out, struct err *err)
{
    int ret = read_each(path, append, out);
    if (!ret)
        ret = buf_status(out);
    if (ret == -EFBIG)
        return err_set(err, ret, "cannot read %s: larger than %zu bytes", shown(path),
                       out->limit_bytes);
    return ret ? err_set(err, ret, "cannot read %s: %s", shown(path), err_text(ret)) : 0;
}

int file_kind(const char *path)
{
    wchar_t *wide;

    int ret = wide_from_utf8(path, &wide);
    if (ret)
        return ret;
    /* A handle, so that links are followed; no access right is needed to ask. */
    HANDLE file = CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    free(wide);
    if (file == INVALID_HANDLE_VALUE)
        return last_error();
    BY_HANDLE_FILE_INFORMATION info;
    ret = FILE_OTHER;
    if (GetFileType(file) == FILE_TYPE_DISK && GetFileInformationByHandle(file, &info))
        ret = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? FILE_FOLDER : FILE_REGULAR;
    CloseHandle(file);
    return ret;
}

int file_remove(const char *path)
{
    wchar_t *wide;

    int ret = wide_from_utf8(path, &wide);
    if (ret)
        return ret;
    if (!DeleteFileW(wide))
        ret = last_error();
    free(wide);
    return ret;
}

int file_make_executable(const char *path)
{
    (void)path; /* a program's name says that it is one */
    return 0;
}

static int write_all(HANDLE file, const char *data, size_t size_bytes)
{
    while (size_bytes) {
        DWORD n = 0, part = size_bytes < READ_STEP_BYTES ? (DWORD)size_bytes : READ_STEP_BYTES;
        if (!WriteFile(file, data, part, &n, NULL))
            return last_error();
        data += n;
        size_bytes -= n;
    }
    return 0;
}

/** Write to what is there: a device or a pipe. */
static int write_direct(const wchar_t *path, const char *data, size_t size_bytes)
{
    HANDLE file = CreateFileW(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                              OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return last_error();
    int ret = write_all(file, data, size_bytes);
    CloseHandle(file);
    return ret;
}

/**
 * Make a new file beside @path.
 * @name set to its name, the caller's to free(); NULL on failure
 */
static int open_beside(const char *path, wchar_t **name, HANDLE *out)
{
    struct buf text;
    int ret = -EEXIST;

    *name = NULL;
    *out = INVALID_HANDLE_VALUE;
    buf_init(&text, SIZE_MAX);
    for (unsigned n = 0; ret == -EEXIST && n < TRIES; n++) {
        buf_clear(&text);
        ret = buf_printf(&text, "%s.%lu.%u.tmp", path, GetCurrentProcessId(), n);
        if (!ret)
            ret = wide_from_utf8(text.data, name);
        if (ret)
            break;
        *out = CreateFileW(*name, GENERIC_WRITE, 0, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
        if (*out != INVALID_HANDLE_VALUE)
            break;
        ret = last_error();
        free(*name);
        *name = NULL;
    }
    buf_fini(&text);
    return ret;
}

static int write_beside(const char *path, const wchar_t *wide, const char *data, size_t size_bytes)
{
    wchar_t *beside;
    HANDLE file;

    int ret = open_beside(path, &beside, &file);
    if (ret)
        return ret;
    ret = write_all(file, data, size_bytes);
    if (!ret && !FlushFileBuffers(file))
        ret = last_error();
    if (!CloseHandle(file) && !ret)
        ret = last_error();
    if (!ret && !MoveFileExW(beside, wide, MOVEFILE_REPLACE_EXISTING))
        ret = last_error();
    if (ret)
        (void)DeleteFileW(beside);
    free(beside);
    return ret;
}

/** @real the path with links followed, where the file is there */
static int write_to(const char *path, const char *real, const char *data, size_t size_bytes)
{
    wchar_t *wide;

    int kind = file_kind(path);
    if (kind == FILE_FOLDER)
        return -EISDIR;
    if (kind < 0 && kind != -ENOENT)
        return kind;
    int ret = wide_from_utf8(real, &wide);
    if (!ret)
        ret = kind == FILE_OTHER ? write_direct(wide, data, size_bytes)
                                 : write_beside(real, wide, data, size_bytes);
    free(wide);
    return ret;
}

int file_write(const char *path, const void *data, size_t size_bytes, struct err *err)
{
    char *real = NULL;
    int ret;

    if (!strcmp(path, "-")) {
        ret = write_all(GetStdHandle(STD_OUTPUT_HANDLE), data, size_bytes);
        return ret ? err_set(err, ret, "cannot write standard output: %s", err_text(ret)) : 0;
    }
    if (file_kind(path) == FILE_REGULAR && folder_real_path(path, &real))
        real = NULL; /* it is written by the name that was given */
    ret = *path ? write_to(path, real ? real : path, data, size_bytes) : -ENOENT;
    free(real);
    return ret ? err_set(err, ret, "cannot write %s: %s", path, err_text(ret)) : 0;
}

/** @return 0, also when the folder is there; or a negative errno value */
static int make_dir(const char *path)
{
    wchar_t *wide;

    int ret = wide_from_utf8(path, &wide);
    if (ret)
        return ret;
    if (!CreateDirectoryW(wide, NULL))
        ret = last_error();
    free(wide);
    if (!ret)
        return 0;
    int kind = file_kind(path);
    return kind == FILE_FOLDER ? 0 : kind >= 0 ? -ENOTDIR : ret;
}

int file_make_dirs(const char *path, struct err *err)
{
    static const char separators[] = "/\\";
    char *copy = strdup(path);
    int ret = copy ? 0 : -ENOMEM;
    char *c = copy;

    while (!ret) {
        c += strspn(c, separators);
        c += strcspn(c, separators);
        char rest = *c;
        *c = '\0';
        /* "C:", "\\server" and "\\server\share" are no folders that can be made. */
        ret = rest && file_kind(copy) < 0 && (c[-1] == ':' || strspn(copy, separators) > 1)
                  ? 0
                  : make_dir(copy);
        if (!rest)
            break;
        *c = rest;
    }
    free(copy);
    return ret ? err_set(err, ret, "cannot make the folder %s: %s", path, err_text(ret)) : 0;
}
