/* SPDX-License-Identifier: MIT */
/* Running a command on Linux: start it, serve it while it runs, gather what was recorded. */
#include "tracer/filetrace.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/proc.h"
#include "tracer/linux/environment.h"
#include "tracer/linux/inject.h"
#include "tracer/linux/launch.h"
#include "tracer/linux/route.h"
#include "tracer/linux/serve.h"
#include "tracer/linux/task.h"
#include "tracer/ops.h"

/* How long full chunks may wait. The log holds some 60 ms of the fastest writers seen; while
 * chunks come they are fetched sooner, so that few pages are in use. */
#define DRAIN_INTERVAL_MIN_MS 1
#define DRAIN_INTERVAL_FIRST_MS 4 /* no program has filled much by then */
#define DRAIN_INTERVAL_MAX_MS 10

struct run {
    const struct ft_run_options *options;
    struct ft_decoder *decoder;
    struct ft_outcome *outcome;
    int signals; /* signalfd */
    sigset_t old_mask;
    struct sigaction old_child, old_file_size;
    pid_t root;
    int sink_error;
    bool outlived; /* somebody has, and it is said */
    /* Each of these touches no more of its pages than it needs. */
    struct ft_serving serving;
    _Alignas(16) char launch_stack[FT_LAUNCH_STACK_BYTES]; /* used from its end */
    struct ft_log log;                                     /* used from its start */
};

const char *ft_backend_names(void)
{
    return "auto, preload, notify, inject, ptrace";
}

int ft_backend_parse(const char *name, enum ft_backend *out)
{
    static const char *const names[] = {"auto", "preload", "notify", "inject", "ptrace"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (!strcmp(name, names[i])) {
            *out = (enum ft_backend)i;
            return 0;
        }
    }
    return -EINVAL;
}

static int on_records(void *context, const struct ft_record *records, size_t size_bytes)
{
    struct run *run = context;
    const struct ft_run_options *options = run->options;
    int ret = options->raw_sink ? options->raw_sink(options->raw_context, records, size_bytes) : 0;
    return ret ? ret : ft_decoder_feed(run->decoder, records, size_bytes);
}

static void note(struct run *run, uint32_t pid, enum ft_reason reason, const char *image)
{
    const struct ft_record head = {
        .pid = pid,
        .op = FT_OP_loader,
        .error = (uint16_t)reason,
        .kind = FT_KIND_NOTE,
    };
    ft_log_put(&run->log, &head, NULL, 0, image, strlen(image));
}

/** The root command's own exec, and its interpreters. */
static void note_exec(struct run *run, uint32_t pid, enum ft_op op, const char *path, int error)
{
    char cwd[FT_PATH_MAX];
    const struct ft_record head = {.pid = pid,
                                   .op = (uint16_t)op,
                                   .error = (uint16_t)error,
                                   .kind = FT_KIND_ACCESS,
                                   .access = FT_READ};
    if (!getcwd(cwd, sizeof(cwd)))
        cwd[0] = '\0';
    ft_log_put(&run->log, &head, cwd, strlen(cwd), path, strlen(path));
}

/** The root command's image loads the library, which records that: else it is not watched. */
static void expect_start(struct run *run, uint32_t pid, const char *path)
{
    const struct ft_record head = {
        .pid = pid, .op = FT_OP_execve, .kind = FT_KIND_EXPECT, .access = FT_EXPECT_START};
    ft_log_put(&run->log, &head, NULL, 0, path, strlen(path));
}

/** The interpreters and the loader of the root command's image. */
struct loaded {
    char paths[FT_ROUTE_LOADED_MAX][FT_INTERPRETER_MAX];
    int errors[FT_ROUTE_LOADED_MAX];
    size_t count;
};

static void keep_loaded(void *context, const char *path, int error)
{
    struct loaded *loaded = context;
    if (loaded->count == FT_ROUTE_LOADED_MAX)
        return;
    loaded->errors[loaded->count] = error;
    (void)snprintf(loaded->paths[loaded->count++], FT_INTERPRETER_MAX, "%s", path);
}

/** A signal that asks us to stop: the command gets it too, unless its terminal gave it. */
static void pass_on(struct run *run, const struct signalfd_siginfo *info)
{
    int number = (int)info->ssi_signo;
    bool again = run->outcome->interrupt != 0;

    run->outcome->interrupt = number;
    if (info->ssi_code == SI_KERNEL)
        return; /* the terminal's driver signals the whole foreground group */
    (void)kill(run->root, again ? SIGKILL : number);
}

/** @return true when the root command has ended */
static bool take_signals(struct run *run)
{
    struct signalfd_siginfo info;
    int status;

    while (read(run->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
        if (info.ssi_signo != SIGCHLD)
            pass_on(run, &info);
    }
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
    struct pollfd fds[] = {{.fd = run->signals, .events = POLLIN},
                           {.fd = run->serving.requests[0], .events = POLLIN}};
    int interval_ms = DRAIN_INTERVAL_FIRST_MS;
    bool ended = false;
    while (!ended) {
        int ready = poll(fds, ARRAY_LEN(fds), interval_ms);
        uint64_t drained = run->log.drained;
        if ((ready > 0 && fds[1].revents) || ft_serving_is_due(&run->serving))
            ft_serving_serve(&run->serving);
        drain(run);
        if (run->log.drained != drained)
            interval_ms = DRAIN_INTERVAL_MIN_MS;
        else if ((interval_ms *= 2) > DRAIN_INTERVAL_MAX_MS)
            interval_ms = DRAIN_INTERVAL_MAX_MS;
        /* Idle: look even so, should SIGCHLD not have come. */
        ended = (ready == 0 || fds[0].revents) && take_signals(run);
    }
}

#define NOTE_BYTES ((FT_RECORD_HEAD_BYTES + 7u) & ~7u)

/** Past the log, which has been emptied for the last time. */
static void note_outlived(struct run *run, uint32_t pid)
{
    const struct ft_record record = {
        .state = FT_STATE_COMMITTED | NOTE_BYTES,
        .pid = pid,
        .error = FT_REASON_OUTLIVED,
        .kind = FT_KIND_NOTE,
    };
    _Alignas(struct ft_record) char bytes[NOTE_BYTES] = {0};
    memcpy(bytes, &record, FT_RECORD_HEAD_BYTES);
    int ret = on_records(run, (const struct ft_record *)(const void *)bytes, sizeof(bytes));
    if (ret && !run->sink_error)
        run->sink_error = ret;
    run->outlived = true;
}

static void note_if_running(void *context, uint32_t pid)
{
    if (ft_task_is_running(pid))
        note_outlived(context, pid);
}

/** Gather what is left once the root command has ended. */
static int finish(struct run *run)
{
    drain(run);
    bool left = ft_serving_stop(&run->serving);
    if (run->outcome->interrupt)
        note(run, (uint32_t)run->root, FT_REASON_INTERRUPTED, "");
    int ret = ft_log_drain_all(&run->log, on_records, run);
    run->outcome->end.lost = ft_log_lost(&run->log);
    run->outcome->interrupted_calls =
        __atomic_load_n(&run->log.head->interrupted, __ATOMIC_RELAXED);
    run->outcome->end.torn = (uint32_t)run->log.torn;
    ft_decoder_set_end(run->decoder, &run->outcome->end);
    /* Whoever is watched has the log, or is under a filter or a tracer. With nobody left a number
     * that is in use is somebody else's by now. */
    enum ft_attached attached = ft_log_attached(&run->log);
    if (left || attached != FT_ATTACHED_NOBODY)
        ft_decoder_each_process(run->decoder, note_if_running, run);
    /* A process that has recorded nothing yet has no number here. */
    if (!run->outlived && (left || attached == FT_ATTACHED_SOMEBODY))
        note_outlived(run, 0);
    return run->sink_error ? run->sink_error : ret;
}

/** What we may have inherited and cannot do with: a SIGCHLD that is ignored leaves nobody to wait
 * for, and a limit on the size of files is to be an error of ours and not our end. */
static void take_actions(struct run *run)
{
    const struct sigaction wait_for = {.sa_handler = SIG_DFL}, fail = {.sa_handler = SIG_IGN};
    (void)sigprocmask(SIG_BLOCK, NULL, &run->old_mask);
    (void)sigaction(SIGCHLD, &wait_for, &run->old_child);
    (void)sigaction(SIGXFSZ, &fail, &run->old_file_size);
}

static int open_channels(struct run *run, struct err *err)
{
    sigset_t mask;
    int ret = ft_log_open(&run->log, err);
    if (ret)
        return ret;
    if (run->options->deny_io_uring)
        run->log.head->flags |= FT_FLAG_DENY_IO_URING;
    if (run->options->backend == FT_BACKEND_PTRACE)
        run->log.head->flags |= FT_FLAG_PTRACE;
    if (ft_can_inject &&
        (run->options->backend == FT_BACKEND_AUTO || run->options->backend == FT_BACKEND_INJECT))
        run->log.head->flags |= FT_FLAG_INJECT;
    if (run->options->backend == FT_BACKEND_INJECT)
        run->log.head->flags |= FT_FLAG_INJECT_ALL;
    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD);
    sigaddset(&mask, SIGINT);
    sigaddset(&mask, SIGTERM);
    sigaddset(&mask, SIGHUP);
    sigaddset(&mask, SIGQUIT);
    (void)sigprocmask(SIG_BLOCK, &mask, &run->old_mask);
    ret = ft_serving_open(&run->serving, &run->log);
    if (!ret && (run->signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK)) < 0)
        ret = -errno;
    return ret ? err_set(err, ret, "cannot watch: %s", err_text(ret)) : 0;
}

static void close_channels(struct run *run)
{
    ft_serving_close(&run->serving);
    if (run->signals >= 0)
        close(run->signals);
    if (run->options->ends_after)
        return;
    (void)sigprocmask(SIG_SETMASK, &run->old_mask, NULL);
    (void)sigaction(SIGCHLD, &run->old_child, NULL);
    (void)sigaction(SIGXFSZ, &run->old_file_size, NULL);
    if (!run->serving.guard.pid) /* a guard that stays looks there for those who come yet */
        ft_log_close(&run->log);
}

/** Record what the launch of the root command has shown. */
static void note_launch(struct run *run, const struct ft_launch *launch, enum ft_way way,
                        const struct loaded *loaded)
{
    uint32_t pid = (uint32_t)launch->pid;

    run->root = launch->pid;
    run->outcome->start_error = launch->exec_error;
    if (launch->exec_error) {
        if (launch->pid > 0)
            (void)waitpid(launch->pid, NULL, 0);
        return;
    }
    note_exec(run, pid, FT_OP_execve, launch->path, 0);
    for (size_t i = 0; i < loaded->count; i++)
        note_exec(run, pid, FT_OP_loader, loaded->paths[i], loaded->errors[i]);
    /* Every descendant inherits the filter, or the tracer. */
    run->outcome->end.kernel_guarantee = launch->enter && !launch->enter_error;
    if (launch->enter_error)
        note(run, pid, FT_REASON_NO_FILTER, launch->path);
    if (way == FT_WAY_UNTOUCHED)
        note(run, pid, FT_REASON_SETUID, launch->path);
    else if (way == FT_WAY_PRELOAD)
        expect_start(run, pid, launch->path);
}

/** What a program inherits of an action: no handler. */
static void (*inherited(const struct sigaction *action))(int)
{
    return action->sa_handler == SIG_IGN ? SIG_IGN : SIG_DFL;
}

/** Start an image; its own libraries and calls decide how. */
static int start(struct run *run, const char *path, char *const *argv, const char *library,
                 struct err *err)
{
    struct ft_environment environment = {0};
    struct loaded loaded = {0};
    enum ft_way way = ft_route_file(path, run->log.head, keep_loaded, &loaded);
    if (run->options->backend == FT_BACKEND_PRELOAD)
        way = FT_WAY_PRELOAD;
    else if (way == FT_WAY_PRELOAD &&
             (run->options->strict || run->options->backend != FT_BACKEND_AUTO))
        way = FT_WAY_KERNEL;
    if (way == FT_WAY_PRELOAD && run->log.fd < 0)
        way = FT_WAY_KERNEL; /* a library inside it could not attach */

    char *const *envp = run->options->envp ? run->options->envp : environ;
    int ret = ft_environment_make(envp, way == FT_WAY_PRELOAD ? library : NULL, run->log.head,
                                  run->log.fd, run->serving.requests[1], &environment);
    if (ret)
        return err_set(err, ret, "cannot make the environment of %s: %s", path, err_text(ret));
    struct ft_launch launch;
    launch.path = path;
    launch.argv = argv;
    launch.envp = environment.entries;
    launch.signal_mask = run->old_mask;
    launch.on_child = inherited(&run->old_child);
    launch.on_file_size = inherited(&run->old_file_size);
    launch.enter = way == FT_WAY_KERNEL || way == FT_WAY_TRACE;
    launch.by_ptrace = way == FT_WAY_TRACE;
    launch.log = run->log.head;
    launch.pipe = run->serving.requests[1];
    launch.stack = run->launch_stack;
    run->serving.launched = !launch.enter;
    ret = ft_launch_start(&launch);
    if (ret) {
        ft_environment_fini(&environment);
        return err_set(err, ret, "cannot start %s: %s", path, err_text(ret));
    }
    while (!run->serving.launched) {
        struct pollfd request = {.fd = run->serving.requests[0], .events = POLLIN};
        (void)poll(&request, 1, DRAIN_INTERVAL_MIN_MS);
        ft_serving_serve(&run->serving);
    }
    ft_launch_finish(&launch);
    ft_environment_fini(&environment);
    note_launch(run, &launch, way, &loaded);
    return 0;
}

/** As execvp(3): a file that the kernel does not know is a shell's script. */
static int start_as_script(struct run *run, const char *path, const char *library, struct err *err)
{
    size_t count = 0;
    while (run->options->argv[count])
        count++;
    char **argv = calloc(count + 2, sizeof(*argv));
    if (!argv)
        return err_set(err, -ENOMEM, "cannot start %s: %s", path, err_text(-ENOMEM));
    static char shell[] = "/bin/sh";
    argv[0] = shell;
    memcpy(argv + 1, run->options->argv, count * sizeof(*argv));
    argv[1] = (char *)(uintptr_t)path;
    int ret = start(run, shell, argv, library, err);
    free(argv);
    return ret;
}

int ft_run(const struct ft_run_options *options, struct ft_decoder *decoder,
           struct ft_outcome *outcome, struct err *err)
{
    /* Mapped, not allocated: most of its pages are never touched. */
    struct run *run =
        mmap(NULL, sizeof(*run), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *path = NULL, *library = NULL;

    *outcome = (struct ft_outcome){0};
    if (run == MAP_FAILED)
        return err_set(err, -ENOMEM, "cannot watch: %s", err_text(-ENOMEM));
    if (options->shell) {
        munmap(run, sizeof(*run));
        return err_set(
            err, -ENOTSUP,
            "cannot put %s in the place of /bin/sh: that is for macOS, where /bin/sh cannot "
            "be watched; here it can: leave --sh out",
            options->shell);
    }
    run->options = options;
    run->decoder = decoder;
    run->outcome = outcome;
    run->log.fd = run->serving.requests[0] = run->serving.requests[1] = run->signals = -1;
    take_actions(run);
    int ret = options->library ? 0 : ft_library_find(&library, err);
    if (ret)
        goto out;
    outcome->start_error = proc_find(options->argv[0], &path);
    if (outcome->start_error)
        goto out;
    const char *used = options->library ? options->library : library;
    ret = open_channels(run, err);
    if (!ret)
        ret = start(run, path, options->argv, used, err);
    if (!ret && outcome->start_error == -ENOEXEC)
        ret = start_as_script(run, path, used, err);
    if (!ret && !outcome->start_error) {
        wait_for_root(run);
        ret = finish(run);
        if (ret)
            err_set(err, ret, "cannot write the trace: %s", err_text(ret));
    } else if (run->log.head) {
        ft_serving_stop(&run->serving);
    }
out:
    close_channels(run);
    free(library);
    free(path);
    /* A guard that stays runs on this memory. */
    if (!run->serving.guard.pid && !options->ends_after)
        munmap(run, sizeof(*run));
    return ret;
}
