/* SPDX-License-Identifier: MIT */
/* Folders on Windows. */
#include "common/folder.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "common/buf.h"
#include "common/file.h"
#include "common/wide.h"

#define TRIES 100
#define MAX_PATH_UNITS 32768u /* of a path and of a variable, with the NUL */

const char folder_state_hint[] = "neither XDG_STATE_HOME nor LOCALAPPDATA is an absolute path";

/** UTF-8 with '/' between the parts. @return the caller's, NULL when memory is short */
static char *to_path(const wchar_t *wide)
{
    char *path = wide_to_utf8(wide);
    for (char *c = path; c && *c; c++) {
        if (*c == '\\')
            *c = '/';
    }
    return path;
}

/** A variable as a path; NULL when it is not set, empty, or memory is short. */
static char *variable(const wchar_t *name)
{
    wchar_t *value = malloc(MAX_PATH_UNITS * sizeof(*value));
    char *path = NULL;

    if (value && GetEnvironmentVariableW(name, value, MAX_PATH_UNITS) - 1 < MAX_PATH_UNITS - 1)
        path = to_path(value);
    free(value);
    return path;
}

bool folder_is_absolute(const char *path)
{
    bool drive = ((*path >= 'A' && *path <= 'Z') || (*path >= 'a' && *path <= 'z')) &&
                 path[1] == ':' && (path[2] == '/' || path[2] == '\\');
    bool share = (path[0] == '/' || path[0] == '\\') && path[1] == path[0];
    return drive || share;
}

const char *folder_name(const char *path)
{
    const char *name = path;
    for (const char *c = path; *c; c++) {
        if (*c == '/' || *c == '\\' || (*c == ':' && c == path + 1))
            name = c + 1;
    }
    return name;
}

int folder_state(char **out)
{
    static const wchar_t *const names[] = {L"XDG_STATE_HOME", L"LOCALAPPDATA"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        *out = variable(names[i]);
        if (*out && folder_is_absolute(*out))
            return 0;
        free(*out);
        *out = NULL;
    }
    return -ENOENT;
}

/** Where folders for a while are made. */
static char *temporary(void)
{
    static const wchar_t *const names[] = {L"TMPDIR", L"TMP", L"TEMP"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        char *path = variable(names[i]);
        if (path)
            return path;
    }
    return strdup("C:/Windows/Temp");
}

/** Make FOLDER/PREFIX.NUMBER, the first that is not there. */
static int make_numbered(const char *folder, const char *prefix, char **out)
{
    struct buf path;
    int ret = -EEXIST;

    buf_init(&path, SIZE_MAX);
    for (unsigned n = 0; ret == -EEXIST && n < TRIES; n++) {
        wchar_t *wide = NULL;
        LARGE_INTEGER ticks;
        (void)QueryPerformanceCounter(&ticks);
        buf_clear(&path);
        /* As long as POSIX's: it is part of every path of a run. */
        ret = buf_printf(&path, "%s/%s.%06lx", folder, prefix,
                         ((unsigned long)ticks.LowPart ^ GetCurrentProcessId() << 8) & 0xffffffu);
        if (!ret)
            ret = wide_from_utf8(path.data, &wide);
        if (!ret && !CreateDirectoryW(wide, NULL))
            ret = wide_error(GetLastError());
        free(wide);
    }
    *out = ret ? NULL : buf_take(&path);
    buf_fini(&path);
    return ret ? ret : *out ? 0 : -ENOMEM;
}

int folder_make_own(const char *prefix, char **out, struct err *err)
{
    char *parent = temporary();
    char *real = NULL;

    *out = NULL;
    int ret = parent ? folder_real_path(parent, &real) : -ENOMEM;
    if (!ret)
        ret = make_numbered(real, prefix, out);
    if (ret)
        (void)err_set(err, ret, "cannot make a folder in %s: %s; set TMPDIR to a writable folder",
                      parent ? parent : "the folder for a while", err_text(ret));
    free(real);
    free(parent);
    return ret;
}

/** "FOLDER/NAME" @return the caller's, NULL when memory is short */
static char *join(const char *folder, const char *name)
{
    struct buf path;
    buf_init(&path, SIZE_MAX);
    buf_printf(&path, "%s/%s", folder, name);
    char *out = buf_take(&path);
    buf_fini(&path);
    return out;
}

/** What is done with each name of a folder. @return 0, or a negative errno value that ends it */
typedef int folder_visit(void *context, const char *name, DWORD attributes);

static int visit(const char *path, folder_visit *each, void *context)
{
    WIN32_FIND_DATAW entry;
    wchar_t *wide = NULL;

    int kind = file_kind(path);
    if (kind != FILE_FOLDER)
        return kind < 0 ? kind : -ENOTDIR;
    char *pattern = join(path, "*");
    int ret = pattern ? wide_from_utf8(pattern, &wide) : -ENOMEM;
    HANDLE search = ret ? INVALID_HANDLE_VALUE : FindFirstFileW(wide, &entry);
    if (!ret && search == INVALID_HANDLE_VALUE)
        ret = wide_error(GetLastError());
    while (!ret) {
        char *name = wide_to_utf8(entry.cFileName);
        if (!name)
            ret = -ENOMEM;
        else if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
            ret = each(context, name, entry.dwFileAttributes);
        free(name);
        if (!ret && !FindNextFileW(search, &entry)) {
            if (GetLastError() != ERROR_NO_MORE_FILES)
                ret = wide_error(GetLastError());
            break;
        }
    }
    if (search != INVALID_HANDLE_VALUE)
        FindClose(search);
    free(wide);
    free(pattern);
    return ret;
}

/** Remove one entry of the folder @context; best effort: go on with the rest. */
static int remove_one(void *context, const char *name, DWORD attributes)
{
    char *path = join(context, name);
    wchar_t *wide = NULL;

    if (path && !wide_from_utf8(path, &wide)) {
        bool folder = attributes & FILE_ATTRIBUTE_DIRECTORY;
        if (folder && !(attributes & FILE_ATTRIBUTE_REPARSE_POINT))
            folder_remove(path);
        else
            (void)(folder ? RemoveDirectoryW(wide) : DeleteFileW(wide));
    }
    free(wide);
    free(path);
    return 0;
}

/* A folder within a folder is as deep as a path is long: 32,767 units at most. */
void folder_remove(const char *path) // NOLINT(misc-no-recursion)
{
    wchar_t *wide;

    if (!path || wide_from_utf8(path, &wide))
        return;
    (void)visit(path, remove_one, (void *)(uintptr_t)path);
    (void)RemoveDirectoryW(wide);
    free(wide);
}

char *folder_current(void)
{
    wchar_t *here = malloc(MAX_PATH_UNITS * sizeof(*here));
    char *path = NULL;

    if (here && GetCurrentDirectoryW(MAX_PATH_UNITS, here) - 1 < MAX_PATH_UNITS - 1)
        path = to_path(here);
    free(here);
    return path;
}

int folder_check_writable(const char *path)
{
    char *folder = strdup(path);
    if (!folder)
        return -ENOMEM;
    /* With a '/' behind it, a file would just not be found. */
    size_t length = strlen(folder);
    if (length > 1 && folder_name(folder) == folder + length && folder[length - 2] != ':')
        folder[length - 1] = '\0';
    int kind = file_kind(folder);
    free(folder);
    return kind < 0 ? kind : kind == FILE_FOLDER ? 0 : -ENOTDIR;
}

/** A list in the making. */
struct list {
    bool (*keep)(const char *name);
    char **names;
    size_t count;
};

static int add(void *context, const char *name, DWORD attributes)
{
    struct list *list = context;

    (void)attributes;
    if (!list->keep(name))
        return 0;
    char **more = realloc(list->names, (list->count + 1) * sizeof(*more));
    if (!more)
        return -ENOMEM;
    list->names = more;
    more[list->count] = strdup(name);
    return more[list->count] ? (list->count++, 0) : -ENOMEM;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int folder_list(const char *path, bool (*keep)(const char *name), char ***out, size_t *count)
{
    struct list list = {.keep = keep};

    *out = NULL;
    *count = 0;
    int ret = visit(path, add, &list);
    if (ret) {
        folder_list_free(list.names, list.count);
        return ret;
    }
    if (list.count)
        qsort(list.names, list.count, sizeof(*list.names), by_name);
    *out = list.names;
    *count = list.count;
    return 0;
}

/** Without the "\\?\" that GetFinalPathNameByHandleW puts in front. */
static const wchar_t *plain(wchar_t *path)
{
    static const wchar_t share[] = L"\\\\?\\UNC\\", drive[] = L"\\\\?\\";
    if (!wcsncmp(path, share, wcslen(share))) {
        path[6] = L'\\'; /* "\\?\UNC\server" -> "\\server" */
        return path + 6;
    }
    return wcsncmp(path, drive, wcslen(drive)) ? path : path + wcslen(drive);
}

int folder_real_path(const char *path, char **out)
{
    wchar_t *wide, *found = NULL;

    *out = NULL;
    int ret = wide_from_utf8(path, &wide);
    if (ret)
        return ret;
    HANDLE file = CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE)
        ret = wide_error(GetLastError());
    else if (!(found = malloc(MAX_PATH_UNITS * sizeof(*found))))
        ret = -ENOMEM;
    else if (GetFinalPathNameByHandleW(file, found, MAX_PATH_UNITS, VOLUME_NAME_DOS) - 1 >=
             MAX_PATH_UNITS - 1)
        ret = wide_error(GetLastError());
    else
        ret = (*out = to_path(plain(found))) ? 0 : -ENOMEM;
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    free(found);
    free(wide);
    return ret;
}
