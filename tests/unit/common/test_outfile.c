/* SPDX-License-Identifier: MIT */
/* A stream becomes a file only once it is complete. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "common/file.h"
#include "common/outfile.h"

/* Every test works in a folder of its own, which is the working folder. */
static char folder[64];

static int enter_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof(folder), "/tmp/tracetax-test-outfile.XXXXXX");
    return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    DIR *dir = opendir(".");
    if (!dir)
        return -1;
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (unlink(entry->d_name))
            (void)rmdir(entry->d_name);
    }
    closedir(dir);
    return chdir("/") || rmdir(folder);
}

/** Names in the working folder besides "." and "..". */
static size_t count_names(void)
{
    size_t count = 0;
    DIR *dir = opendir(".");
    assert_non_null(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count - 2;
}

static void assert_holds(const char *path, const char *text)
{
    struct buf buf;
    buf_init(&buf, 1000);
    assert_int_equal(file_read(path, &buf, NULL), 0);
    assert_string_equal(buf.data ? buf.data : "", text);
    buf_fini(&buf);
}

static void leaves_nothing_when_killed(void **state)
{
    (void)state;
#ifdef O_TMPFILE
    int fd = open(".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0)
        skip(); /* this file system has no files without a name */
    close(fd);
    pid_t child = fork();
    if (child == 0) {
        struct outfile out;
        if (outfile_open(&out, "new", stderr, NULL))
            _exit(1);
        (void)fputs("half", out.stream);
        (void)fflush(out.stream);
        (void)raise(SIGKILL);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(count_names(), 0);
#else
    skip();
#endif
}

static void appears_when_committed(void **state)
{
    (void)state;
    struct outfile out;
    struct err err = {0};
    struct stat st;

    mode_t mask = umask(027);
    assert_int_equal(outfile_open(&out, "new", stderr, &err), 0);
    (void)umask(mask);
    (void)fputs("text", out.stream);
    (void)fflush(out.stream);
    assert_int_equal(access("new", F_OK), -1);
    assert_int_equal(outfile_commit(&out, &err), 0);
    assert_holds("new", "text");
    assert_int_equal(stat("new", &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
    outfile_discard(&out);
    assert_holds("new", "text");
    assert_int_equal(count_names(), 1);
}

static void keeps_the_old_file_until_then(void **state)
{
    (void)state;
    struct outfile out;
    struct stat st;
    assert_int_equal(file_write("a", "old", 3, NULL), 0);
    assert_int_equal(chmod("a", 0604), 0);

    assert_int_equal(outfile_open(&out, "a", stderr, NULL), 0);
    (void)fputs("given up", out.stream);
    outfile_discard(&out);
    assert_holds("a", "old");
    assert_int_equal(count_names(), 1);
    outfile_discard(&out); /* twice is fine */

    assert_int_equal(outfile_open(&out, "a", stderr, NULL), 0);
    (void)fputs("newer", out.stream);
    assert_holds("a", "old");
    assert_int_equal(outfile_commit(&out, NULL), 0);
    outfile_discard(&out);
    assert_holds("a", "newer");
    assert_int_equal(stat("a", &st), 0);
    assert_int_equal(st.st_mode & 07777, 0604);
    assert_int_equal(count_names(), 1);
}

/** As file_write() does: what the link names is replaced. */
/** A process of the same number was killed before it could rename or remove its file. */
static void leaves_a_strangers_file_beside(void **state)
{
    (void)state;
    struct outfile out;
    char left[64];
    (void)snprintf(left, sizeof(left), "a.%ld-0", (long)getpid());
    assert_int_equal(file_write(left, "left", 4, NULL), 0);
    assert_int_equal(outfile_open(&out, "a", stderr, NULL), 0);
    (void)fputs("ours", out.stream);
    assert_int_equal(outfile_commit(&out, NULL), 0);
    outfile_discard(&out);
    assert_holds("a", "ours");
    assert_holds(left, "left");
    assert_int_equal(count_names(), 2);
}

static void keeps_symbolic_links(void **state)
{
    (void)state;
    struct outfile out;
    struct stat st;
    assert_int_equal(file_write("a", "old", 3, NULL), 0);
    assert_int_equal(symlink("a", "link"), 0);
    assert_int_equal(outfile_open(&out, "link", stderr, NULL), 0);
    (void)fputs("by link", out.stream);
    assert_int_equal(outfile_commit(&out, NULL), 0);
    outfile_discard(&out);
    assert_int_equal(lstat("link", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_holds("a", "by link");
    assert_int_equal(count_names(), 2);
}

static void keeps_the_old_file_when_it_fails(void **state)
{
    (void)state;
    struct outfile out;
    struct err err = {0};
    struct rlimit limit, small;

    assert_int_equal(file_write("a", "old", 3, NULL), 0);
    /* A full disk, as far as a test can make one: no file larger than 4,096 bytes. */
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 4096;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(outfile_open(&out, "a", stderr, &err), 0);
    for (int i = 0; i < 100000; i++)
        (void)putc('x', out.stream);
    int ret = outfile_commit(&out, &err);
    outfile_discard(&out);
    (void)signal(SIGXFSZ, handler);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);

    assert_true(ret < 0);
    assert_int_equal(strncmp(err.text, "cannot write a: ", strlen("cannot write a: ")), 0);
    assert_holds("a", "old");
    assert_int_equal(count_names(), 1);
}

static void says_why_it_cannot_write(void **state)
{
    (void)state;
    struct outfile out;
    struct err err = {0};
    assert_int_equal(outfile_open(&out, "no/where", stderr, &err), -ENOENT);
    assert_string_equal(err.text, "cannot write no/where: No such file or directory");
    assert_null(out.stream);
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(outfile_open(&out, "folder", stderr, &err), -EISDIR);
    assert_string_equal(err.text, "cannot write folder: Is a directory");
    assert_int_equal(count_names(), 1);

    assert_int_equal(outfile_open(&out, "/dev/full", stderr, &err), 0);
    (void)fputs("x", out.stream);
    assert_int_equal(outfile_commit(&out, &err), -ENOSPC);
    assert_string_equal(err.text, "cannot write /dev/full: No space left on device");
    outfile_discard(&out);
}

static void leaves_streams_of_the_caller_open(void **state)
{
    (void)state;
    struct outfile out;
    FILE *fallback = fopen("kept", "w+");
    assert_non_null(fallback);
    assert_int_equal(outfile_open(&out, "-", fallback, NULL), 0);
    assert_ptr_equal(out.stream, stdout);
    outfile_discard(&out);
    assert_int_equal(outfile_open(&out, NULL, fallback, NULL), 0);
    assert_ptr_equal(out.stream, fallback);
    (void)fputs("one", out.stream);
    assert_int_equal(outfile_commit(&out, NULL), 0);
    assert_holds("kept", "one");
    outfile_discard(&out);
    assert_true(fputs(" two", fallback) >= 0);
    assert_int_equal(fclose(fallback), 0);
    assert_holds("kept", "one two");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(appears_when_committed, enter_folder, remove_folder),
        cmocka_unit_test_setup_teardown(leaves_nothing_when_killed, enter_folder, remove_folder),
        cmocka_unit_test_setup_teardown(keeps_the_old_file_until_then, enter_folder, remove_folder),
        cmocka_unit_test_setup_teardown(leaves_a_strangers_file_beside, enter_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(keeps_symbolic_links, enter_folder, remove_folder),
        cmocka_unit_test_setup_teardown(keeps_the_old_file_when_it_fails, enter_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(says_why_it_cannot_write, enter_folder, remove_folder),
        cmocka_unit_test_setup_teardown(leaves_streams_of_the_caller_open, enter_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
