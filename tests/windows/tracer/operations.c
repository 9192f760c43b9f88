/* SPDX-License-Identifier: MIT */
/* Does one of each thing that can be done to a path, each to a name of its own. */
#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <wchar.h>

#include "tests/windows/tracer/nt_calls.h"

static int failures;

static void check(int good, const char *what)
{
    if (good)
        return;
    printf("FAILED: %s: error %lu\n", what, (unsigned long)GetLastError());
    failures++;
}

static HANDLE open_file(const wchar_t *name, DWORD rights, DWORD how, DWORD flags)
{
    return CreateFileW(name, rights, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                       how, flags, NULL);
}

static void opened(HANDLE handle, const char *what)
{
    check(handle != INVALID_HANDLE_VALUE, what);
    if (handle != INVALID_HANDLE_VALUE)
        CloseHandle(handle);
}

static void open_and_create(void)
{
    opened(open_file(L"created", GENERIC_WRITE, CREATE_ALWAYS, 0), "create");
    opened(open_file(L"read", GENERIC_READ, OPEN_EXISTING, 0), "read");
    opened(open_file(L"both", GENERIC_READ | GENERIC_WRITE, OPEN_EXISTING, 0), "both");
    opened(open_file(L"appended", FILE_APPEND_DATA, OPEN_ALWAYS, 0), "append");
    opened(open_file(L"closed", DELETE, OPEN_EXISTING, FILE_FLAG_DELETE_ON_CLOSE), "on close");
    check(open_file(L"missing", GENERIC_READ, OPEN_EXISTING, 0) == INVALID_HANDLE_VALUE &&
              GetLastError() == ERROR_FILE_NOT_FOUND,
          "missing");
    check(open_file(L"created", GENERIC_WRITE, CREATE_NEW, 0) == INVALID_HANDLE_VALUE &&
              GetLastError() == ERROR_FILE_EXISTS,
          "there already");
    (void)open_file(L"half\xd83d", GENERIC_READ, OPEN_EXISTING,
                    0); /* wine's disk has no such name */
    opened(open_file(L"t\x00e9st \x65e5\x672c", GENERIC_READ, OPEN_EXISTING, 0), "Unicode");
    FILE *stream = _wfopen(L"fopen", L"rb");
    check(stream != NULL, "_wfopen");
    if (stream)
        fclose(stream);
    int fd = _wopen(L"open", _O_RDONLY | _O_BINARY);
    check(fd >= 0, "_wopen");
    if (fd >= 0)
        _close(fd);
}

static void attributes(void)
{
    WIN32_FILE_ATTRIBUTE_DATA data;
    struct _stat64 st;
    check(GetFileAttributesW(L"attributes") != INVALID_FILE_ATTRIBUTES, "attributes");
    check(GetFileAttributesExW(L"full", GetFileExInfoStandard, &data), "full");
    check(GetFileAttributesW(L"nowhere\\x") == INVALID_FILE_ATTRIBUTES, "nowhere");
    check(SetFileAttributesW(L"set", FILE_ATTRIBUTE_NORMAL), "set");
    check(_wstat64(L"stat", &st) == 0, "_wstat64");
}

static void folders(void)
{
    WIN32_FIND_DATAW data;
    HANDLE find = FindFirstFileW(L"listed\\*", &data);
    int count = find != INVALID_HANDLE_VALUE;
    while (find != INVALID_HANDLE_VALUE && FindNextFileW(find, &data))
        count++;
    check(count == 3 && FindClose(find), "list"); /* with . and .. */
    find = FindFirstFileW(L"listed2\\exact", &data);
    check(find != INVALID_HANDLE_VALUE && FindClose(find), "exact");
    check(FindFirstFileW(L"listed3\\lacking", &data) == INVALID_HANDLE_VALUE, "lacking");
    check(CreateDirectoryW(L"made", NULL), "make");
    check(RemoveDirectoryW(L"removed"), "remove");
}

static void change_names(void)
{
    check(MoveFileExW(L"old", L"new", MOVEFILE_REPLACE_EXISTING), "rename");
    check(CreateHardLinkW(L"link", L"linked", NULL), "link");
    check(CopyFileW(L"copied", L"copy", FALSE), "copy");
    check(DeleteFileW(L"deleted"), "delete");
    check(!DeleteFileW(L"not there"), "delete nothing");
}

static void below_a_handle(void)
{
    HANDLE folder =
        open_file(L"folder", FILE_LIST_DIRECTORY, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    HANDLE file;
    check(folder != INVALID_HANDLE_VALUE, "folder");
    check(nt_open(folder, L"inside", FILE_GENERIC_READ, &file) >= 0 && CloseHandle(file), "inside");
    check(nt_open(folder, L"lacking", FILE_GENERIC_READ, &file) == (NTSTATUS)0xc0000034,
          "lacking inside");
    check(nt_delete(folder, L"nt_deleted") >= 0, "NtDeleteFile");
    check(nt_open(folder, L"moved", DELETE | SYNCHRONIZE, &file) >= 0 &&
              nt_rename(file, folder, L"moved here") >= 0 && CloseHandle(file),
          "rename below a folder");
    check(nt_open(folder, L"simple", DELETE | SYNCHRONIZE, &file) >= 0 &&
              (nt_rename(file, NULL, L"simple here") >= 0 || nt_is_wine()) && CloseHandle(file),
          "rename in its own folder");
    CloseHandle(folder);
}

/** By its number on the disk, which has no name in it. */
static void by_number(void)
{
    HANDLE folder = open_file(L".", FILE_LIST_DIRECTORY, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    HANDLE file = open_file(L"numbered", FILE_READ_ATTRIBUTES, OPEN_EXISTING, 0);
    BY_HANDLE_FILE_INFORMATION info;
    check(GetFileInformationByHandle(file, &info), "number");
    CloseHandle(file);
    LONGLONG number = (LONGLONG)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    check(nt_open_by_number(folder, number, &file) >= 0 && CloseHandle(file), "open by number");
    CloseHandle(folder);
}

/** Long names pass Win32 unchanged. */
static void with_a_prefix(void)
{
    wchar_t name[600] = L"\\\\?\\";
    DWORD length = GetCurrentDirectoryW(500, name + 4);
    check(length && length < 500, "folder");
    wcscat_s(name, 600, L"\\prefixed");
    opened(open_file(name, GENERIC_READ, OPEN_EXISTING, 0), "prefixed");
}

/** No files: none of them stands in the trace. */
static void devices(void)
{
    HANDLE in, out, pipe;
    opened(open_file(L"NUL", GENERIC_WRITE, OPEN_EXISTING, 0), "NUL");
    check(CreatePipe(&in, &out, NULL, 0) && CloseHandle(in) && CloseHandle(out), "pipe");
    pipe = CreateNamedPipeW(L"\\\\.\\pipe\\tracetax-operations", PIPE_ACCESS_DUPLEX, 0, 1, 64, 64,
                            0, NULL);
    opened(open_file(L"\\\\.\\pipe\\tracetax-operations", GENERIC_READ, OPEN_EXISTING, 0), "named");
    CloseHandle(pipe);
}

/** The calls' own answers stay as they are, and so does what they leave alone. */
static void answers(void)
{
    HANDLE file = open_file(L"read", GENERIC_READ, OPEN_EXISTING, 0);
    SetLastError(4711);
    HANDLE none;
    check(nt_open(NULL, L"\\??\\C:\\no\\such\\file", FILE_GENERIC_READ, &none) ==
                  (NTSTATUS)0xc000003a &&
              GetLastError() == 4711,
          "status and error are kept");
    check(nt_open(file, L"below a file", FILE_GENERIC_READ, &none) < 0 && GetLastError() == 4711,
          "below a file");
    CloseHandle(file);
}

int main(void)
{
    open_and_create();
    attributes();
    folders();
    change_names();
    below_a_handle();
    by_number();
    with_a_prefix();
    devices();
    answers();
    return failures != 0;
}
