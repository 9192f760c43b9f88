/* SPDX-License-Identifier: MIT */
/* Starts children in every way that Win32 has; each opens a file of its own.
 *   children          all of them
 *   children NAME     a child: opens NAME */
#include <process.h>
#include <stdio.h>

#include "tests/windows/tracer/nt_calls.h"

#define MANY 40

static wchar_t self[600];
static int failures;

static int child(const char *name)
{
    HANDLE file = CreateFileA(name, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return 1;
    CloseHandle(file);
    return 0;
}

static void wait_for(const char *what, BOOL started, PROCESS_INFORMATION *process)
{
    DWORD code = 99;
    if (started) {
        WaitForSingleObject(process->hProcess, INFINITE);
        GetExitCodeProcess(process->hProcess, &code);
        CloseHandle(process->hProcess);
        CloseHandle(process->hThread);
    }
    if (code) {
        printf("FAILED: %s: exit status %lu, error %lu\n", what, (unsigned long)code,
               (unsigned long)GetLastError());
        failures++;
    }
}

static wchar_t *line(const wchar_t *name)
{
    static wchar_t text[700];
    swprintf(text, 700, L"\"%ls\" %ls", self, name);
    return text;
}

static void start(const char *what, const wchar_t *name, DWORD flags, void *environment)
{
    STARTUPINFOW startup = {.cb = sizeof(startup)};
    PROCESS_INFORMATION process;
    BOOL started = CreateProcessW(NULL, line(name), NULL, NULL, FALSE, flags, environment, NULL,
                                  &startup, &process);
    if (started && flags & CREATE_SUSPENDED)
        ResumeThread(process.hThread);
    wait_for(what, started, &process);
}

static void start_ansi(void)
{
    STARTUPINFOA startup = {.cb = sizeof(startup)};
    PROCESS_INFORMATION process;
    char text[1400];
    WideCharToMultiByte(CP_ACP, 0, line(L"ansi"), -1, text, sizeof(text), NULL, NULL);
    wait_for("CreateProcessA",
             CreateProcessA(NULL, text, NULL, NULL, FALSE, 0, NULL, NULL, &startup, &process),
             &process);
}

static void start_as_user(void)
{
    STARTUPINFOW startup = {.cb = sizeof(startup)};
    PROCESS_INFORMATION process;
    HANDLE token = NULL;
    OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY | TOKEN_DUPLICATE | TOKEN_ASSIGN_PRIMARY,
                     &token);
    wait_for("CreateProcessAsUserW",
             CreateProcessAsUserW(token, NULL, line(L"user"), NULL, NULL, FALSE, 0, NULL, NULL,
                                  &startup, &process),
             &process);
    CloseHandle(token);
}

int main(int argc, char **argv)
{
    static wchar_t empty[2], one[] = L"A=1\0";
    if (argc > 1)
        return child(argv[1]);
    GetModuleFileNameW(NULL, self, 600);
    start("CreateProcessW", L"wide", 0, NULL);
    start("an empty environment", L"empty", CREATE_UNICODE_ENVIRONMENT, empty);
    start("an environment of one", L"one", CREATE_UNICODE_ENVIRONMENT, one);
    start("started suspended", L"suspended", CREATE_SUSPENDED, NULL);
    start_ansi();
    start_as_user();
    if (_wspawnl(_P_WAIT, self, L"children", L"spawned", NULL)) {
        printf("FAILED: _wspawnl\n");
        failures++;
    }
    for (int i = 0; i < MANY; i++) {
        wchar_t name[16];
        swprintf(name, 16, L"many/%d", i);
        start("one of many", name, 0, NULL);
    }
    STARTUPINFOW startup = {.cb = sizeof(startup)};
    PROCESS_INFORMATION process;
    wchar_t no_program[] = L"no such program";
    if (CreateProcessW(L"no_such.exe", no_program, NULL, NULL, FALSE, 0, NULL, NULL, &startup,
                       &process) ||
        GetLastError() != ERROR_FILE_NOT_FOUND) {
        printf("FAILED: a program that is not there: error %lu\n", (unsigned long)GetLastError());
        failures++;
    }
    return failures != 0;
}
