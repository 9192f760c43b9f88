/* SPDX-License-Identifier: MIT */
/* The tracer's end of the pipe. */
#define _CRT_RAND_S /* rand_s() in stdlib.h */
#include "tracer/windows/answer.h"

#include <errno.h>
#include <stdlib.h>

#include "common/wide.h"
#include "tracer/windows/ask.h"

int ft_answer_name(uint64_t *out)
{
    unsigned int parts[2];
    *out = 0;
    if (rand_s(&parts[0]) || rand_s(&parts[1]))
        return -EIO;
    *out = (uint64_t)parts[0] << 32 | parts[1] | 1; /* 0 means that there is none */
    return 0;
}

/** Wait for what was begun. @return false when it failed, took too long, or we are to stop */
static bool complete(struct ft_answerer *answerer, BOOL begun, DWORD limit_ms, DWORD *done_bytes)
{
    const HANDLE events[] = {answerer->io.hEvent, answerer->stop};
    *done_bytes = 0;
    if (!begun && GetLastError() != ERROR_IO_PENDING)
        return GetLastError() == ERROR_PIPE_CONNECTED;
    if (WaitForMultipleObjects(2, events, FALSE, limit_ms) != WAIT_OBJECT_0)
        (void)CancelIo(answerer->pipe);
    return GetOverlappedResult(answerer->pipe, &answerer->io, done_bytes, TRUE);
}

static HANDLE take(HANDLE client, uint64_t theirs)
{
    HANDLE ours = NULL;
    return DuplicateHandle(client, (HANDLE)(uintptr_t)theirs, GetCurrentProcess(), &ours, 0, FALSE,
                           DUPLICATE_SAME_ACCESS)
               ? ours
               : NULL;
}

/** Enter what the client has handles of, with the rights that those have. The kernel says who the
 * client is; as long as it waits for us its number is no other's. */
static enum ft_entry enter_for_client(struct ft_answerer *answerer, const struct ft_ask *ask)
{
    ULONG pid;
    HANDLE client = GetNamedPipeClientProcessId(answerer->pipe, &pid)
                        ? OpenProcess(PROCESS_DUP_HANDLE, FALSE, pid)
                        : NULL;
    HANDLE process = client ? take(client, ask->process) : NULL;
    HANDLE thread = client ? take(client, ask->thread) : NULL;
    const HANDLE handles[] = {client, process, thread};
    enum ft_entry entry = process && thread && GetProcessIdOfThread(thread) == GetProcessId(process)
                              ? ft_inject(answerer->injector, process, thread)
                              : FT_ENTRY_FAILED;
    for (size_t i = 0; i < ARRAY_LEN(handles); i++) {
        if (handles[i])
            CloseHandle(handles[i]);
    }
    return entry;
}

/** One client, which may be anybody. Who does not ask as we do gets no answer. */
static void answer_client(struct ft_answerer *answerer)
{
    struct ft_answer answer = {FT_ANSWER_MAGIC, FT_ENTRY_FAILED};
    char bytes[sizeof(struct ft_ask)];
    struct ft_ask ask;
    DWORD n;

    /* A longer message fails. */
    if (!complete(answerer, ReadFile(answerer->pipe, bytes, sizeof(bytes), NULL, &answerer->io),
                  FT_ANSWER_LIMIT_MS, &n) ||
        ft_ask_read(bytes, n, answerer->injector->payload->nonce, &ask))
        return;
    answer.entry = enter_for_client(answerer, &ask);
    /* What the client has not read is lost when the pipe is disconnected: wait until it has closed
     * its end, which ends the reading. */
    if (complete(answerer, WriteFile(answerer->pipe, &answer, sizeof(answer), NULL, &answerer->io),
                 FT_ANSWER_LIMIT_MS, &n))
        (void)complete(answerer, ReadFile(answerer->pipe, bytes, 1, NULL, &answerer->io),
                       FT_ANSWER_LIMIT_MS, &n);
}

static DWORD WINAPI serve(void *context)
{
    struct ft_answerer *answerer = context;
    DWORD n;

    while (WaitForSingleObject(answerer->stop, 0) == WAIT_TIMEOUT) {
        /* Fails where a client has gone already: the next one may come. */
        if (complete(answerer, ConnectNamedPipe(answerer->pipe, &answerer->io), INFINITE, &n))
            answer_client(answerer);
        (void)DisconnectNamedPipe(answerer->pipe);
    }
    return 0;
}

static int make_pipe(uint64_t number, HANDLE *out)
{
    const DWORD room_bytes = 2 * sizeof(struct ft_ask);
    uint16_t name[FT_PIPE_NAME_UNITS];

    *out = NULL;
    if (!number)
        return -EINVAL;
    ft_pipe_name(number, name);
    /* The first of its name, so that nobody waits there before us; other users may not write. */
    HANDLE pipe =
        CreateNamedPipeW((const wchar_t *)name,
                         PIPE_ACCESS_DUPLEX | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
                         PIPE_TYPE_MESSAGE | PIPE_READMODE_MESSAGE | PIPE_REJECT_REMOTE_CLIENTS, 1,
                         room_bytes, room_bytes, 0, NULL);
    if (pipe == INVALID_HANDLE_VALUE)
        return wide_error(GetLastError());
    *out = pipe;
    return 0;
}

int ft_answer_start(struct ft_answerer *out, const struct ft_injector *injector)
{
    *out = (struct ft_answerer){.injector = injector};
    int ret = make_pipe(injector->payload->pipe, &out->pipe);
    if (ret)
        return ret;
    out->stop = CreateEventW(NULL, TRUE, FALSE, NULL);
    out->io.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (out->stop && out->io.hEvent)
        out->thread = CreateThread(NULL, 0, serve, out, 0, NULL);
    if (out->thread)
        return 0;
    ret = wide_error(GetLastError());
    ft_answer_stop(out);
    return ret;
}

void ft_answer_stop(struct ft_answerer *answerer)
{
    if (answerer->thread) {
        (void)SetEvent(answerer->stop);
        (void)WaitForSingleObject(answerer->thread, INFINITE);
        CloseHandle(answerer->thread);
    }
    const HANDLE handles[] = {answerer->pipe, answerer->stop, answerer->io.hEvent};
    for (size_t i = 0; i < ARRAY_LEN(handles); i++) {
        if (handles[i])
            CloseHandle(handles[i]);
    }
    *answerer = (struct ft_answerer){0};
}
