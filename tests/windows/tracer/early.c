/* SPDX-License-Identifier: MIT */
/* Opens files before main(): in a library's DllMain and in a call-back for thread-local storage. */
#include "tests/windows/tracer/tls.h"

__declspec(dllimport) int early_library(void);

static int touch(const wchar_t *name)
{
    HANDLE file = CreateFileW(name, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return 1;
    CloseHandle(file);
    return 0;
}

static void NTAPI on_thread(PVOID module, DWORD reason, PVOID reserved)
{
    (void)module;
    (void)reserved;
    if (reason == DLL_PROCESS_ATTACH)
        (void)touch(L"in_callback");
}

TLS_CALLBACK(on_thread);

int main(void)
{
    return touch(L"in_main") + early_library();
}
