/* SPDX-License-Identifier: MIT */
/* A library that opens a file while it is loaded. */
#include <windows.h>

__declspec(dllexport) int early_library(void);
BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, void *reserved);

int early_library(void)
{
    return 0;
}

BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, void *reserved)
{
    (void)instance;
    (void)reserved;
    if (reason == DLL_PROCESS_ATTACH) {
        HANDLE file =
            CreateFileW(L"in_library", GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
        if (file == INVALID_HANDLE_VALUE)
            return FALSE;
        CloseHandle(file);
    }
    return TRUE;
}
