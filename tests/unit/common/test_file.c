/* SPDX-License-Identifier: MIT */
/* Files are read up to a limit, and written whole or not at all. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "common/file.h"

/* Every test works in a folder of its own, which is the working folder. */
static char folder[64];

static int enter_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof(folder), "/tmp/tracetax-test-file.XXXXXX");
    return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
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

static void assert_holds(const char *path, const char *text)
{
    struct buf buf;
    buf_init(&buf, 1000);
    assert_int_equal(file_read(path, &buf, NULL), 0);
    assert_string_equal(buf.data ? buf.data : "", text);
    buf_fini(&buf);
}

static void writes_new_files(void **state)
{
    (void)state;
    struct stat st;
    mode_t mask = umask(027);
    assert_int_equal(file_write("new", "text", 4, NULL), 0);
    (void)umask(mask);
    assert_holds("new", "text");
    assert_int_equal(stat("new", &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
    assert_int_equal(file_write("empty", NULL, 0, NULL), 0);
    assert_holds("empty", "");
    assert_int_equal(count_names(), 2);
}

static void replaces_files(void **state)
{
    (void)state;
    struct stat before, after;
    assert_int_equal(file_write("a", "old", 3, NULL), 0);
    assert_int_equal(chmod("a", 0604), 0);
    assert_int_equal(stat("a", &before), 0);
    assert_int_equal(file_write("a", "newer", 5, NULL), 0);
    assert_int_equal(stat("a", &after), 0);
    assert_holds("a", "newer");
    assert_int_equal(after.st_mode & 07777, 0604);
    assert_true(before.st_ino != after.st_ino); /* the old one was never written to */

    assert_int_equal(symlink("a", "link"), 0);
    assert_int_equal(file_write("link", "by link", 7, NULL), 0);
    assert_holds("a", "by link");
    assert_int_equal(lstat("link", &after), 0);
    assert_true(S_ISLNK(after.st_mode));
    assert_int_equal(count_names(), 2);
}

static void leaves_names_of_a_crash_alone(void **state)
{
    (void)state;
    char name[64];
    (void)snprintf(name, sizeof(name), "a.%ld.0.tmp", (long)getpid());
    assert_int_equal(file_write(name, "crashed", 7, NULL), 0);
    assert_int_equal(file_write("a", "new", 3, NULL), 0);
    assert_holds("a", "new");
    assert_holds(name, "crashed");
    assert_int_equal(count_names(), 2);
}

static void keeps_the_old_file_when_it_fails(void **state)
{
    (void)state;
    struct err err = {0};
    struct rlimit limit, small;
    static char large[100000];

    assert_int_equal(file_write("a", "old", 3, NULL), 0);
    /* A full disk, as far as a test can make one: no file larger than 4,096 bytes. */
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 4096;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    int ret = file_write("a", large, sizeof(large), &err);
    int ret_new = file_write("b", large, sizeof(large), NULL);
    (void)signal(SIGXFSZ, handler);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);

    assert_int_equal(ret, -EFBIG);
    assert_int_equal(ret_new, -EFBIG);
    assert_string_equal(err.text, "cannot write a: File too large");
    assert_holds("a", "old");
    assert_int_equal(count_names(), 1);
}

static void says_why_it_cannot_write(void **state)
{
    (void)state;
    struct err err = {0};
    assert_int_equal(file_write("no/where", "x", 1, &err), -ENOENT);
    assert_string_equal(err.text, "cannot write no/where: No such file or directory");
    assert_int_equal(file_write("", "x", 1, &err), -ENOENT);
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(file_write("folder", "x", 1, &err), -EISDIR);
    assert_int_equal(file_write("a", "x", 1, NULL), 0);
    assert_int_equal(file_write("a/b", "x", 1, &err), -ENOTDIR);
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_int_equal(file_write("loop", "x", 1, &err), -ELOOP);
    assert_int_equal(count_names(), 3);
    assert_int_equal(file_write("/dev/full", "x", 1, &err), -ENOSPC);
    assert_string_equal(err.text, "cannot write /dev/full: No space left on device");
    assert_int_equal(file_write("/dev/null", "x", 1, &err), 0);
}

static void reads_up_to_the_limit(void **state)
{
    (void)state;
    struct err err = {0};
    struct buf buf;
    assert_int_equal(file_write("a", "12345", 5, NULL), 0);
    buf_init(&buf, 5);
    assert_int_equal(file_read("a", &buf, &err), 0);
    assert_string_equal(buf.data, "12345");
    buf_fini(&buf);
    buf_init(&buf, 4);
    assert_int_equal(file_read("a", &buf, &err), -EFBIG);
    assert_string_equal(err.text, "cannot read a: larger than 4 bytes");
    buf_fini(&buf);
    /* Endless, and stopped by the limit. */
    buf_init(&buf, 1000000);
    assert_int_equal(file_read("/dev/zero", &buf, &err), -EFBIG);
    buf_fini(&buf);
    assert_int_equal(file_read("none", &buf, &err), -ENOENT);
    assert_string_equal(err.text, "cannot read none: No such file or directory");
    assert_int_equal(file_read(".", &buf, &err), -EISDIR);
    buf_fini(&buf);
}

static void makes_folders(void **state)
{
    (void)state;
    struct err err = {0};
    struct stat st;
    assert_int_equal(file_make_dirs("x//y/z/", &err), 0);
    assert_int_equal(stat("x/y/z", &st), 0);
    assert_true(S_ISDIR(st.st_mode));
    assert_int_equal(file_make_dirs("x/y/z", &err), 0);
    assert_int_equal(file_make_dirs("/", &err), 0);
    assert_int_equal(file_make_dirs(".", &err), 0);
    assert_int_equal(file_make_dirs(folder, &err), 0);
    assert_int_equal(file_make_dirs("", &err), -ENOENT);
    assert_int_equal(file_write("a", "x", 1, NULL), 0);
    assert_int_equal(file_make_dirs("a", &err), -ENOTDIR);
    assert_string_equal(err.text, "cannot make the folder a: Not a directory");
    assert_int_equal(file_make_dirs("a/b", &err), -ENOTDIR);
    assert_int_equal(rmdir("x/y/z"), 0);
    assert_int_equal(rmdir("x/y"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(writes_new_files, enter_folder, remove_folder),
        cmocka_unit_test_setup_teardown(replaces_files, enter_folder, remove_folder),
        cmocka_unit_test_setup_teardown(leaves_names_of_a_crash_alone, enter_folder, remove_folder),
        cmocka_unit_test_setup_teardown(keeps_the_old_file_when_it_fails, enter_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(says_why_it_cannot_write, enter_folder, remove_folder),
        cmocka_unit_test_setup_teardown(reads_up_to_the_limit, enter_folder, remove_folder),
        cmocka_unit_test_setup_teardown(makes_folders, enter_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
