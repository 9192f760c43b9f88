/* SPDX-License-Identifier: MIT */
/* Takes the tracer's library away, so that its child cannot be entered; the child runs all the
 * same. hidden_library          renames it in the folder that the variable HOOK_FOLDER names,
 * starts a child hidden_library NAME     the child: opens NAME */
#include <stdio.h>
#include <wchar.h>
#include <windows.h>

int main(int argc, char **argv)
{
    wchar_t self[600], line[700], folder[500], from[600], to[600];
    STARTUPINFOW startup = {.cb = sizeof(startup)};
    PROCESS_INFORMATION process;
    DWORD code = 99;

    if (argc > 1) {
        HANDLE file = CreateFileA(argv[1], GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
        return file == INVALID_HANDLE_VALUE;
    }
    if (!GetEnvironmentVariableW(L"HOOK_FOLDER", folder, 500))
        return 2;
    swprintf(from, 600, L"%ls\\libfiletrace-hook64.dll", folder);
    swprintf(to, 600, L"%ls\\away.dll", folder);
    if (!MoveFileW(from, to)) {
        printf("FAILED: cannot rename %ls: error %lu\n", from, (unsigned long)GetLastError());
        return 3;
    }
    GetModuleFileNameW(NULL, self, 600);
    swprintf(line, 700, L"\"%ls\" by_child", self);
    if (CreateProcessW(NULL, line, NULL, NULL, FALSE, 0, NULL, NULL, &startup, &process)) {
        WaitForSingleObject(process.hProcess, INFINITE);
        GetExitCodeProcess(process.hProcess, &code);
    }
    return (int)code;
}
