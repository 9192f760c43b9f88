/* SPDX-License-Identifier: MIT */
/* The loop that starts programs, on Windows. */
#include <errno.h>
#include <windows.h>

#include "common/wide.h"
#include "common/wtf8.h"

#include "operations.h"

/** The command that does nothing, of this very program. */
static const wchar_t nothing[] = L"\" nothing";

/** @return whether the program ended as it should; else the failure is noted. */
static bool ended_well(struct wl_thread *thread, PROCESS_INFORMATION *process)
{
    DWORD status = 0;
    bool known = WaitForSingleObject(process->hProcess, INFINITE) == WAIT_OBJECT_0 &&
                 GetExitCodeProcess(process->hProcess, &status);
    if (!known)
        wl_thread_fail(thread, "cannot wait for", wide_error(GetLastError()));
    CloseHandle(process->hThread);
    CloseHandle(process->hProcess);
    if (status) {
        thread->child_status = (int)status;
        wl_thread_fail(thread, "ended badly", -ECHILD);
    }
    return known && !status;
}

void wl_loop_spawn(struct wl_thread *thread)
{
    wchar_t program[WL_PATH_SIZE], line[WL_PATH_SIZE + 16];
    size_t size_bytes = strlen(thread->name.path), units;

    if (wtf8_to_utf16(thread->name.path, size_bytes, (uint16_t *)program, &units)) {
        wl_thread_fail(thread, "cannot pass on", -EILSEQ);
        return;
    }
    program[units] = L'\0';
    for (size_t i = 0; i < thread->count; i++) {
        STARTUPINFOW startup = {.cb = sizeof(startup)};
        PROCESS_INFORMATION process;
        /* CreateProcessW may write to its command line: anew each time. */
        line[0] = L'"';
        memcpy(line + 1, program, units * sizeof(*line));
        memcpy(line + 1 + units, nothing, sizeof(nothing));
        if (!CreateProcessW(program, line, NULL, NULL, FALSE, 0, NULL, NULL, &startup, &process)) {
            wl_thread_fail(thread, "cannot start", wide_error(GetLastError()));
            return;
        }
        if (!ended_well(thread, &process))
            return;
    }
}
