/* SPDX-License-Identifier: MIT */
/* What common/ does at the edge of Windows: names, files, folders, programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "common/file.h"
#include "common/folder.h"
#include "common/outfile.h"
#include "common/proc.h"
#include "common/wide.h"

/* "tést 日本 𝄞" and a high surrogate that stands alone, as WTF-8. */
#define STRANGE "t\xc3\xa9st \xe6\x97\xa5\xe6\x9c\xac \xf0\x9d\x84\x9e"
#define LONE "lone \xed\xa0\x80 end"

/** wine keeps files in a Unix file system, where a lone surrogate has no name. */
static bool has_lone_names(void)
{
    static bool said;
    HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
    bool wine = ntdll && GetProcAddress(ntdll, "wine_get_version");
    if (wine && !said)
        print_message("not checked under wine: lone surrogates in names of files\n");
    said = said || wine;
    return !wine;
}

static char *own; /* a folder for all tests */

static char *below(const char *name)
{
    static char path[1024];
    (void)snprintf(path, sizeof(path), "%s/%s", own, name);
    return path;
}

static int make_own(void **state)
{
    struct err err;
    (void)state;
    return folder_make_own("tracetax-test", &own, &err);
}

static int remove_own(void **state)
{
    (void)state;
    folder_remove(own);
    int kind = file_kind(own);
    free(own);
    return kind == -ENOENT ? 0 : -1; /* nothing may be left */
}

static void keeps_names(void **state)
{
    static const char *const names[] = {"", "a", STRANGE, LONE};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        wchar_t *wide;
        assert_int_equal(wide_from_utf8(names[i], &wide), 0);
        char *back = wide_to_utf8(wide);
        assert_string_equal(back, names[i]);
        free(back);
        free(wide);
    }
    wchar_t *none = (wchar_t *)1;
    assert_int_equal(wide_from_utf8("\xff", &none), -EILSEQ);
    assert_null(none);
}

static void writes_and_reads(void **state)
{
    static const char *const names[] = {"plain", STRANGE, LONE};
    struct err err;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct buf read;
        if (!strcmp(names[i], LONE) && !has_lone_names())
            continue;
        buf_init(&read, 100);
        const char *path = below(names[i]);
        assert_int_equal(file_kind(path), -ENOENT);
        assert_int_equal(file_write(path, "one\ntwo\r\n", 9, &err), 0);
        assert_int_equal(file_write(path, "three\n", 6, &err), 0);
        assert_int_equal(file_kind(path), FILE_REGULAR);
        assert_int_equal(file_read(path, &read, &err), 0);
        assert_string_equal(read.data, "three\n");
        buf_fini(&read);
        buf_init(&read, 3);
        assert_int_equal(file_read(path, &read, &err), -EFBIG);
        buf_fini(&read);
        assert_int_equal(file_remove(path), 0);
        assert_int_equal(file_remove(path), -ENOENT);
    }
}

static void refuses_files(void **state)
{
    struct buf read;
    struct err err;
    (void)state;
    buf_init(&read, 100);
    assert_int_equal(file_read(below("none"), &read, &err), -ENOENT);
    assert_non_null(strstr(err.text, "none: No such file or directory"));
    assert_int_equal(file_read(own, &read, &err), -EISDIR);
    assert_int_equal(file_write(own, "", 0, &err), -EISDIR);
    assert_int_equal(file_write("", "", 0, &err), -ENOENT);
    assert_int_equal(file_write(below("none/file"), "", 0, &err), -ENOENT);
    assert_int_equal(file_write(below("a<b"), "", 0, &err), -ENOENT); /* no name of Windows */
    assert_int_equal(file_kind("\xff"), -EILSEQ);
    assert_int_equal(file_kind("NUL"), FILE_OTHER);
    assert_int_equal(file_write("NUL", "x", 1, &err), 0);
    buf_fini(&read);
}

static bool all(const char *name)
{
    (void)name;
    return true;
}

static void lists_folders(void **state)
{
    struct err err;
    char **names;
    size_t count;
    (void)state;
    char *folder = strdup(below("deep/" STRANGE));
    assert_int_equal(file_make_dirs(folder, &err), 0);
    assert_int_equal(file_make_dirs(folder, &err), 0);
    assert_int_equal(folder_list(folder, all, &names, &count), 0);
    assert_int_equal(count, 0);
    folder_list_free(names, count);
    assert_int_equal(file_write(below("deep/" STRANGE "/b"), "", 0, &err), 0);
    const char *third = has_lone_names() ? LONE : "\xe6\x97\xa5";
    assert_int_equal(file_write(below(has_lone_names() ? "deep/" STRANGE "/" LONE
                                                       : "deep/" STRANGE "/\xe6\x97\xa5"),
                                "", 0, &err),
                     0);
    assert_int_equal(file_make_dirs(below("deep/" STRANGE "/a"), &err), 0);
    assert_int_equal(folder_list(folder, all, &names, &count), 0);
    assert_int_equal(count, 3);
    assert_string_equal(names[0], "a");
    assert_string_equal(names[1], "b");
    assert_string_equal(names[2], third);
    folder_list_free(names, count);
    assert_int_equal(folder_list(below("none"), all, &names, &count), -ENOENT);
    assert_int_equal(file_make_dirs(below("deep/" STRANGE "/b"), &err), -ENOTDIR);
    assert_int_equal(folder_check_writable(folder), 0);
    assert_int_equal(folder_check_writable(below("deep/" STRANGE "/b")), -ENOTDIR);
    free(folder);
    folder_remove(below("deep"));
    assert_int_equal(file_kind(below("deep")), -ENOENT);
}

static void knows_paths(void **state)
{
    char *real;
    (void)state;
    assert_true(folder_is_absolute("C:/x") && folder_is_absolute("c:\\x"));
    assert_true(folder_is_absolute("\\\\server\\share"));
    assert_false(folder_is_absolute("C:x") || folder_is_absolute("/x") || folder_is_absolute("x"));
    assert_string_equal(folder_name("C:\\a/b.exe"), "b.exe");
    assert_string_equal(folder_name("C:b.exe"), "b.exe");
    assert_string_equal(folder_name("b.exe"), "b.exe");
    assert_true(folder_is_absolute(own));
    assert_null(strchr(own, '\\'));
    assert_int_equal(folder_real_path(own, &real), 0);
    assert_string_equal(real, own);
    free(real);
    assert_int_equal(folder_real_path(below("none"), &real), -ENOENT);
    assert_null(real);
}

static void replaces_streams(void **state)
{
    struct outfile out;
    struct buf read;
    struct err err;
    (void)state;
    buf_init(&read, 100);
    const char *path = below(STRANGE ".txt");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(outfile_open(&out, path, NULL, &err), 0);
        assert_true(fputs(i ? "new\n" : "old\n", out.stream) >= 0);
        if (i == 0)
            assert_int_equal(file_kind(path), -ENOENT); /* not before it is complete */
        assert_int_equal(outfile_commit(&out, &err), 0);
        outfile_discard(&out);
    }
    assert_int_equal(outfile_open(&out, path, NULL, &err), 0);
    outfile_discard(&out);
    assert_int_equal(file_read(path, &read, &err), 0);
    assert_string_equal(read.data, "new\n");
    assert_int_equal(outfile_open(&out, own, NULL, &err), -EISDIR);
    assert_int_equal(outfile_open(&out, "", NULL, &err), -ENOENT);
    assert_int_equal(file_remove(path), 0);
    buf_fini(&read);
}

/** Run the helper and take what it prints. */
static void run(const char *const *argv, struct proc_spec spec, struct buf *out,
                struct proc_result *result)
{
    struct err err;
    spec.argv = argv;
    spec.out = PROC_CAPTURE;
    spec.out_buf = out;
    assert_int_equal(proc_run(&spec, result, &err), 0);
}

static void passes_arguments(void **state)
{
    const char *const argv[] = {getenv("HELPER"), "args",   "",      "a b", "\"q\"",
                                "back\\",         "x\\\"y", STRANGE, LONE,  NULL};
    struct proc_result result;
    struct buf out;
    (void)state;
    buf_init(&out, 1000);
    run(argv, (struct proc_spec){.in = PROC_NULL}, &out, &result);
    assert_int_equal(result.exit_code, 0);
    assert_string_equal(out.data, "\na b\n\"q\"\nback\\\nx\\\"y\n" STRANGE "\n" LONE "\nend\n");
    assert_true(result.wall_ns > 0);
    buf_fini(&out);
}

static void passes_environment_and_folder(void **state)
{
    const char *const variable[] = {getenv("HELPER"), "variable", "WHAT", NULL};
    const char *const where[] = {getenv("HELPER"), "where", NULL};
    const char *const envp[] = {"WHAT=" STRANGE, "SystemRoot=C:\\windows", NULL};
    struct proc_result result;
    struct buf out;
    struct err err;
    (void)state;
    buf_init(&out, 1000);
    run(variable, (struct proc_spec){.in = PROC_NULL, .envp = envp}, &out, &result);
    assert_string_equal(out.data, STRANGE "\n");
    buf_clear(&out);
    const char *cwd = below(STRANGE);
    assert_int_equal(file_make_dirs(cwd, &err), 0);
    run(where, (struct proc_spec){.in = PROC_NULL, .cwd = cwd}, &out, &result);
    out.data[out.size_bytes - 1] = '\0';
    assert_string_equal(out.data, cwd);
    buf_fini(&out);
    folder_remove(cwd);
}

static void tells_how_it_ended(void **state)
{
    static const struct {
        const char *status;
        int exit_code, signal;
    } rows[] = {{"0", 0, 0},
                {"7", 7, 0},
                {"0x100", 255, 0},
                {"0x103", 3, 0},
                {"0xc0000005", -1, SIGSEGV},
                {"0xc000013a", -1, SIGINT}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const char *const argv[] = {getenv("HELPER"), "exit", rows[i].status, NULL};
        const struct proc_spec spec = {
            .argv = argv, .in = PROC_NULL, .out = PROC_NULL, .err = PROC_NULL};
        struct proc_result result;
        struct err err;
        assert_int_equal(proc_run(&spec, &result, &err), 0);
        assert_int_equal(result.exit_code, rows[i].exit_code);
        assert_int_equal(result.signal, rows[i].signal);
        assert_false(result.timed_out);
    }
}

static void ends_what_takes_too_long(void **state)
{
    /* Below another one that holds the same pipe: the whole job has to go. */
    const char *const argv[] = {getenv("HELPER"), "run", getenv("HELPER"), "sleep", NULL};
    struct proc_result result;
    struct buf out;
    (void)state;
    buf_init(&out, 100);
    run(argv, (struct proc_spec){.in = PROC_NULL, .timeout_ms = 3000}, &out, &result);
    assert_true(result.timed_out);
    buf_fini(&out);
}

static void finds_programs(void **state)
{
    struct err err;
    char *found;
    (void)state;
    assert_int_equal(proc_find("cmd", &found), 0);
    assert_non_null(strstr(found, "cmd.exe"));
    free(found);
    assert_int_equal(proc_find("no-such-program", &found), -ENOENT);
    assert_int_equal(proc_find("", &found), -ENOENT);
    assert_int_equal(proc_find(own, &found), -ENOENT);
    const char *const argv[] = {"no-such-program", NULL};
    const struct proc_spec spec = {.argv = argv};
    struct proc_result result;
    assert_int_equal(proc_run(&spec, &result, &err), -ENOENT);
    assert_string_equal(err.text, "cannot run no-such-program: No such file or directory");
    char *self = proc_self_dir();
    assert_true(folder_is_absolute(self));
    free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_names),        cmocka_unit_test(writes_and_reads),
        cmocka_unit_test(refuses_files),      cmocka_unit_test(lists_folders),
        cmocka_unit_test(knows_paths),        cmocka_unit_test(replaces_streams),
        cmocka_unit_test(passes_arguments),   cmocka_unit_test(passes_environment_and_folder),
        cmocka_unit_test(tells_how_it_ended), cmocka_unit_test(ends_what_takes_too_long),
        cmocka_unit_test(finds_programs),
    };
    return cmocka_run_group_tests(tests, make_own, remove_own);
}
