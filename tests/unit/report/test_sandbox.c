/* SPDX-License-Identifier: MIT */
/* What the reporter's sandbox refuses, and what it must not: each tried in a child that entered it.
 */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <cmocka.h>

#include "common/file.h"
#include "report/sandbox.h"
#include "report/summary.h"

static char folder[4096];         /* the working folder of all */
static struct sockaddr_in server; /* listens since before the sandbox */

/** In the sandbox. @return 0 when all is as it should be, else the number of the wrong step */
typedef int try_fn(void);

/* The child's exit status is the step that went wrong. */
static void in_sandbox(try_fn *attempt)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        const char *const replaced[] = {"out/report.json", NULL, "link.json"};
        const char *const appended[] = {"summary.md", "new/summary.md"};
        const char *const folders[] = {"baselines"};
        const struct rep_sandbox allowed = {replaced, 3, appended, 2, folders, 1};
        const char *missing;
        (void)rep_sandbox_enter(&allowed, &missing);
        _exit(attempt());
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        fail_msg("step %d went wrong (status %#x)", WEXITSTATUS(status), (unsigned)status);
}

static int step; /* of the child */

/* A call that gives -1: with this error? */
#define REFUSED(call, error)                                                                       \
    do {                                                                                           \
        step++;                                                                                    \
        errno = 0;                                                                                 \
        if ((call) != -1 || errno != (error))                                                      \
            return step;                                                                           \
    } while (0)

#define DONE(condition)                                                                            \
    do {                                                                                           \
        step++;                                                                                    \
        if (!(condition))                                                                          \
            return step;                                                                           \
    } while (0)

static int try_programs(void)
{
    char *const argv[] = {"true", NULL};
    char *const environment[] = {NULL};
    pid_t child;
    REFUSED(execve("/bin/true", argv, environment), EPERM);
    REFUSED(fork(), EPERM);
    DONE(posix_spawn(&child, "/bin/true", NULL, NULL, argv, environment) != 0);
    /* NOLINTBEGIN(cert-env33-c): that they cannot start anything is what is tested */
    DONE(system("true") != 0);
    DONE(!popen("true", "re"));
    /* NOLINTEND(cert-env33-c) */
    return 0;
}

static int try_processes(void)
{
    struct rlimit limit;
    siginfo_t info = {.si_code = SI_QUEUE};
    pid_t parent = getppid();
    REFUSED(kill(parent, 0), EPERM);
    REFUSED(syscall(SYS_tgkill, parent, parent, 0), EPERM);
    REFUSED(syscall(SYS_tkill, parent, 0), EPERM);
    REFUSED(syscall(SYS_rt_sigqueueinfo, parent, 0, &info), EPERM);
    REFUSED(syscall(SYS_rt_tgsigqueueinfo, parent, parent, 0, &info), EPERM);
    REFUSED(syscall(SYS_prlimit64, parent, RLIMIT_CORE, NULL, &limit), EPERM);
    DONE(!syscall(SYS_tgkill, getpid(), gettid(), 0)); /* abort() */
    DONE(!syscall(SYS_prlimit64, getpid(), RLIMIT_CORE, NULL, &limit));
    DONE(!getrlimit(RLIMIT_CORE, &limit));
    REFUSED(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL), EPERM);
    REFUSED(chroot("."), EPERM);
    REFUSED(listen(socket(AF_INET, SOCK_STREAM, 0), 1), EPERM);
    REFUSED(socket(AF_PACKET, SOCK_RAW, 0), EAFNOSUPPORT);
    return 0;
}

static int try_rights(void)
{
    REFUSED(chmod("foreign", 0777), EPERM);
    REFUSED(fchmodat(AT_FDCWD, "foreign", 0777, 0), EPERM);
    REFUSED(chown("foreign", 0, 0), EPERM);
    REFUSED(truncate("foreign", 0), EPERM);
    int fd = open("foreign", O_RDONLY | O_CLOEXEC);
    DONE(fd >= 0);
    REFUSED(fchmod(fd, 04755), EPERM);
    REFUSED(fchmod(fd, 02755), EPERM);
    REFUSED(fchown(fd, getuid(), getgid()), EPERM);
    REFUSED(fsetxattr(fd, "user.x", "y", 1, 0), EPERM);
    REFUSED(fremovexattr(fd, "user.x"), EPERM);
    struct stat before;
    DONE(!fstat(fd, &before));
    DONE(!fchmod(fd, before.st_mode & 0777)); /* as file_write() keeps a file's rights */
    REFUSED(mknod("pipe", S_IFIFO | 0600, 0), EPERM);
    return 0;
}

static int try_foreign_files(void)
{
    REFUSED(open("foreign", O_WRONLY), EACCES);
    REFUSED(open("foreign", O_RDONLY | O_TRUNC), EACCES);
    REFUSED(open("new-file", O_WRONLY | O_CREAT, 0600), EACCES);
    REFUSED(unlink("foreign"), EACCES);
    REFUSED(mkdir("other", 0700), EACCES);
    REFUSED(mkdir("out/other", 0700), EACCES);
    REFUSED(symlink("/etc", "out/link"), EACCES);
    DONE(rename("foreign", "out/report.json") == -1);
    DONE(link("foreign", "out/hard") == -1);
    DONE(file_write("foreign", "x", 1, NULL) == -EACCES);
    return 0;
}

static int try_own_files(void)
{
    struct buf text, read_back;
    struct err err;
    buf_init(&text, 100);
    buf_init(&read_back, 100);
    (void)buf_puts(&text, "summary\n");
    DONE(!file_write("out/report.json", "{}", 2, &err));
    DONE(!file_write("link.json", "[]", 2, &err)); /* what it names is replaced */
    DONE(!rep_summary_append("summary.md", &text));
    DONE(!rep_summary_append("new/summary.md", &text));
    DONE(!file_make_dirs("baselines", &err));
    DONE(!file_write("baselines/x.json", "{}", 2, &err));
    DONE(!file_read("foreign", &read_back, &err));
    DONE(!strcmp(read_back.data, "mine"));
    buf_fini(&text);
    buf_fini(&read_back);
    return 0;
}

static void *say_one(void *out)
{
    *(int *)out = 1;
    return NULL;
}

/* What libcurl needs. */
static int try_the_network(void)
{
    struct addrinfo *found = NULL;
    pthread_t thread;
    int said = 0;
    DONE(!pthread_create(&thread, NULL, say_one, &said));
    DONE(!pthread_join(thread, NULL) && said);
    DONE(!getaddrinfo("localhost", "443", NULL, &found));
    freeaddrinfo(found);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    DONE(fd >= 0);
    DONE(!connect(fd, (const struct sockaddr *)&server, sizeof(server)));
    DONE(write(STDERR_FILENO, "", 0) == 0);
    return 0;
}

static void starts_no_program(void **state)
{
    (void)state;
    in_sandbox(try_programs);
}

static void leaves_other_processes_alone(void **state)
{
    (void)state;
    in_sandbox(try_processes);
}

static void changes_no_rights(void **state)
{
    (void)state;
    in_sandbox(try_rights);
}

static void writes_no_foreign_file(void **state)
{
    (void)state;
    in_sandbox(try_foreign_files);
}

static void writes_its_own_files(void **state)
{
    (void)state;
    in_sandbox(try_own_files);
}

static void resolves_and_connects(void **state)
{
    (void)state;
    in_sandbox(try_the_network);
}

/** What this kernel can shut off. */
static unsigned ask(const char **missing)
{
    static const char *words;
    int pipe_fds[2];
    unsigned entered = 0;
    if (pipe(pipe_fds))
        return 0;
    pid_t child = fork();
    if (!child) {
        const struct rep_sandbox nothing = {0};
        entered = rep_sandbox_enter(&nothing, &words);
        _exit(write(pipe_fds[1], &entered, sizeof(entered)) != sizeof(entered));
    }
    (void)close(pipe_fds[1]);
    if (child < 0 || read(pipe_fds[0], &entered, sizeof(entered)) != sizeof(entered))
        entered = 0;
    (void)close(pipe_fds[0]);
    (void)waitpid(child, NULL, 0);
    *missing = entered & REP_SANDBOX_CALLS ? "Landlock" : "seccomp filters";
    return entered;
}

static int set_up(void **state)
{
    (void)state;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socklen_t length = sizeof(server);
    server = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (fd < 0 || bind(fd, (const struct sockaddr *)&server, sizeof(server)) || listen(fd, 4) ||
        getsockname(fd, (struct sockaddr *)&server, &length))
        return -1;
    const char *above = getenv("TMPDIR");
    (void)snprintf(folder, sizeof(folder), "%s/tracetax-sandbox.XXXXXX", above ? above : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) || mkdir("out", 0700) || mkdir("new", 0700) ||
        mkdir("linked", 0700) || mkdir("baselines", 0700) || symlink("linked/x.json", "link.json"))
        return -1;
    return file_write("foreign", "mine", 4, NULL) || file_write("linked/x.json", "", 0, NULL) ||
           file_write("out/report.json", "", 0, NULL) || file_write("summary.md", "", 0, NULL);
}

static int tear_down(void **state)
{
    static const char *const files[] = {"foreign",    "linked/x.json",  "out/report.json",
                                        "summary.md", "new/summary.md", "baselines/x.json",
                                        "link.json"};
    static const char *const folders[] = {"out", "new", "linked", "baselines"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(files); i++)
        (void)unlink(files[i]);
    for (size_t i = 0; i < ARRAY_LEN(folders); i++)
        (void)rmdir(folders[i]);
    return chdir("/") || rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_no_program),    cmocka_unit_test(leaves_other_processes_alone),
        cmocka_unit_test(changes_no_rights),    cmocka_unit_test(writes_no_foreign_file),
        cmocka_unit_test(writes_its_own_files), cmocka_unit_test(resolves_and_connects),
    };
    const char *missing = "";
    if (ask(&missing) != (REP_SANDBOX_WRITES | REP_SANDBOX_CALLS)) {
        printf("SKIPPED: this kernel has no %s\n", missing);
        return 77;
    }
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
