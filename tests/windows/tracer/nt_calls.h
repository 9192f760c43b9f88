/* SPDX-License-Identifier: MIT */
/* The kernel's own calls, for test programs. */
#ifndef TESTS_NT_CALLS_H
#define TESTS_NT_CALLS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>
#include <windows.h>
#include <winternl.h>

static inline uintptr_t nt_function(const char *name)
{
    return (uintptr_t)GetProcAddress(GetModuleHandleW(L"ntdll.dll"), name);
}

/** Some things only Windows itself can do. */
static inline int nt_is_wine(void)
{
    return nt_function("wine_get_version") != 0;
}

static inline OBJECT_ATTRIBUTES nt_object(HANDLE folder, UNICODE_STRING *name)
{
    OBJECT_ATTRIBUTES object;
    InitializeObjectAttributes(&object, name, OBJ_CASE_INSENSITIVE, folder, NULL);
    return object;
}

static inline UNICODE_STRING nt_string(const wchar_t *text)
{
    USHORT bytes = (USHORT)(wcslen(text) * 2);
    return (UNICODE_STRING){bytes, bytes, (wchar_t *)(ULONG_PTR)text};
}

/** NtOpenFile; synchronous. */
static inline NTSTATUS nt_open(HANDLE folder, const wchar_t *name, ACCESS_MASK rights, HANDLE *out)
{
    UNICODE_STRING text = nt_string(name);
    OBJECT_ATTRIBUTES object = nt_object(folder, &text);
    IO_STATUS_BLOCK io;
    return NtOpenFile(out, rights, &object, &io,
                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                      FILE_SYNCHRONOUS_IO_NONALERT);
}

static inline NTSTATUS nt_open_by_number(HANDLE folder, LONGLONG number, HANDLE *out)
{
    UNICODE_STRING text = {sizeof(number), sizeof(number), (wchar_t *)(void *)&number};
    OBJECT_ATTRIBUTES object = nt_object(folder, &text);
    IO_STATUS_BLOCK io;
    return NtOpenFile(out, FILE_GENERIC_READ, &object, &io, FILE_SHARE_READ | FILE_SHARE_WRITE,
                      FILE_SYNCHRONOUS_IO_NONALERT | FILE_OPEN_BY_FILE_ID);
}

static inline NTSTATUS nt_delete(HANDLE folder, const wchar_t *name)
{
    typedef NTSTATUS NTAPI delete_file(OBJECT_ATTRIBUTES *);
    UNICODE_STRING text = nt_string(name);
    OBJECT_ATTRIBUTES object = nt_object(folder, &text);
    return ((delete_file *)nt_function("NtDeleteFile"))(&object);
}

/** FileRenameInformation. @folder where the new name is; NULL: where the file is */
static inline NTSTATUS nt_rename(HANDLE file, HANDLE folder, const wchar_t *name)
{
    typedef NTSTATUS NTAPI set_information(HANDLE, IO_STATUS_BLOCK *, void *, ULONG, int);
    union {
        FILE_RENAME_INFO info;
        char bytes[sizeof(FILE_RENAME_INFO) + 512];
    } rename = {.info = {.RootDirectory = folder, .FileNameLength = (DWORD)(wcslen(name) * 2)}};
    IO_STATUS_BLOCK io;
    memcpy(rename.info.FileName, name, rename.info.FileNameLength);
    return ((set_information *)nt_function("NtSetInformationFile"))(file, &io, &rename,
                                                                    sizeof(rename), 10);
}

#endif
