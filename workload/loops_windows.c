/* SPDX-License-Identifier: MIT */
/* The table of operations and their loops over files, on Windows. */
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

#include "common/wide.h"
#include "common/wtf8.h"

#include "operations.h"

#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

/** The thread's name in UTF-16, so that no loop pays for turning it. */
struct wide_name {
    wchar_t path[WL_PATH_SIZE];
    wchar_t *last_digit; /**< inside path */
};

/** Note what Windows says of the call that has just failed. */
static void fail(struct wl_thread *thread, const char *what)
{
    wl_thread_fail(thread, what, wide_error(GetLastError()));
}

/** @suffix is put behind the digits. @return whether it could be; else the failure is noted */
static bool widen(struct wl_thread *thread, const wchar_t *suffix, struct wide_name *out)
{
    size_t size_bytes = strlen(thread->name.path), units;
    if (size_bytes + wcslen(suffix) >= WL_PATH_SIZE ||
        wtf8_to_utf16(thread->name.path, size_bytes, (uint16_t *)out->path, &units)) {
        wl_thread_fail(thread, "cannot pass on", -ENAMETOOLONG);
        return false;
    }
    memcpy(out->path + units, suffix, (wcslen(suffix) + 1) * sizeof(*suffix));
    out->last_digit = out->path + units - 1;
    return true;
}

/** Go on to the next file, in both forms. */
static void next(struct wl_thread *thread, struct wide_name *name)
{
    wchar_t *digit = name->last_digit;
    while (*digit == L'9')
        *digit-- = L'0';
    ++*digit;
    wl_name_next(&thread->name);
}

static HANDLE open_file(const wchar_t *path)
{
    return CreateFileW(path, GENERIC_READ, SHARE_ALL, NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL,
                       NULL);
}

static void loop_open_close(struct wl_thread *thread)
{
    struct wide_name name;
    if (!widen(thread, L"", &name))
        return;
    for (size_t i = 0; i < thread->count; i++) {
        HANDLE file = open_file(name.path);
        if (file == INVALID_HANDLE_VALUE) {
            fail(thread, "cannot open");
            return;
        }
        if (!CloseHandle(file)) {
            fail(thread, "cannot close");
            return;
        }
        next(thread, &name);
    }
}

static void loop_wfopen(struct wl_thread *thread)
{
    struct wide_name name;
    if (!widen(thread, L"", &name))
        return;
    for (size_t i = 0; i < thread->count; i++) {
        FILE *file = _wfopen(name.path, L"rb");
        if (!file) {
            wl_thread_fail(thread, "cannot open", -errno);
            return;
        }
        if (fclose(file)) {
            wl_thread_fail(thread, "cannot close", -errno);
            return;
        }
        next(thread, &name);
    }
}

static void loop_wopen(struct wl_thread *thread)
{
    struct wide_name name;
    if (!widen(thread, L"", &name))
        return;
    for (size_t i = 0; i < thread->count; i++) {
        int fd = _wopen(name.path, _O_RDONLY | _O_BINARY | _O_NOINHERIT);
        if (fd < 0) {
            wl_thread_fail(thread, "cannot open", -errno);
            return;
        }
        if (_close(fd)) {
            wl_thread_fail(thread, "cannot close", -errno);
            return;
        }
        next(thread, &name);
    }
}

static void loop_stat(struct wl_thread *thread)
{
    struct wide_name name;
    if (!widen(thread, L"", &name))
        return;
    for (size_t i = 0; i < thread->count; i++) {
        WIN32_FILE_ATTRIBUTE_DATA data;
        if (!GetFileAttributesExW(name.path, GetFileExInfoStandard, &data)) {
            fail(thread, "cannot stat");
            return;
        }
        next(thread, &name);
    }
}

static void loop_missing(struct wl_thread *thread)
{
    struct wide_name name;
    if (!widen(thread, L"", &name))
        return;
    for (size_t i = 0; i < thread->count; i++) {
        HANDLE file = open_file(name.path);
        if (file != INVALID_HANDLE_VALUE) {
            CloseHandle(file); /* read only: nothing can be lost */
            wl_thread_fail(thread, "this file must not be there", -EEXIST);
            return;
        }
        if (wide_error(GetLastError()) != -ENOENT) {
            fail(thread, "cannot look for");
            return;
        }
        next(thread, &name);
    }
}

static void loop_read_dir(struct wl_thread *thread)
{
    struct wide_name name;
    if (!widen(thread, L"/*", &name))
        return;
    for (size_t i = 0; i < thread->count; i++) {
        WIN32_FIND_DATAW entry;
        HANDLE folder = FindFirstFileW(name.path, &entry);
        if (folder == INVALID_HANDLE_VALUE) {
            fail(thread, "cannot open the folder");
            return;
        }
        while (FindNextFileW(folder, &entry))
            ;
        DWORD code = GetLastError();
        FindClose(folder);
        if (code != ERROR_NO_MORE_FILES) {
            wl_thread_fail(thread, "cannot read the folder", wide_error(code));
            return;
        }
        next(thread, &name);
    }
}

const struct wl_operation wl_table[] = {
    {.name = "open-close",
     .does = "open each file by its path below DIR and close it at once (CreateFileW)",
     .kind = "file",
     .needs_prepared = true,
     .loop = loop_open_close},
    {.name = "launch", .does = "nothing: what starting a program costs"},
    {.name = "open-relative",
     .does = "as open-close, with names relative to DIR, which is made the working folder once",
     .kind = "file",
     .needs_prepared = true,
     .relative = true,
     .loop = loop_open_close},
    {.name = "stat",
     .does = "ask for each file's metadata without opening it (GetFileAttributesExW)",
     .kind = "file",
     .needs_prepared = true,
     .loop = loop_stat},
    {.name = "missing",
     .does = "try to open files that are not there",
     .kind = "gone",
     .loop = loop_missing},
    {.name = "read-dir",
     .does = "open each of as many empty folders, read it to its end and close it",
     .kind = "dir",
     .needs_prepared = true,
     .loop = loop_read_dir},
    {.name = "spawn",
     .does = "start a program that does nothing, by CreateProcessW, and wait for it (100 in all)",
     .starts_programs = true,
     .default_total = 100,
     .loop = wl_loop_spawn},
    {.name = "open-close-wfopen",
     .does = "as open-close, by _wfopen of the C runtime",
     .kind = "file",
     .needs_prepared = true,
     .loop = loop_wfopen},
    {.name = "open-close-wopen",
     .does = "as open-close, by _wopen of the C runtime",
     .kind = "file",
     .needs_prepared = true,
     .loop = loop_wopen},
};

const size_t wl_table_count = sizeof(wl_table) / sizeof(wl_table[0]);
