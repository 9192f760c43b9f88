/* SPDX-License-Identifier: MIT */
/* Child processes, from posix_spawn(3) and wait4(2). */
#include "common/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/proc_system.h"

extern char **environ;

#define NS_PER_MS 1000000u
#define READ_STEP_BYTES 16384
#define DEFAULT_PATH "/bin:/usr/bin"

/** The reading end of a captured stream. */
struct capture {
    int fd; /**< -1 when there is nothing more to read */
    struct buf *buf;
};

/** Route one stream of the child; for PROC_CAPTURE make the pipe. */
static int route(posix_spawn_file_actions_t *actions, enum proc_stream stream, int child_fd,
                 struct capture *capture, int *write_end)
{
    if (stream == PROC_INHERIT)
        return 0;
    if (stream == PROC_NULL)
        return -posix_spawn_file_actions_addopen(actions, child_fd, "/dev/null",
                                                 child_fd ? O_WRONLY : O_RDONLY, 0);
    if (!capture || !capture->buf)
        return -EINVAL;
    int ends[2];
    int ret = proc_system_pipe(ends);
    if (ret)
        return ret;
    capture->fd = ends[0];
    *write_end = ends[1];
    return -posix_spawn_file_actions_adddup2(actions, ends[1], child_fd);
}

/** Read what is there; what goes past the buffer's limit is dropped. */
static void drain(struct capture *capture)
{
    char step[READ_STEP_BYTES];
    ssize_t n = read(capture->fd, step, sizeof(step));
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n <= 0) {
        close(capture->fd);
        capture->fd = -1;
        return;
    }
    size_t room = capture->buf->limit_bytes - capture->buf->size_bytes;
    (void)buf_append(capture->buf, step, (size_t)n < room ? (size_t)n : room);
}

/** When @timeout_ms from @start_ns are over; 0 for never. */
static uint64_t deadline_after(uint64_t start_ns, uint64_t timeout_ms)
{
    if (!timeout_ms || timeout_ms > (UINT64_MAX - start_ns) / NS_PER_MS)
        return 0;
    return start_ns + timeout_ms * NS_PER_MS;
}

static int milliseconds_left(uint64_t deadline_ns)
{
    if (!deadline_ns)
        return -1;
    uint64_t now = clock_monotonic_ns();
    if (now >= deadline_ns)
        return 0;
    uint64_t left_ms = (deadline_ns - now) / NS_PER_MS;
    return left_ms < INT_MAX ? (int)left_ms + 1 : INT_MAX;
}

/** Read the captured streams until they end or the deadline passes. */
static bool pump(struct capture captures[2], uint64_t deadline_ns)
{
    while (captures[0].fd >= 0 || captures[1].fd >= 0) {
        struct pollfd fds[2] = {{.fd = captures[0].fd, .events = POLLIN},
                                {.fd = captures[1].fd, .events = POLLIN}};
        int n = poll(fds, 2, milliseconds_left(deadline_ns));
        if (n == 0)
            return false;
        for (int i = 0; n > 0 && i < 2; i++) {
            if (fds[i].revents)
                drain(&captures[i]);
        }
    }
    return true;
}

/**
 * Wait for a child until the deadline. POSIX has no wait with a time limit that leaves
 * signal handlers alone, so this looks once a millisecond.
 * @return 0, -ETIMEDOUT, or -ECHILD when the status is lost
 */
static int wait_deadline(pid_t pid, uint64_t deadline_ns, int *status, struct rusage *usage)
{
    for (;;) {
        pid_t got = wait4(pid, status, deadline_ns ? WNOHANG : 0, usage);
        if (got == pid)
            return 0;
        if (got < 0 && errno != EINTR)
            return -errno;
        if (deadline_ns && got == 0) {
            if (!milliseconds_left(deadline_ns))
                return -ETIMEDOUT;
            (void)poll(NULL, 0, 1);
        }
    }
}

static uint64_t timeval_ns(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

static void fill_result(struct proc_result *out, int status, const struct rusage *usage)
{
    out->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    out->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    out->user_ns = timeval_ns(usage->ru_utime);
    out->system_ns = timeval_ns(usage->ru_stime);
    out->peak_rss_bytes = proc_system_peak_rss_bytes(usage);
}

/** The child starts with default handlers for what a shell's child would expect. */
static int set_attributes(posix_spawnattr_t *attributes, bool own_group)
{
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (own_group)
        flags |= POSIX_SPAWN_SETPGROUP;
    int ret = -posix_spawnattr_setsigmask(attributes, &none);
    if (!ret)
        ret = -posix_spawnattr_setsigdefault(attributes, &defaults);
    if (!ret)
        ret = -posix_spawnattr_setflags(attributes, flags);
    return ret;
}

/** Say why a program could not be run. @return @code */
static int explain(const struct proc_spec *spec, int code, struct err *err)
{
    struct stat st;
    const char *program = spec->argv[0];

    if (code == -ECHILD)
        return err_set(
            err, code,
            "cannot run %s: its exit status was lost; start this with SIGCHLD not ignored",
            program);
    if (spec->cwd && (stat(spec->cwd, &st) || !S_ISDIR(st.st_mode)))
        return err_set(err, code, "cannot run %s in the folder %s: %s", program, spec->cwd,
                       err_text(code));
    return err_set(err, code, "cannot run %s: %s", program, err_text(code));
}

int proc_run(const struct proc_spec *spec, struct proc_result *out, struct err *err)
{
    struct capture captures[2] = {{.fd = -1, .buf = spec->out_buf},
                                  {.fd = -1, .buf = spec->err_buf}};
    int write_ends[2] = {-1, -1};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    struct rusage usage = {0};
    int status = 0;
    pid_t pid = -1;

    *out = (struct proc_result){0};
    if (!spec->argv[0])
        return err_set(err, -EINVAL, "cannot run a program without a name");
    int ret = -posix_spawn_file_actions_init(&actions);
    if (ret)
        return err_set(err, ret, "cannot run %s: %s", spec->argv[0], err_text(ret));
    ret = -posix_spawnattr_init(&attributes);
    if (ret) {
        posix_spawn_file_actions_destroy(&actions);
        return err_set(err, ret, "cannot run %s: %s", spec->argv[0], err_text(ret));
    }
    ret = set_attributes(&attributes, spec->timeout_ms != 0);
    if (!ret)
        ret = route(&actions, spec->in, STDIN_FILENO, NULL, NULL);
    if (!ret)
        ret = route(&actions, spec->out, STDOUT_FILENO, &captures[0], &write_ends[0]);
    if (!ret)
        ret = route(&actions, spec->err, STDERR_FILENO, &captures[1], &write_ends[1]);
    if (!ret && spec->cwd)
        ret = -posix_spawn_file_actions_addchdir_np(&actions, spec->cwd);
    if (ret)
        goto out;

    uint64_t start_ns = clock_monotonic_ns();
    uint64_t deadline_ns = deadline_after(start_ns, spec->timeout_ms);
    ret = -posix_spawnp(&pid, spec->argv[0], &actions, &attributes,
                        (char *const *)(uintptr_t)spec->argv,
                        spec->envp ? (char *const *)(uintptr_t)spec->envp : environ);
    if (ret)
        goto out;
    for (int i = 0; i < 2; i++) {
        if (write_ends[i] >= 0)
            close(write_ends[i]);
        write_ends[i] = -1;
    }
    ret =
        pump(captures, deadline_ns) ? wait_deadline(pid, deadline_ns, &status, &usage) : -ETIMEDOUT;
    if (ret == -ETIMEDOUT) {
        out->timed_out = true;
        (void)kill(-pid, SIGKILL);
        ret = wait_deadline(pid, 0, &status, &usage);
    }
    out->wall_ns = clock_monotonic_ns() - start_ns;
    if (ret)
        *out = (struct proc_result){0};
    else
        fill_result(out, status, &usage);
out:
    for (int i = 0; i < 2; i++) {
        if (captures[i].fd >= 0)
            close(captures[i].fd);
        if (write_ends[i] >= 0)
            close(write_ends[i]);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return ret ? explain(spec, ret, err) : 0;
}

/** @return 0, or a negative errno value: is this a file that may be executed? */
static int check_executable(const char *path)
{
    struct stat st;
    if (stat(path, &st))
        return -errno;
    if (!S_ISREG(st.st_mode))
        return -EACCES;
    return access(path, X_OK) ? -errno : 0;
}

/** "FOLDER/NAME", or "./NAME" for an empty folder. @return the caller's, or NULL */
static char *join(const char *folder, size_t length, const char *name)
{
    struct buf path;
    buf_init(&path, SIZE_MAX);
    (void)buf_append(&path, folder, length);
    (void)buf_printf(&path, "%s%s", length ? "/" : "./", name);
    char *joined = buf_take(&path);
    buf_fini(&path);
    return joined;
}

int proc_find(const char *name, char **out)
{
    int ret = -ENOENT;

    *out = NULL;
    if (!*name)
        return -ENOENT;
    if (strchr(name, '/')) {
        ret = check_executable(name);
        if (ret)
            return ret == -EACCES ? ret : -ENOENT;
        *out = strdup(name);
        return *out ? 0 : -ENOMEM;
    }
    const char *path = getenv("PATH");
    if (!path)
        path = DEFAULT_PATH;
    for (;;) {
        size_t length = strcspn(path, ":");
        char *candidate = join(path, length, name);
        if (!candidate)
            return -ENOMEM;
        int found = check_executable(candidate);
        if (!found) {
            *out = candidate;
            return 0;
        }
        if (found == -EACCES)
            ret = -EACCES; /* said only when no other folder has it */
        free(candidate);
        path += length;
        if (!*path)
            return ret;
        path++;
    }
}
