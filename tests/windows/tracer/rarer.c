/* SPDX-License-Identifier: MIT */
/* What not every system has: each is asked for by its name, and where it is lacking the reason is
 * printed and the exit status is 77. rarer by_name | listing_ex | unc | short_name | policy |
 * unpaired rarer child NAME    what `policy` starts: opens NAME */
#include <stdio.h>
#include <stdlib.h>

#include "common/compiler.h"
#include "tests/windows/tracer/nt_calls.h"

#define SKIPPED 77

static int skip(const char *reason)
{
    printf("SKIPPED: %s\n", reason);
    return SKIPPED;
}

static HANDLE open_file(const wchar_t *name, DWORD flags)
{
    return CreateFileW(name, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING,
                       flags, NULL);
}

static int opens(const wchar_t *name)
{
    HANDLE file = open_file(name, 0);
    if (file == INVALID_HANDLE_VALUE)
        return 0;
    CloseHandle(file);
    return 1;
}

/** NtQueryInformationByName, as GetFileInformationByName() and newer run-times' stat() call it. */
static int by_name(void)
{
    typedef NTSTATUS NTAPI query(OBJECT_ATTRIBUTES *, IO_STATUS_BLOCK *, void *, ULONG, int);
    query *ask = (query *)nt_function("NtQueryInformationByName");
    static const wchar_t *const names[] = {L"there", L"lacking"};
    static const NTSTATUS expected[] = {0, (NTSTATUS)0xc0000034};
    int failed = 0;

    if (!ask)
        return skip("this system has no NtQueryInformationByName");
    HANDLE here = open_file(L".", FILE_FLAG_BACKUP_SEMANTICS);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        ULONGLONG information[16]; /* FILE_STAT_INFORMATION has 72 bytes */
        UNICODE_STRING text = nt_string(names[i]);
        OBJECT_ATTRIBUTES object = nt_object(here, &text);
        IO_STATUS_BLOCK io;
        failed |= ask(&object, &io, information, 72, 68 /* FileStatInformation */) != expected[i];
    }
    CloseHandle(here);
    return failed;
}

static int listing_ex(void)
{
    typedef NTSTATUS NTAPI query(HANDLE, HANDLE, void *, void *, IO_STATUS_BLOCK *, void *, ULONG,
                                 int, ULONG, UNICODE_STRING *);
    query *list = (query *)nt_function("NtQueryDirectoryFileEx");
    ULONGLONG entries[512];
    IO_STATUS_BLOCK io;
    HANDLE folder;

    if (!list)
        return skip("this system has no NtQueryDirectoryFileEx");
    HANDLE here = open_file(L".", FILE_FLAG_BACKUP_SEMANTICS);
    int failed = nt_open(here, L"listed", FILE_LIST_DIRECTORY | SYNCHRONIZE, &folder) < 0;
    if (!failed)
        failed = list(folder, NULL, NULL, NULL, &io, entries, sizeof(entries),
                      1 /* FileDirectoryInformation */, 1 /* SL_RESTART_SCAN */, NULL) < 0;
    if (!failed)
        CloseHandle(folder);
    CloseHandle(here);
    return failed;
}

/** A share that nobody has: the attempt counts. */
static int unc(void)
{
    return opens(L"\\\\127.0.0.1\\tracetax-no-share\\folder\\by_unc") ||
           opens(L"\\\\?\\UNC\\127.0.0.1\\tracetax-no-share\\by_long_unc");
}

static int short_name(void)
{
    wchar_t name[600];
    DWORD length = GetShortPathNameW(L"..\\a longer name than eight", name, ARRAY_LEN(name));
    if (!length || length > 500 || !wcschr(name, L'~'))
        return skip("this disk has no short names");
    wcscat_s(name, ARRAY_LEN(name), L"\\inside");
    return !opens(name);
}

/** Does the process refuse libraries that are not Microsoft's? */
static int is_guarded(HANDLE process)
{
    typedef BOOL WINAPI get_policy(HANDLE, int, void *, SIZE_T);
    get_policy *get = (get_policy *)(uintptr_t)GetProcAddress(GetModuleHandleW(L"kernel32.dll"),
                                                              "GetProcessMitigationPolicy");
    DWORD flags = 0;
    return get && get(process, 8 /* ProcessSignaturePolicy */, &flags, sizeof(flags)) && flags & 1;
}

static int policy(void)
{
    DWORD64 wanted = UINT64_C(1) << 44; /* BLOCK_NON_MICROSOFT_BINARIES_ALWAYS_ON */
    STARTUPINFOEXW startup = {.StartupInfo.cb = sizeof(startup)};
    PROCESS_INFORMATION child;
    SIZE_T size_bytes = 0;
    wchar_t self[600], line[700];
    DWORD code = 99;

    (void)InitializeProcThreadAttributeList(NULL, 1, 0, &size_bytes);
    startup.lpAttributeList = malloc(size_bytes);
    if (!startup.lpAttributeList ||
        !InitializeProcThreadAttributeList(startup.lpAttributeList, 1, 0, &size_bytes) ||
        !UpdateProcThreadAttribute(startup.lpAttributeList, 0, 0x20007 /* MITIGATION_POLICY */,
                                   &wanted, sizeof(wanted), NULL, NULL))
        return skip("this system takes no policies for processes");
    GetModuleFileNameW(NULL, self, ARRAY_LEN(self));
    (void)swprintf(line, ARRAY_LEN(line), L"\"%ls\" child by_child", self);
    if (!CreateProcessW(NULL, line, NULL, NULL, FALSE,
                        EXTENDED_STARTUPINFO_PRESENT | CREATE_SUSPENDED, NULL, NULL,
                        &startup.StartupInfo, &child))
        return 1;
    int guarded = is_guarded(child.hProcess);
    ResumeThread(child.hThread);
    WaitForSingleObject(child.hProcess, INFINITE);
    GetExitCodeProcess(child.hProcess, &code);
    if (code)
        printf("FAILED: the child ended with %lu\n", (unsigned long)code);
    else if (!guarded)
        return skip("this system gives a process no policies");
    return (int)code;
}

/** A name with half of a pair of surrogates, which wine's disk cannot hold. */
static int unpaired(void)
{
    const wchar_t *name = L"half\xd83d";
    HANDLE file = CreateFileW(name, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL);
    if (file == INVALID_HANDLE_VALUE && nt_is_wine())
        return skip("this disk has no names with half a surrogate pair");
    if (file == INVALID_HANDLE_VALUE)
        return 1;
    CloseHandle(file);
    return !opens(name);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } tests[] = {
        {"by_name", by_name},       {"listing_ex", listing_ex}, {"unc", unc},
        {"short_name", short_name}, {"policy", policy},         {"unpaired", unpaired},
    };
    const char *what = argc > 1 ? argv[1] : "";
    wchar_t wide[64];

    if (!strcmp(what, "child") && argc == 3 &&
        MultiByteToWideChar(CP_UTF8, 0, argv[2], -1, wide, ARRAY_LEN(wide)))
        return !opens(wide);
    for (size_t i = 0; i < ARRAY_LEN(tests); i++) {
        if (!strcmp(what, tests[i].name))
            return tests[i].run();
    }
    return 2;
}
