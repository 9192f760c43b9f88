/* SPDX-License-Identifier: MIT */
/* The injected library of 32-bit programs asks the tracer for what it cannot do itself. */
#include "tracer/windows/hook_ask.h"

#define BUSY_TRIES 50
#define BUSY_WAIT_MS 100 /**< others ask, too; the tracer's own limit on each is longer */

bool ft_hook_must_ask(HANDLE process)
{
    BOOL self = FALSE, other = FALSE;
    return sizeof(void *) == 4 && IsWow64Process(GetCurrentProcess(), &self) && self &&
           IsWow64Process(process, &other) && !other;
}

static HANDLE connect_pipe(uint64_t pipe)
{
    uint16_t units[FT_PIPE_NAME_UNITS];
    WCHAR name[FT_PIPE_NAME_UNITS];
    ft_pipe_name(pipe, units);
    for (uint32_t i = 0; i < FT_PIPE_NAME_UNITS; i++)
        name[i] = (WCHAR)units[i];
    for (int i = 0; i < BUSY_TRIES; i++) {
        /* Whoever serves this pipe learns nothing of who we are, and cannot act as us. */
        HANDLE end =
            CreateFileW(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING,
                        FILE_FLAG_OVERLAPPED | SECURITY_SQOS_PRESENT | SECURITY_ANONYMOUS, NULL);
        if (end != INVALID_HANDLE_VALUE)
            return end;
        if (GetLastError() != ERROR_PIPE_BUSY)
            return NULL;
        (void)WaitNamedPipeW(name, BUSY_WAIT_MS);
    }
    return NULL;
}

/** Wait until what was begun is done, or until the tracer has ended. @return its bytes; 0: none */
static DWORD complete(HANDLE pipe, HANDLE tracer, OVERLAPPED *io, BOOL begun)
{
    const HANDLE events[] = {io->hEvent, tracer};
    DWORD done_bytes = 0;
    if (!begun && GetLastError() != ERROR_IO_PENDING)
        return 0;
    if (WaitForMultipleObjects(tracer ? 2 : 1, events, FALSE, INFINITE) != WAIT_OBJECT_0)
        (void)CancelIo(pipe);
    return GetOverlappedResult(pipe, io, &done_bytes, TRUE) ? done_bytes : 0;
}

enum ft_entry ft_hook_ask(const struct ft_payload *payload, HANDLE tracer, HANDLE process,
                          HANDLE thread)
{
    const struct ft_ask ask = {FT_ASK_MAGIC, payload->nonce, (uintptr_t)process, (uintptr_t)thread};
    struct ft_answer answer;
    OVERLAPPED io = {0};
    enum ft_entry entry = FT_ENTRY_FAILED;
    HANDLE pipe = payload->pipe ? connect_pipe(payload->pipe) : NULL;

    if (!pipe)
        return FT_ENTRY_FAILED;
    io.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (io.hEvent &&
        complete(pipe, tracer, &io, WriteFile(pipe, &ask, sizeof(ask), NULL, &io)) == sizeof(ask))
        entry =
            ft_answer_read(&answer, complete(pipe, tracer, &io,
                                             ReadFile(pipe, &answer, sizeof(answer), NULL, &io)));
    if (io.hEvent)
        CloseHandle(io.hEvent);
    CloseHandle(pipe);
    return entry;
}
