/* SPDX-License-Identifier: MIT */
/* Child processes, from CreateProcessW and job objects. */
#include "common/proc.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <psapi.h>

#include "common/clock.h"
#include "common/file.h"
#include "common/folder.h"
#include "common/wide.h"
#include "common/winargs.h"
#include "common/wtf8.h"

#define READ_STEP_BYTES 16384
#define MAX_COMMAND_BYTES (3u * 32767u) /* CreateProcessW takes 32,767 units */
#define MAX_ENVIRONMENT_BYTES (64u << 20)
#define MAX_PATH_UNITS 32768u
#define NS_PER_FILETIME 100u
/* A status of Windows' own, such as 0xc0000005 for an access that is not allowed, ends a program as
 * a signal does elsewhere. */
#define IS_STATUS(code) ((code) >= 0xc0000000u)

/** A captured stream: a thread reads it, so that two of them cannot wait for each other. */
struct capture {
    HANDLE read_end; /**< NULL: this stream is not captured */
    HANDLE thread;
    struct buf *buf;
};

/** A run in the making; every handle is NULL or to be closed. */
struct run {
    const struct proc_spec *spec;
    HANDLE stream[3]; /**< of the child: input, output, error; inheritable */
    struct capture captures[2];
    HANDLE job;
    PROCESS_INFORMATION process;
};

static int last_error(void)
{
    return wide_error(GetLastError());
}

static void close_handle(HANDLE *handle)
{
    if (*handle)
        CloseHandle(*handle);
    *handle = NULL;
}

static DWORD WINAPI drain(void *context)
{
    struct capture *capture = context;
    char step[READ_STEP_BYTES];
    DWORD n;

    while (ReadFile(capture->read_end, step, sizeof(step), &n, NULL) && n) {
        size_t room = capture->buf->limit_bytes - capture->buf->size_bytes;
        (void)buf_append(capture->buf, step, n < room ? n : room);
    }
    return 0;
}

/** The caller's own stream, as a handle that a child may have. */
static int inherit(DWORD which, HANDLE *out)
{
    HANDLE own = GetStdHandle(which);
    if (!own || own == INVALID_HANDLE_VALUE)
        return 0; /* it has none, and so will the child */
    return DuplicateHandle(GetCurrentProcess(), own, GetCurrentProcess(), out, 0, TRUE,
                           DUPLICATE_SAME_ACCESS)
               ? 0
               : last_error();
}

static int open_null(bool input, HANDLE *out)
{
    SECURITY_ATTRIBUTES inheritable = {.nLength = sizeof(inheritable), .bInheritHandle = TRUE};
    *out = CreateFileW(L"NUL", input ? GENERIC_READ : GENERIC_WRITE,
                       FILE_SHARE_READ | FILE_SHARE_WRITE, &inheritable, OPEN_EXISTING, 0, NULL);
    if (*out != INVALID_HANDLE_VALUE)
        return 0;
    *out = NULL;
    return last_error();
}

static int open_pipe(struct capture *capture, HANDLE *write_end)
{
    HANDLE ends[2];
    if (!CreatePipe(&ends[0], &ends[1], NULL, 0))
        return last_error();
    capture->read_end = ends[0];
    *write_end = ends[1];
    return SetHandleInformation(ends[1], HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT) ? 0
                                                                                   : last_error();
}

/** Make the child's stream @index. */
static int route(struct run *run, int index, enum proc_stream stream, struct buf *buf)
{
    static const DWORD own[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};

    if (stream == PROC_INHERIT)
        return inherit(own[index], &run->stream[index]);
    if (stream == PROC_NULL)
        return open_null(index == 0, &run->stream[index]);
    if (index == 0 || !buf)
        return -EINVAL;
    run->captures[index - 1].buf = buf;
    return open_pipe(&run->captures[index - 1], &run->stream[index]);
}

/** "NAME=VALUE" texts as Windows wants them: each ended by a NUL, another one at the end. */
static int make_environment(const char *const *envp, wchar_t **out)
{
    struct buf block;
    size_t units;
    int ret = 0;

    *out = NULL;
    if (!envp)
        return 0;
    buf_init(&block, MAX_ENVIRONMENT_BYTES);
    for (; *envp; envp++)
        (void)buf_append(&block, *envp, strlen(*envp) + 1);
    (void)buf_append(&block, "\0", 2);
    ret = buf_status(&block);
    if (!ret && !(*out = malloc(block.size_bytes * sizeof(**out))))
        ret = -ENOMEM;
    if (!ret)
        ret = wtf8_to_utf16(block.data, block.size_bytes, (uint16_t *)*out, &units);
    buf_fini(&block);
    if (ret) {
        free(*out);
        *out = NULL;
    }
    return ret;
}

static int make_command_line(const char *const *argv, wchar_t **out)
{
    struct buf line;

    *out = NULL;
    buf_init(&line, MAX_COMMAND_BYTES);
    for (; *argv; argv++)
        (void)winargs_append(&line, *argv);
    int ret = buf_status(&line);
    if (ret == -EFBIG)
        ret = -E2BIG;
    if (!ret)
        ret = wide_from_utf8(line.data, out);
    buf_fini(&line);
    return ret;
}

/** The child gets these streams and no other handle that happens to be inheritable. */
static int list_handles(struct run *run, HANDLE handles[3], STARTUPINFOEXW *startup)
{
    SIZE_T size_bytes = 0;
    DWORD count = 0;

    for (int i = 0; i < 3; i++) {
        if (run->stream[i])
            handles[count++] = run->stream[i];
    }
    if (!count)
        return 0;
    (void)InitializeProcThreadAttributeList(NULL, 1, 0, &size_bytes);
    startup->lpAttributeList = malloc(size_bytes);
    if (!startup->lpAttributeList)
        return -ENOMEM;
    if (!InitializeProcThreadAttributeList(startup->lpAttributeList, 1, 0, &size_bytes)) {
        free(startup->lpAttributeList);
        startup->lpAttributeList = NULL;
        return last_error();
    }
    return UpdateProcThreadAttribute(startup->lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                                     handles, count * sizeof(HANDLE), NULL, NULL)
               ? 0
               : last_error();
}

/** Start the program, suspended when a job has to be entered first. */
static int create(struct run *run, wchar_t *program, wchar_t *command_line, wchar_t *environment,
                  wchar_t *cwd)
{
    HANDLE handles[3];
    STARTUPINFOEXW startup = {.StartupInfo = {.cb = sizeof(startup),
                                              .dwFlags = STARTF_USESTDHANDLES,
                                              .hStdInput = run->stream[0],
                                              .hStdOutput = run->stream[1],
                                              .hStdError = run->stream[2]}};
    DWORD flags = CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT |
                  (run->job ? CREATE_SUSPENDED : 0);

    int ret = list_handles(run, handles, &startup);
    if (!ret && !CreateProcessW(program, command_line, NULL, NULL, startup.lpAttributeList != NULL,
                                flags, environment, cwd, &startup.StartupInfo, &run->process))
        ret = last_error();
    if (startup.lpAttributeList) {
        DeleteProcThreadAttributeList(startup.lpAttributeList);
        free(startup.lpAttributeList);
    }
    if (ret || !run->job)
        return ret;
    if (!AssignProcessToJobObject(run->job, run->process.hProcess) ||
        ResumeThread(run->process.hThread) == (DWORD)-1) {
        ret = last_error();
        (void)TerminateProcess(run->process.hProcess, 1);
    }
    return ret;
}

static int start(struct run *run)
{
    const struct proc_spec *spec = run->spec;
    wchar_t *program = NULL, *command_line = NULL, *environment = NULL, *cwd = NULL;
    char *found = NULL;

    int ret = proc_find(spec->argv[0], &found);
    if (!ret)
        ret = wide_from_utf8(found, &program);
    if (!ret)
        ret = make_command_line(spec->argv, &command_line);
    if (!ret)
        ret = make_environment(spec->envp, &environment);
    if (!ret && spec->cwd)
        ret = wide_from_utf8(spec->cwd, &cwd);
    if (!ret)
        ret = create(run, program, command_line, environment, cwd);
    free(cwd);
    free(environment);
    free(command_line);
    free(program);
    free(found);
    return ret;
}

static DWORD milliseconds_left(uint64_t start_ns, uint64_t timeout_ms)
{
    if (!timeout_ms)
        return INFINITE;
    uint64_t gone_ms = (clock_monotonic_ns() - start_ns) / 1000000u;
    uint64_t left_ms = gone_ms < timeout_ms ? timeout_ms - gone_ms : 0;
    return left_ms < INFINITE ? (DWORD)left_ms : INFINITE - 1;
}

/** Wait until captured streams have ended and then the program has. @return 0 or -ETIMEDOUT */
static int wait_all(struct run *run, uint64_t start_ns, uint64_t timeout_ms)
{
    const HANDLE handles[] = {run->captures[0].thread, run->captures[1].thread,
                              run->process.hProcess};
    for (size_t i = 0; i < ARRAY_LEN(handles); i++) {
        if (handles[i] && WaitForSingleObject(
                              handles[i], milliseconds_left(start_ns, timeout_ms)) == WAIT_TIMEOUT)
            return -ETIMEDOUT;
    }
    return 0;
}

static uint64_t filetime_ns(FILETIME time)
{
    return ((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) * NS_PER_FILETIME;
}

/** The signal that elsewhere says what this status says. */
static int signal_of(DWORD status)
{
    switch (status) {
    case (DWORD)STATUS_CONTROL_C_EXIT:
        return SIGINT;
    case (DWORD)STATUS_ILLEGAL_INSTRUCTION:
        return SIGILL;
    case (DWORD)STATUS_INTEGER_DIVIDE_BY_ZERO:
        return SIGFPE;
    case (DWORD)STATUS_ACCESS_VIOLATION:
    case (DWORD)STATUS_STACK_OVERFLOW:
        return SIGSEGV;
    default:
        return SIGABRT;
    }
}

static void fill_result(HANDLE process, struct proc_result *out)
{
    PROCESS_MEMORY_COUNTERS memory = {.cb = sizeof(memory)};
    FILETIME created, exited, kernel, user;
    DWORD code = 0;

    (void)GetExitCodeProcess(process, &code);
    out->signal = IS_STATUS(code) ? signal_of(code) : 0;
    /* As elsewhere eight bits; what they cannot hold is still no success. */
    out->exit_code = out->signal ? -1 : code && !(code & 0xff) ? 255 : (int)(code & 0xff);
    if (GetProcessTimes(process, &created, &exited, &kernel, &user)) {
        out->user_ns = filetime_ns(user);
        out->system_ns = filetime_ns(kernel);
    }
    if (K32GetProcessMemoryInfo(process, &memory, sizeof(memory)))
        out->peak_rss_bytes = memory.PeakWorkingSetSize;
}

static int start_readers(struct run *run)
{
    for (size_t i = 0; i < ARRAY_LEN(run->captures); i++) {
        struct capture *capture = &run->captures[i];
        if (!capture->read_end)
            continue;
        capture->thread = CreateThread(NULL, 0, drain, capture, 0, NULL);
        if (!capture->thread)
            return last_error();
    }
    return 0;
}

/** Say why a program could not be run. @return @code */
static int explain(const struct proc_spec *spec, int code, struct err *err)
{
    if (spec->cwd && file_kind(spec->cwd) != FILE_FOLDER)
        return err_set(err, code, "cannot run %s in the folder %s: %s", spec->argv[0], spec->cwd,
                       err_text(code));
    return err_set(err, code, "cannot run %s: %s", spec->argv[0], err_text(code));
}

/** Everything between the start and the end. */
static int run_child(struct run *run, struct proc_result *out)
{
    const struct proc_spec *spec = run->spec;

    uint64_t start_ns = clock_monotonic_ns();
    int ret = start(run);
    /* Only the child shall hold them, or a captured stream would never end. */
    for (size_t i = 0; i < ARRAY_LEN(run->stream); i++)
        close_handle(&run->stream[i]);
    if (ret)
        return ret;
    ret = start_readers(run);
    if (ret) {
        (void)TerminateProcess(run->process.hProcess, 1);
        return ret;
    }
    if (wait_all(run, start_ns, spec->timeout_ms)) {
        out->timed_out = true;
        (void)TerminateJobObject(run->job, (UINT)STATUS_CONTROL_C_EXIT);
        (void)wait_all(run, start_ns, 0);
    }
    out->wall_ns = clock_monotonic_ns() - start_ns;
    fill_result(run->process.hProcess, out);
    return 0;
}

int proc_run(const struct proc_spec *spec, struct proc_result *out, struct err *err)
{
    struct run run = {.spec = spec};

    *out = (struct proc_result){0};
    if (!spec->argv[0])
        return err_set(err, -EINVAL, "cannot run a program without a name");
    int ret = route(&run, 0, spec->in, NULL);
    if (!ret)
        ret = route(&run, 1, spec->out, spec->out_buf);
    if (!ret)
        ret = route(&run, 2, spec->err, spec->err_buf);
    if (!ret && spec->timeout_ms && !(run.job = CreateJobObjectW(NULL, NULL)))
        ret = last_error();
    if (!ret)
        ret = run_child(&run, out);
    for (size_t i = 0; i < ARRAY_LEN(run.stream); i++)
        close_handle(&run.stream[i]);
    for (size_t i = 0; i < ARRAY_LEN(run.captures); i++) {
        close_handle(&run.captures[i].thread);
        close_handle(&run.captures[i].read_end);
    }
    close_handle(&run.process.hThread);
    close_handle(&run.process.hProcess);
    close_handle(&run.job);
    return ret ? explain(spec, ret, err) : 0;
}

char *proc_self_dir(void)
{
    wchar_t *wide = malloc(MAX_PATH_UNITS * sizeof(*wide));
    DWORD length = wide ? GetModuleFileNameW(NULL, wide, MAX_PATH_UNITS) : 0;
    char *path = length && length < MAX_PATH_UNITS ? wide_to_utf8(wide) : NULL;

    free(wide);
    for (char *c = path; c && *c; c++) {
        if (*c == '\\')
            *c = '/';
    }
    char *slash = path ? strrchr(path, '/') : NULL;
    if (!slash) {
        free(path);
        return NULL;
    }
    *slash = '\0';
    return path;
}

/** Does a name end with ".exe" or ".com", in whatever case? */
static bool has_ending(const char *name)
{
    size_t length = strlen(name);
    const char *ending = length > 4 ? name + length - 4 : "";
    return !_stricmp(ending, ".exe") || !_stricmp(ending, ".com");
}

/** FOLDER/NAME or NAME, with the ending of a program, when it is a file. */
static int check_program(const char *folder, size_t length, const char *name, char **out)
{
    struct buf path;

    buf_init(&path, SIZE_MAX);
    if (length) {
        buf_append(&path, folder, length);
        buf_puts(&path, "/");
    }
    buf_printf(&path, "%s%s", name, has_ending(name) ? "" : ".exe");
    int ret = buf_status(&path);
    if (!ret) {
        int kind = file_kind(path.data);
        ret = kind == FILE_REGULAR ? 0 : kind == -EACCES ? -EACCES : -ENOENT;
    }
    if (!ret && !(*out = buf_take(&path)))
        ret = -ENOMEM;
    buf_fini(&path);
    return ret;
}

/** The variable PATH, in UTF-8. @return the caller's, NULL when there is none */
static char *search_path(void)
{
    DWORD units = GetEnvironmentVariableW(L"PATH", NULL, 0);
    wchar_t *wide = units ? malloc(units * sizeof(*wide)) : NULL;
    char *path = NULL;

    if (wide && GetEnvironmentVariableW(L"PATH", wide, units) < units)
        path = wide_to_utf8(wide);
    free(wide);
    return path;
}

int proc_find(const char *name, char **out)
{
    int ret = -ENOENT;

    *out = NULL;
    if (!*name)
        return -ENOENT;
    if (folder_name(name) != name)
        return check_program("", 0, name, out);
    char *path = search_path();
    for (const char *folder = path; folder && *folder && !*out;) {
        size_t length = strcspn(folder, ";");
        int found = length ? check_program(folder, length, name, out) : -ENOENT;
        if (found != -ENOENT || ret != -EACCES)
            ret = found;
        if (found == -ENOMEM)
            break;
        folder += length;
        folder += *folder == ';';
    }
    free(path);
    return ret;
}
