/* SPDX-License-Identifier: MIT */
/* Running a command on Windows: enter it, empty the log while it runs, gather what was recorded. */
#include "tracer/filetrace.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "common/proc.h"
#include "common/wide.h"
#include "tracer/ops.h"
#include "tracer/windows/answer.h"
#include "tracer/windows/devices.h"
#include "tracer/windows/inject.h"
#include "tracer/windows/launch.h"

/* How long full chunks may wait, as on Linux; the system's own clock may make it 16 ms. */
#define DRAIN_INTERVAL_MIN_MS 1
#define DRAIN_INTERVAL_MAX_MS 10

#define LIBRARY_64 "libfiletrace-hook64.dll"
#define LIBRARY_32 "libfiletrace-hook32.dll"

struct run {
    const struct ft_run_options *options;
    struct ft_decoder *decoder;
    struct ft_outcome *outcome;
    struct ft_log log;
    struct ft_payload payload;
    struct ft_injector injector;
    struct ft_answerer answerer;
    HANDLE self; /* of this process: a pseudo-handle cannot be waited for elsewhere */
    PROCESS_INFORMATION root;
    int sink_error;
    bool outlived; /* somebody has, and it is said */
};

const char *ft_backend_names(void)
{
    return "auto, inject";
}

int ft_backend_parse(const char *name, enum ft_backend *out)
{
    if (strcmp(name, "auto") && strcmp(name, "inject"))
        return -EINVAL;
    *out = strcmp(name, "auto") ? FT_BACKEND_INJECT : FT_BACKEND_AUTO;
    return 0;
}

static bool is_file(const char *path)
{
    wchar_t *wide;
    if (wide_from_utf8(path, &wide))
        return false;
    DWORD attributes = GetFileAttributesW(wide);
    free(wide);
    return attributes != INVALID_FILE_ATTRIBUTES && !(attributes & FILE_ATTRIBUTE_DIRECTORY);
}

/** A file beside this program's own, or in ../lib/filetrace as seen from there. */
static char *find_beside(const char *folder, const char *name)
{
    static const char *const places[] = {"", "..\\lib\\filetrace\\"};
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        struct buf path;
        buf_init(&path, 32767u * 3);
        (void)buf_printf(&path, "%s\\%s%s", folder, places[i], name);
        char *full = buf_take(&path);
        buf_fini(&path);
        if (full && is_file(full))
            return full;
        free(full);
    }
    return NULL;
}

int ft_library_find(char **out, struct err *err)
{
    char *folder = proc_self_dir();
    *out = folder ? find_beside(folder, LIBRARY_64) : NULL;
    int ret = *out ? 0
                   : err_set(err, -ENOENT,
                             "cannot find the injected library: %s is neither in %s nor in "
                             "..\\lib\\filetrace there; install filetrace as a whole",
                             LIBRARY_64, folder ? folder : "the program's folder");
    free(folder);
    return ret;
}

/** An absolute path for a process that may have another folder. */
static int set_library(uint16_t *out, const char *path)
{
    wchar_t *wide;
    int ret = wide_from_utf8(path, &wide);
    if (ret)
        return ret;
    DWORD length = GetFullPathNameW(wide, FT_LIBRARY_UNITS, out, NULL);
    free(wide);
    if (length && length < FT_LIBRARY_UNITS)
        return 0;
    out[0] = 0;
    return length ? -ENAMETOOLONG : wide_error(GetLastError());
}

static int find_libraries(struct run *run, struct err *err)
{
    char *found = NULL;
    int ret = run->options->library ? 0 : ft_library_find(&found, err);
    if (ret)
        return ret;
    const char *library = found ? found : run->options->library;
    ret = set_library(run->payload.libraries[FT_LIBRARY_64], library);
    if (ret)
        err_set(err, ret, "cannot use the injected library %s: %s", library, err_text(ret));
    free(found);
    /* Without the one for 32-bit programs these run unwatched, which the trace says. */
    char *folder = proc_self_dir();
    char *other = folder ? find_beside(folder, LIBRARY_32) : NULL;
    if (other && set_library(run->payload.libraries[FT_LIBRARY_32], other))
        run->payload.libraries[FT_LIBRARY_32][0] = 0;
    free(other);
    free(folder);
    return ret;
}

static int on_records(void *context, const struct ft_record *records, size_t size_bytes)
{
    struct run *run = context;
    const struct ft_run_options *options = run->options;
    int ret = options->raw_sink ? options->raw_sink(options->raw_context, records, size_bytes) : 0;
    return ret ? ret : ft_decoder_feed(run->decoder, records, size_bytes);
}

static void note(struct run *run, enum ft_kind kind, unsigned access, unsigned error, DWORD pid,
                 const wchar_t *path)
{
    const struct ft_record head = {
        .pid = pid,
        .op = FT_OP_NtCreateUserProcess,
        .error = (uint16_t)error,
        .kind = (uint8_t)kind,
        .access = (uint8_t)(access | FT_NT_NAMES),
    };
    ft_log_put(&run->log, &head, NULL, 0, (const char *)path, 2 * wcslen(path));
}

/* Ctrl-C and its kin. The console gives them to the command too; a second one ends it. */

static volatile LONG interrupts;
static HANDLE interrupted;

static BOOL WINAPI on_control(DWORD event)
{
    (void)InterlockedExchange(&interrupts, event == CTRL_C_EVENT ? SIGINT : SIGTERM);
    (void)SetEvent(interrupted);
    return TRUE;
}

static void take_interrupt(struct run *run)
{
    if (run->outcome->interrupt)
        (void)TerminateProcess(run->root.hProcess, 128 + SIGINT);
    run->outcome->interrupt = (int)interrupts;
}

static void drain(struct run *run)
{
    int ret = ft_log_drain(&run->log, on_records, run);
    if (ret && !run->sink_error)
        run->sink_error = ret;
}

static void wait_for_root(struct run *run)
{
    HANDLE events[] = {run->root.hProcess, interrupted};
    DWORD interval_ms = DRAIN_INTERVAL_MIN_MS, got;
    do {
        got = WaitForMultipleObjects(interrupted ? 2 : 1, events, FALSE, interval_ms);
        if (got == WAIT_OBJECT_0 + 1)
            take_interrupt(run);
        uint64_t drained = run->log.drained;
        drain(run);
        if (run->log.drained != drained)
            interval_ms = DRAIN_INTERVAL_MIN_MS;
        else if ((interval_ms *= 2) > DRAIN_INTERVAL_MAX_MS)
            interval_ms = DRAIN_INTERVAL_MAX_MS;
    } while (got != WAIT_OBJECT_0 && got != WAIT_FAILED);
    DWORD code = 0;
    (void)GetExitCodeProcess(run->root.hProcess, &code);
    run->outcome->end.exit_code = (int32_t)code;
}

#define NOTE_BYTES ((FT_RECORD_HEAD_BYTES + 7u) & ~7u)

/** Past the log, which has been emptied for the last time. */
static void note_outlived(void *context, uint32_t pid)
{
    struct run *run = context;
    union {
        struct ft_record record;
        char bytes[NOTE_BYTES];
    } room = {.record = {.state = FT_STATE_COMMITTED | NOTE_BYTES,
                         .pid = pid,
                         .error = FT_REASON_OUTLIVED,
                         .kind = FT_KIND_NOTE}};
    int ret = on_records(run, &room.record, NOTE_BYTES);
    if (ret && !run->sink_error)
        run->sink_error = ret;
    run->outlived = true;
}

static void note_if_running(void *context, uint32_t pid)
{
    HANDLE process = OpenProcess(SYNCHRONIZE, FALSE, pid);
    if (!process)
        return;
    if (WaitForSingleObject(process, 0) == WAIT_TIMEOUT)
        note_outlived(context, pid);
    CloseHandle(process);
}

/** Gather what is left once the root command has ended. */
static int finish(struct run *run)
{
    drain(run);
    if (run->outcome->interrupt)
        note(run, FT_KIND_NOTE, 0, FT_REASON_INTERRUPTED, run->root.dwProcessId, L"");
    int ret = ft_log_drain_all(&run->log, on_records, run);
    run->outcome->end.lost = ft_log_lost(&run->log);
    run->outcome->end.torn = (uint32_t)run->log.torn;
    ft_decoder_set_end(run->decoder, &run->outcome->end);
    ft_decoder_each_process(run->decoder, note_if_running, run);
    /* A process that has recorded nothing yet has no number here. */
    if (!run->outlived && ft_log_attached(&run->log) == FT_ATTACHED_SOMEBODY)
        note_outlived(run, 0);
    return run->sink_error ? run->sink_error : ret;
}

/** Enter the root command, and record that it was started. */
static void enter_root(struct run *run, const char *path)
{
    wchar_t *wide = NULL, *full = NULL;
    DWORD length = 0;

    if (!wide_from_utf8(path, &wide) && (length = GetFullPathNameW(wide, 0, NULL, NULL)) &&
        (full = calloc(length, sizeof(*full))))
        (void)GetFullPathNameW(wide, length, full, NULL);
    const wchar_t *image = full ? full : L"";
    enum ft_entry entry = ft_inject(&run->injector, run->root.hProcess, run->root.hThread);
    note(run, FT_KIND_ACCESS, FT_READ, 0, run->root.dwProcessId, image);
    if (ft_entry_expects_start(entry))
        note(run, FT_KIND_EXPECT, FT_EXPECT_START, 0, run->root.dwProcessId, image);
    if (ft_entry_reason(entry) != FT_REASON_NONE)
        note(run, FT_KIND_NOTE, 0, ft_entry_reason(entry), run->root.dwProcessId, image);
    free(wide);
    free(full);
}

/** What it takes to enter processes; and the pipe by which 32-bit ones have us do it. Without it
 * their 64-bit children run unwatched, which the trace says. */
static void open_injector(struct run *run)
{
    HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
    (void)DuplicateHandle(GetCurrentProcess(), GetCurrentProcess(), GetCurrentProcess(), &run->self,
                          SYNCHRONIZE, FALSE, 0);
    run->injector = (struct ft_injector){
        .payload = &run->payload,
        .log_section = run->log.section,
        .tracer = run->self,
        .query_attributes =
            (ft_nt_query_attributes *)(uintptr_t)GetProcAddress(ntdll, "NtQueryAttributesFile"),
    };
    if (run->payload.libraries[FT_LIBRARY_32][0] &&
        (ft_answer_name(&run->payload.pipe) || ft_answer_start(&run->answerer, &run->injector)))
        run->payload.pipe = 0;
}

static int open_channels(struct run *run, struct err *err)
{
    int ret = ft_log_open(&run->log, err);
    if (ret)
        return ret;
    run->payload.nonce = run->log.head->nonce;
    open_injector(run);
    interrupts = 0;
    interrupted = CreateEventW(NULL, FALSE, FALSE, NULL);
    if (!interrupted || !SetConsoleCtrlHandler(on_control, TRUE)) {
        ret = wide_error(GetLastError());
        return err_set(err, ret, "cannot watch: %s", err_text(ret));
    }
    return 0;
}

static void close_channels(struct run *run)
{
    (void)SetConsoleCtrlHandler(on_control, FALSE);
    if (interrupted)
        CloseHandle(interrupted);
    interrupted = NULL;
    ft_answer_stop(&run->answerer);
    const HANDLE handles[] = {run->root.hThread, run->root.hProcess, run->self};
    for (size_t i = 0; i < ARRAY_LEN(handles); i++) {
        if (handles[i])
            CloseHandle(handles[i]);
    }
    ft_log_close(&run->log);
}

static int run_command(struct run *run, const char *path, struct err *err)
{
    int ret = open_channels(run, err);
    if (ret)
        return ret;
    run->outcome->start_error =
        ft_launch_suspended(path, run->options->argv, run->options->envp, &run->root);
    if (run->outcome->start_error)
        return 0;
    run->sink_error = ft_devices_note(on_records, run);
    enter_root(run, path);
    (void)ResumeThread(run->root.hThread);
    wait_for_root(run);
    ret = finish(run);
    return ret ? err_set(err, ret, "cannot write the trace: %s", err_text(ret)) : 0;
}

int ft_run(const struct ft_run_options *options, struct ft_decoder *decoder,
           struct ft_outcome *outcome, struct err *err)
{
    char *path = NULL;

    *outcome = (struct ft_outcome){0};
    if (options->strict)
        return err_set(err, -ENOTSUP,
                       "cannot watch by the kernel (--strict): Windows has no such way");
    if (options->shell)
        return err_set(err, -ENOTSUP,
                       "cannot put %s in the place of /bin/sh: that is for macOS; leave --sh out",
                       options->shell);
    struct run *run = calloc(1, sizeof(*run));
    if (!run)
        return err_set(err, -ENOMEM, "cannot watch: %s", err_text(-ENOMEM));
    run->options = options;
    run->decoder = decoder;
    run->outcome = outcome;
    run->log.fd = -1;
    int ret = find_libraries(run, err);
    if (!ret)
        outcome->start_error = proc_find(options->argv[0], &path);
    if (!ret && !outcome->start_error)
        ret = run_command(run, path, err);
    close_channels(run);
    free(path);
    free(run);
    return ret;
}
