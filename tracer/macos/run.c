/* SPDX-License-Identifier: MIT */
/* Running a command on macOS: start it, empty the log while it runs, gather what was recorded. */
#include "tracer/filetrace.h"

#include <errno.h>
#include <fcntl.h>
#include <libproc.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/event.h>
#include <sys/proc.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/proc.h"
#include "tracer/macos/macho.h"
#include "tracer/macos/plan.h"
#include "tracer/ops.h"
#include "tracer/preload_list.h"

/* How long full chunks and signals may wait; the end of the command wakes at once. */
#define DRAIN_INTERVAL_NS 10000000

/* Of <sys/csr.h>, which is in no SDK: parts of System Integrity Protection that can be off. */
extern int csr_check(uint32_t mask);
#define CSR_ALLOW_UNRESTRICTED_FS 0x2u
#define CSR_ALLOW_TASK_FOR_PID 0x4u

struct run {
    const struct ft_run_options *options;
    struct ft_decoder *decoder;
    struct ft_outcome *outcome;
    struct ft_log log;
    int queue; /* kqueue(2) that tells the end of the command */
    sigset_t signals, old_mask;
    pid_t root;
    int sink_error;
    struct ft_plan_options plan;
    char attach[FT_ATTACH_MAX];
};

const char *ft_backend_names(void)
{
    return "auto, preload";
}

int ft_backend_parse(const char *name, enum ft_backend *out)
{
    if (strcmp(name, "auto") && strcmp(name, "preload"))
        return -EINVAL;
    *out = strcmp(name, "auto") ? FT_BACKEND_PRELOAD : FT_BACKEND_AUTO;
    return 0;
}

static int on_records(void *context, const struct ft_record *records, size_t size_bytes)
{
    struct run *run = context;
    const struct ft_run_options *options = run->options;
    int ret = options->raw_sink ? options->raw_sink(options->raw_context, records, size_bytes) : 0;
    return ret ? ret : ft_decoder_feed(run->decoder, records, size_bytes);
}

/** Append a record of the root command. */
static void put(struct run *run, enum ft_kind kind, enum ft_op op, int error, const char *path)
{
    char cwd[PATH_MAX];
    const struct ft_record head = {
        .pid = (uint32_t)run->root,
        .op = (uint16_t)op,
        .error = (uint16_t)error,
        .kind = (uint8_t)kind,
        .access = kind == FT_KIND_ACCESS   ? FT_READ
                  : kind == FT_KIND_EXPECT ? FT_EXPECT_START
                                           : 0,
    };
    if (!getcwd(cwd, sizeof(cwd)))
        cwd[0] = '\0';
    ft_log_put(&run->log, &head, cwd, strlen(cwd), path, strlen(path));
}

/* The library: where it is, and what it has code for. */

static long read_file(void *context, void *to, size_t size_bytes, uint64_t offset)
{
    return pread(*(const int *)context, to, size_bytes, (off_t)offset);
}

static int inspect_library(struct run *run, const char *path, struct err *err)
{
    struct ft_macho macho;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_set(err, -errno, "cannot read the injected library %s: %s", path,
                       err_text(-errno));
    ft_macho_inspect(read_file, &fd, FT_CPU_OWN, &macho);
    close(fd); /* read only: nothing can be lost */
    if (!(macho.cpus & FT_CPU_OWN) || strlen(path) >= FT_IMAGE_PATH_MAX)
        return err_set(err, -ENOEXEC,
                       "cannot use the injected library %s: it is not built for this processor, or "
                       "its path is too long; install filetrace as a whole",
                       path);
    run->plan.library = macho.cpus & (FT_CPU_ARM64 | FT_CPU_ARM64E | FT_CPU_X86_64);
    return 0;
}

static int check_shell(const char *path, struct err *err)
{
    if (path[0] == '/' && strlen(path) < FT_IMAGE_PATH_MAX && !access(path, X_OK))
        return 0;
    return err_set(err, -ENOENT,
                   "cannot put %s in the place of /bin/sh: it is no program, or not named from the "
                   "root on; give the path of a shell that you have installed",
                   path);
}

/** What this system lacks. */
static int check_options(const struct ft_run_options *options, struct err *err)
{
    if (options->backend != FT_BACKEND_AUTO && options->backend != FT_BACKEND_PRELOAD)
        return err_set(err, -ENOTSUP,
                       "cannot watch this way: on macOS there is only --backend preload");
    if (options->strict)
        return err_set(
            err, -ENOTSUP,
            "cannot watch by the kernel: macOS has nothing for that; leave --strict out");
    return options->shell ? check_shell(options->shell, err) : 0;
}

/* Starting. */

/** The loaded interpreters of the root command's script wait until it has a pid. */
static void note_interpreter(struct run *run, const struct ft_plan *plan, const char *path)
{
    if (strcmp(plan->image, path) != 0)
        put(run, FT_KIND_ACCESS, FT_OP_loader, 0, plan->image);
}

/** Spawn it with the signal mask that we were started with. @return 0 or a negative errno value */
static int spawn(struct run *run, const struct ft_plan *plan, char *const *envp)
{
    posix_spawnattr_t attributes;
    int ret = posix_spawnattr_init(&attributes);
    if (ret)
        return -ret;
    ret = posix_spawnattr_setsigmask(&attributes, &run->old_mask);
    if (!ret)
        ret = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    if (!ret)
        ret = posix_spawn(&run->root, plan->path, NULL, &attributes, plan->argv, envp);
    posix_spawnattr_destroy(&attributes);
    return -ret;
}

/** Start an image, or the interpreter in its place. */
static void start(struct run *run, const char *path, char *const *argv, const char *library)
{
    const struct ft_preload_variables variables = {
        .libraries = "DYLD_INSERT_LIBRARIES=",
        .separators = ":",
        .library = library,
        .attach = run->attach,
    };
    char *const *envp = run->options->envp;
    const char *folders = ft_preload_env_get(envp, "PATH=");
    struct ft_plan plan;
    struct ft_preload_env env;

    ft_plan_make(&run->plan, path, argv, folders ? folders : "/usr/bin:/bin", &plan);
    bool watched = plan.reason == FT_REASON_NONE;
    ft_preload_env_edit(&env, envp, watched, &variables);
    run->outcome->start_error = spawn(run, &plan, env.entries);
    if (!run->outcome->start_error) {
        put(run, FT_KIND_ACCESS, FT_OP_execve, 0, path);
        note_interpreter(run, &plan, path);
        if (watched)
            put(run, FT_KIND_EXPECT, FT_OP_posix_spawn, 0, plan.image);
        else
            put(run, FT_KIND_NOTE, FT_OP_loader, (int)plan.reason, plan.image);
    }
    ft_preload_env_fini(&env);
    ft_plan_fini(&plan);
}

/** As execvp(3): a file that the kernel does not know is a shell's script. */
static int start_as_script(struct run *run, const char *path, const char *library, struct err *err)
{
    static char shell[] = "/bin/sh", name[] = "sh";
    struct ft_preload_list list;
    uint32_t count = 0;

    while (run->options->argv[count])
        count++;
    if (!ft_preload_list_make(&list, count + 2))
        return err_set(err, -ENOMEM, "cannot start %s: %s", path, err_text(-ENOMEM));
    list.entries[0] = name;
    list.entries[1] = (char *)(uintptr_t)path;
    for (uint32_t i = 1; i <= count; i++)
        list.entries[i + 1] = run->options->argv[i];
    start(run, shell, list.entries, library);
    ft_preload_list_fini(&list);
    return 0;
}

/* While it runs. */

/** Has the terminal sent it to the whole foreground group, the command included? */
static bool is_from_terminal(int number)
{
    if (number != SIGINT && number != SIGQUIT)
        return false;
    int terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY);
    bool foreground = terminal >= 0 && tcgetpgrp(terminal) == getpgrp();
    if (terminal >= 0)
        close(terminal);
    return foreground;
}

/** Take the signals that ask us to stop; the command gets them too. */
static void take_signals(struct run *run)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t pending, one;

    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        int taken;
        if (sigpending(&pending) || !sigismember(&pending, numbers[i]))
            continue;
        sigemptyset(&one);
        sigaddset(&one, numbers[i]);
        if (sigwait(&one, &taken))
            continue;
        bool again = run->outcome->interrupt != 0;
        run->outcome->interrupt = taken;
        if (!is_from_terminal(taken))
            (void)kill(run->root, again ? SIGKILL : taken);
    }
}

/** @return true when the root command has ended */
static bool has_ended(struct run *run)
{
    int status;
    take_signals(run);
    if (waitpid(run->root, &status, WNOHANG) != run->root)
        return false;
    struct ft_raw_summary *end = &run->outcome->end;
    end->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    end->exit_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return true;
}

static void drain(struct run *run)
{
    int ret = ft_log_drain(&run->log, on_records, run);
    if (ret && !run->sink_error)
        run->sink_error = ret;
}

static void wait_for_root(struct run *run)
{
    const struct timespec interval = {.tv_nsec = DRAIN_INTERVAL_NS};
    struct kevent event;
    EV_SET(&event, run->root, EVFILT_PROC, EV_ADD | EV_ONESHOT, NOTE_EXIT, 0, NULL);
    (void)kevent(run->queue, &event, 1, NULL, 0, NULL); /* where it has ended already we see that */
    while (!has_ended(run)) {
        (void)kevent(run->queue, NULL, 0, &event, 1, &interval);
        drain(run);
    }
}

/* The end. */

/** Does a process still run? A zombie does not. */
static bool is_running(pid_t pid)
{
    struct proc_bsdinfo info;
    if (pid <= 0 || (kill(pid, 0) && errno != EPERM))
        return false;
    if (proc_pidinfo(pid, PROC_PIDTBSDINFO, 0, &info, sizeof(info)) != (int)sizeof(info))
        return errno != ESRCH;
    return info.pbi_status != SZOMB;
}

#define NOTE_BYTES ((FT_RECORD_HEAD_BYTES + 7u) & ~7u)

/** Past the log, which has been emptied for the last time. */
static void note_if_running(void *context, uint32_t pid)
{
    struct run *run = context;
    const struct ft_record record = {
        .state = FT_STATE_COMMITTED | NOTE_BYTES,
        .pid = pid,
        .error = FT_REASON_OUTLIVED,
        .kind = FT_KIND_NOTE,
    };
    _Alignas(struct ft_record) char bytes[NOTE_BYTES] = {0};

    if (!is_running((pid_t)pid))
        return;
    memcpy(bytes, &record, FT_RECORD_HEAD_BYTES);
    int ret = on_records(run, (const struct ft_record *)(const void *)bytes, sizeof(bytes));
    if (ret && !run->sink_error)
        run->sink_error = ret;
}

/** Gather what is left once the root command has ended. */
static int finish(struct run *run)
{
    drain(run);
    if (run->outcome->interrupt)
        put(run, FT_KIND_NOTE, FT_OP_loader, FT_REASON_INTERRUPTED, "");
    int ret = ft_log_drain_all(&run->log, on_records, run);
    run->outcome->end.lost = ft_log_lost(&run->log);
    run->outcome->end.torn = (uint32_t)run->log.torn;
    ft_decoder_set_end(run->decoder, &run->outcome->end);
    ft_decoder_each_process(run->decoder, note_if_running, run);
    return run->sink_error ? run->sink_error : ret;
}

static int open_channels(struct run *run, struct err *err)
{
    int ret = ft_log_open(&run->log, err);
    if (ret)
        return ret;
    const struct ft_attach attach = {
        .nonce = run->log.head->nonce,
        .library = run->plan.library,
        .protection_off = run->plan.protection_off,
        .shell = run->plan.shell,
        .log = run->log.path,
    };
    if (!ft_attach_write(&attach, run->attach))
        return err_set(err, -ENAMETOOLONG, "cannot watch: %s: %s; set TMPDIR to a shorter path",
                       run->log.path, err_text(-ENAMETOOLONG));
    run->queue = kqueue();
    if (run->queue < 0)
        return err_set(err, -errno, "cannot watch: %s", err_text(-errno));
    (void)fcntl(run->queue, F_SETFD, FD_CLOEXEC);
    (void)sigprocmask(SIG_BLOCK, &run->signals, &run->old_mask);
    return 0;
}

static void close_channels(struct run *run)
{
    if (run->queue >= 0)
        close(run->queue);
    if (!run->options->ends_after)
        (void)sigprocmask(SIG_SETMASK, &run->old_mask, NULL);
    ft_log_close(&run->log);
}

static struct run *run_new(const struct ft_run_options *options, struct ft_decoder *decoder,
                           struct ft_outcome *outcome)
{
    struct run *run = calloc(1, sizeof(*run));
    if (!run)
        return NULL;
    run->options = options;
    run->decoder = decoder;
    run->outcome = outcome;
    run->log.fd = run->queue = -1;
    run->plan = (struct ft_plan_options){
        .own = FT_CPU_OWN,
        .protection_off =
            !csr_check(CSR_ALLOW_UNRESTRICTED_FS) && !csr_check(CSR_ALLOW_TASK_FOR_PID),
        .shell = options->shell ? options->shell : "",
        .look = ft_plan_look,
    };
    sigemptyset(&run->signals);
    sigaddset(&run->signals, SIGINT);
    sigaddset(&run->signals, SIGTERM);
    sigaddset(&run->signals, SIGHUP);
    sigaddset(&run->signals, SIGQUIT);
    (void)sigprocmask(SIG_BLOCK, NULL, &run->old_mask);
    return run;
}

int ft_run(const struct ft_run_options *options, struct ft_decoder *decoder,
           struct ft_outcome *outcome, struct err *err)
{
    struct run *run = run_new(options, decoder, outcome);
    char *path = NULL, *library = NULL;

    *outcome = (struct ft_outcome){0};
    if (!run)
        return err_set(err, -ENOMEM, "cannot watch: %s", err_text(-ENOMEM));
    int ret = check_options(options, err);
    if (!ret && !options->library)
        ret = ft_library_find(&library, err);
    const char *used = options->library ? options->library : library;
    if (!ret)
        ret = inspect_library(run, used, err);
    if (ret)
        goto out;
    outcome->start_error = proc_find(options->argv[0], &path);
    if (outcome->start_error)
        goto out;
    ret = open_channels(run, err);
    if (ret)
        goto out;
    start(run, path, options->argv, used);
    if (outcome->start_error == -ENOEXEC)
        ret = start_as_script(run, path, used, err);
    if (!ret && !outcome->start_error) {
        wait_for_root(run);
        ret = finish(run);
        if (ret)
            err_set(err, ret, "cannot write the trace: %s", err_text(ret));
    }
out:
    close_channels(run);
    free(library);
    free(path);
    free(run);
    return ret;
}
