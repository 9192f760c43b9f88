/* SPDX-License-Identifier: MIT */
/* Both ends of the tracer's pipe, in one process: a child is entered through it as a 32-bit parent
 * would have it, and whoever says anything else changes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "tests/windows/tracer/nt_calls.h"
#include "tracer/log.h"
#include "tracer/windows/answer.h"
#include "tracer/windows/hook_ask.h"

static struct ft_log tracer_log;
static struct ft_payload payload;
static struct ft_injector injector;
static struct ft_answerer answerer;
static wchar_t helper[600];

static int start_answering(void **state)
{
    wchar_t hook[600];
    struct err err;
    (void)state;
    if (ft_log_open(&tracer_log, &err) ||
        !GetEnvironmentVariableW(L"HELPER", helper, ARRAY_LEN(helper)) ||
        !GetEnvironmentVariableW(L"HOOK", hook, ARRAY_LEN(hook)) ||
        !GetFullPathNameW(hook, FT_LIBRARY_UNITS, (wchar_t *)payload.libraries[FT_LIBRARY_64],
                          NULL))
        return -1;
    payload.nonce = tracer_log.head->nonce;
    injector = (struct ft_injector){
        .payload = &payload,
        .log_section = tracer_log.section,
        .query_attributes = (ft_nt_query_attributes *)nt_function("NtQueryAttributesFile"),
    };
    return ft_answer_name(&payload.pipe) || ft_answer_start(&answerer, &injector);
}

static int stop_answering(void **state)
{
    (void)state;
    ft_answer_stop(&answerer);
    ft_log_close(&tracer_log);
    return 0;
}

/** A child that has not begun. */
static PROCESS_INFORMATION start_child(void)
{
    STARTUPINFOW startup = {.cb = sizeof(startup)};
    PROCESS_INFORMATION child;
    wchar_t line[700];
    (void)swprintf(line, ARRAY_LEN(line), L"\"%ls\" exit 5", helper);
    assert_true(CreateProcessW(NULL, line, NULL, NULL, FALSE, CREATE_SUSPENDED, NULL, NULL,
                               &startup, &child));
    return child;
}

static int count_starts(void *context, const struct ft_record *records, size_t size_bytes)
{
    const DWORD *pid = context;
    size_t offset = 0;
    uint64_t torn = 0;
    const struct ft_record *record;
    int starts = 0;
    while ((record = ft_record_next((const char *)records, size_bytes, &offset, &torn)))
        starts += record->kind == FT_KIND_START && record->pid == *pid;
    return starts;
}

/** Let a child run to its end, which must be its own. @return whether it was watched */
static bool run_child(PROCESS_INFORMATION *child)
{
    DWORD code, pid = child->dwProcessId;
    assert_int_equal(ResumeThread(child->hThread), 1); /* it was suspended once, by us */
    assert_int_equal(WaitForSingleObject(child->hProcess, INFINITE), WAIT_OBJECT_0);
    assert_true(GetExitCodeProcess(child->hProcess, &code));
    assert_int_equal(code, 5);
    CloseHandle(child->hThread);
    CloseHandle(child->hProcess);
    return ft_log_drain_all(&tracer_log, count_starts, &pid) != 0;
}

static void works(void)
{
    PROCESS_INFORMATION child = start_child();
    assert_int_equal(ft_hook_ask(&payload, NULL, child.hProcess, child.hThread), FT_ENTRY_DONE);
    assert_true(run_child(&child));
}

static void enters_a_child(void **state)
{
    (void)state;
    works();
    works();
}

static HANDLE connect_to(uint64_t pipe)
{
    wchar_t name[FT_PIPE_NAME_UNITS];
    ft_pipe_name(pipe, (uint16_t *)name);
    for (;;) { /* the answerer may be busy with the end of the one before */
        HANDLE end =
            CreateFileW(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING, 0, NULL);
        if (end != INVALID_HANDLE_VALUE)
            return end;
        assert_int_equal(GetLastError(), ERROR_PIPE_BUSY);
        (void)WaitNamedPipeW(name, NMPWAIT_WAIT_FOREVER);
    }
}

/** Say something. @return what is answered; FT_ENTRY_COUNT: nothing */
static unsigned say(const void *bytes, DWORD size_bytes)
{
    struct ft_answer answer;
    DWORD n = 0;
    HANDLE end = connect_to(payload.pipe);
    assert_true(WriteFile(end, bytes, size_bytes, &n, NULL) && n == size_bytes);
    BOOL answered = ReadFile(end, &answer, sizeof(answer), &n, NULL);
    CloseHandle(end);
    return answered ? (unsigned)ft_answer_read(&answer, n) : FT_ENTRY_COUNT;
}

static struct ft_ask ask_for(HANDLE process, HANDLE thread)
{
    return (struct ft_ask){FT_ASK_MAGIC, payload.nonce, (uintptr_t)process, (uintptr_t)thread};
}

static void answers_no_stranger(void **state)
{
    PROCESS_INFORMATION child = start_child();
    struct ft_ask ask = ask_for(child.hProcess, child.hThread);
    char longer[2 * sizeof(ask)] = {0};
    (void)state;
    memcpy(longer, &ask, sizeof(ask));
    assert_int_equal(say(longer, sizeof(longer)), FT_ENTRY_COUNT);
    assert_int_equal(say(longer, sizeof(ask) - 1), FT_ENTRY_COUNT);
    assert_int_equal(say(longer, 1), FT_ENTRY_COUNT);
    ask.nonce++;
    assert_int_equal(say(&ask, sizeof(ask)), FT_ENTRY_COUNT);
    ask.nonce--;
    ask.magic++;
    assert_int_equal(say(&ask, sizeof(ask)), FT_ENTRY_COUNT);
    assert_false(run_child(&child));
    works();
}

/** Of what is no child that has not begun. */
static void refuses_other_handles(void **state)
{
    PROCESS_INFORMATION child = start_child(), other = start_child();
    HANDLE self, thread, event = CreateEventW(NULL, TRUE, FALSE, NULL);
    const HANDLE none = (HANDLE)(uintptr_t)0x7ffffff0;
    (void)state;
    assert_true(DuplicateHandle(GetCurrentProcess(), GetCurrentProcess(), GetCurrentProcess(),
                                &self, 0, FALSE, DUPLICATE_SAME_ACCESS));
    assert_true(DuplicateHandle(GetCurrentProcess(), GetCurrentThread(), GetCurrentProcess(),
                                &thread, 0, FALSE, DUPLICATE_SAME_ACCESS));
    const struct ft_ask asks[] = {
        ask_for(self, thread),                  /* it runs */
        ask_for(event, child.hThread),          /* no process */
        ask_for(child.hProcess, event),         /* no thread */
        ask_for(none, child.hThread),           /* nothing */
        ask_for(child.hThread, child.hProcess), /* the wrong way round */
        ask_for(child.hProcess, other.hThread), /* another's thread */
    };
    for (size_t i = 0; i < ARRAY_LEN(asks); i++)
        assert_int_equal(say(&asks[i], sizeof(asks[i])), FT_ENTRY_FAILED);
    CloseHandle(self);
    CloseHandle(thread);
    CloseHandle(event);
    assert_false(run_child(&child));
    assert_false(run_child(&other));
    works();
}

/** Nobody keeps others from asking for long: who connects and is silent, and who asks and does not
 * stay for the answer. */
static void bears_bad_manners(void **state)
{
    DWORD n;
    (void)state;
    HANDLE silent = connect_to(payload.pipe);
    works();
    CloseHandle(silent);
    CloseHandle(connect_to(payload.pipe));
    works();

    PROCESS_INFORMATION child = start_child();
    struct ft_ask ask = ask_for(child.hProcess, child.hThread);
    HANDLE deaf = connect_to(payload.pipe);
    assert_true(WriteFile(deaf, &ask, sizeof(ask), &n, NULL));
    works(); /* while the other holds its end open */
    CloseHandle(deaf);
    assert_true(run_child(&child)); /* it was entered nevertheless */
}

/** The rights are those of the handle that is given, not the tracer's. */
static void takes_no_more_rights(void **state)
{
    PROCESS_INFORMATION child = start_child();
    HANDLE weak;
    (void)state;
    assert_true(DuplicateHandle(GetCurrentProcess(), child.hProcess, GetCurrentProcess(), &weak,
                                PROCESS_QUERY_INFORMATION | SYNCHRONIZE, FALSE, 0));
    struct ft_ask ask = ask_for(weak, child.hThread);
    assert_int_equal(say(&ask, sizeof(ask)), FT_ENTRY_FAILED);
    CloseHandle(weak);
    assert_false(run_child(&child));
}

static void keeps_its_name(void **state)
{
    struct ft_answerer second;
    (void)state;
    assert_true(ft_answer_start(&second, &injector) < 0);
    assert_null(second.thread);
    works();
}

/** The child runs, unwatched. */
static void fails_without_a_pipe(void **state)
{
    PROCESS_INFORMATION child = start_child();
    struct ft_payload none = payload;
    (void)state;
    none.pipe = 0;
    assert_int_equal(ft_hook_ask(&none, NULL, child.hProcess, child.hThread), FT_ENTRY_FAILED);
    none.pipe = payload.pipe + 1;
    assert_int_equal(ft_hook_ask(&none, NULL, child.hProcess, child.hThread), FT_ENTRY_FAILED);
    assert_false(run_child(&child));
}

/** Nobody answers, and the tracer has ended. */
static void outlives_the_tracer(void **state)
{
    PROCESS_INFORMATION child = start_child();
    uint16_t name[FT_PIPE_NAME_UNITS];
    struct ft_payload silent = payload;
    (void)state;
    assert_int_equal(ft_answer_name(&silent.pipe), 0);
    ft_pipe_name(silent.pipe, name);
    HANDLE pipe = CreateNamedPipeW((const wchar_t *)name, PIPE_ACCESS_DUPLEX | FILE_FLAG_OVERLAPPED,
                                   PIPE_TYPE_MESSAGE, 1, 64, 64, 0, NULL);
    assert_ptr_not_equal(pipe, INVALID_HANDLE_VALUE);
    OVERLAPPED connected = {0};
    (void)ConnectNamedPipe(pipe, &connected);
    HANDLE ended = CreateEventW(NULL, TRUE, TRUE, NULL);
    assert_int_equal(ft_hook_ask(&silent, ended, child.hProcess, child.hThread), FT_ENTRY_FAILED);
    CloseHandle(ended);
    CloseHandle(pipe);
    assert_false(run_child(&child));
}

/** That question is for 32-bit programs only. */
static void asks_only_where_it_must(void **state)
{
    PROCESS_INFORMATION child = start_child();
    (void)state;
    assert_false(ft_hook_must_ask(child.hProcess));
    assert_false(run_child(&child));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enters_a_child),          cmocka_unit_test(answers_no_stranger),
        cmocka_unit_test(refuses_other_handles),   cmocka_unit_test(bears_bad_manners),
        cmocka_unit_test(takes_no_more_rights),    cmocka_unit_test(keeps_its_name),
        cmocka_unit_test(fails_without_a_pipe),    cmocka_unit_test(outlives_the_tracer),
        cmocka_unit_test(asks_only_where_it_must),
    };
    return cmocka_run_group_tests(tests, start_answering, stop_answering);
}
