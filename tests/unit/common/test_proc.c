/* SPDX-License-Identifier: MIT */
/* Child processes: how they end, what they print, and when they take too long. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "common/proc.h"

#define SHELL(script) ((const char *const[]){"/bin/sh", "-c", (script), NULL})

static void tells_exit_codes(void **state)
{
    (void)state;
    struct proc_result result;
    assert_int_equal(proc_run(&(struct proc_spec){.argv = SHELL("exit 0")}, &result, NULL), 0);
    assert_int_equal(result.exit_code, 0);
    assert_int_equal(result.signal, 0);
    assert_false(result.timed_out);
    assert_true(result.wall_ns > 0);
    assert_true(result.peak_rss_bytes > 10000);
    assert_int_equal(proc_run(&(struct proc_spec){.argv = SHELL("exit 255")}, &result, NULL), 0);
    assert_int_equal(result.exit_code, 255);
}

static void tells_signals(void **state)
{
    (void)state;
    struct proc_result result;
    const struct proc_spec spec = {.argv = SHELL("kill -TERM $$")};
    assert_int_equal(proc_run(&spec, &result, NULL), 0);
    assert_int_equal(result.exit_code, -1);
    assert_int_equal(result.signal, SIGTERM);
    assert_false(result.timed_out);
}

static void captures_streams(void **state)
{
    (void)state;
    struct proc_result result;
    struct buf out, err;
    buf_init(&out, 100);
    buf_init(&err, 100);
    const struct proc_spec spec = {.argv = SHELL("cat; echo one; echo two >&2; exit 3"),
                                   .in = PROC_NULL,
                                   .out = PROC_CAPTURE,
                                   .err = PROC_CAPTURE,
                                   .out_buf = &out,
                                   .err_buf = &err};
    assert_int_equal(proc_run(&spec, &result, NULL), 0);
    assert_int_equal(result.exit_code, 3);
    assert_string_equal(out.data, "one\n");
    assert_string_equal(err.data, "two\n");
    buf_fini(&out);
    buf_fini(&err);
}

static void drops_what_goes_past_the_limit(void **state)
{
    (void)state;
    struct proc_result result;
    struct buf out;
    buf_init(&out, 10);
    /* Far more than a pipe holds: it would hang or die were it not read on. */
    const struct proc_spec spec = {.argv = SHELL("head -c 1000000 /dev/zero | tr '\\0' x; exit 4"),
                                   .out = PROC_CAPTURE,
                                   .out_buf = &out};
    assert_int_equal(proc_run(&spec, &result, NULL), 0);
    assert_int_equal(result.exit_code, 4);
    assert_int_equal(buf_status(&out), 0);
    assert_string_equal(out.data, "xxxxxxxxxx");
    buf_fini(&out);
}

static void kills_the_group_in_time(void **state)
{
    (void)state;
    struct proc_result result;
    struct buf out;
    int ends[2];
    char byte;
    buf_init(&out, 100);
    /* The child and its descendant inherit the pipe's end; when the last of them is gone,
     * and not before, the other end has nothing to read. */
    assert_int_equal(pipe(ends), 0);
    const struct proc_spec spec = {.argv = SHELL("sleep 1000 & echo started; wait"),
                                   .out = PROC_CAPTURE,
                                   .out_buf = &out,
                                   .timeout_ms = 1000};
    assert_int_equal(proc_run(&spec, &result, NULL), 0);
    assert_true(result.timed_out);
    assert_int_equal(result.exit_code, -1);
    assert_int_equal(result.signal, SIGKILL);
    assert_true(result.wall_ns >= 1000000000u);
    assert_string_equal(out.data, "started\n");
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
    buf_fini(&out);

    /* Without a captured stream the wait itself has the limit. */
    assert_int_equal(
        proc_run(&(struct proc_spec){.argv = SHELL("sleep 60"), .timeout_ms = 50}, &result, NULL),
        0);
    assert_true(result.timed_out);
    /* A limit that is not reached, however large. */
    const uint64_t limits[] = {60000, UINT64_C(1) << 42, UINT64_MAX};
    for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
        const struct proc_spec quick = {.argv = SHELL("exit 5"), .timeout_ms = limits[i]};
        assert_int_equal(proc_run(&quick, &result, NULL), 0);
        assert_false(result.timed_out);
        assert_int_equal(result.exit_code, 5);
    }
}

static void names_what_cannot_be_run(void **state)
{
    (void)state;
    if (getenv("UNDER_VALGRIND")) /* scripts/valgrind.sh says why */
        skip();
    struct proc_result result;
    struct err err = {0};
    const char *const missing[] = {"tracetax-no-such-program", NULL};
    assert_int_equal(proc_run(&(struct proc_spec){.argv = missing}, &result, &err), -ENOENT);
    assert_string_equal(err.text, "cannot run tracetax-no-such-program: No such file or directory");
    assert_int_equal(result.exit_code, 0);
    const struct proc_spec nowhere = {.argv = SHELL("exit 0"), .cwd = "/no/such/folder"};
    assert_int_equal(proc_run(&nowhere, &result, &err), -ENOENT);
    assert_string_equal(
        err.text, "cannot run /bin/sh in the folder /no/such/folder: No such file or directory");
    const char *const folder[] = {"/", NULL};
    assert_int_equal(proc_run(&(struct proc_spec){.argv = folder}, &result, &err), -EACCES);
    const char *const nothing[] = {NULL};
    assert_int_equal(proc_run(&(struct proc_spec){.argv = nothing}, &result, &err), -EINVAL);
    const struct proc_spec wrong = {.argv = SHELL("exit 0"), .in = PROC_CAPTURE};
    assert_int_equal(proc_run(&wrong, &result, &err), -EINVAL);
}

static void sets_folder_and_environment(void **state)
{
    (void)state;
    struct proc_result result;
    struct buf out;
    buf_init(&out, 1000);
    const char *const environment[] = {"COLOUR=blue", NULL};
    const struct proc_spec spec = {.argv = SHELL("echo $COLOUR $HOME; pwd"),
                                   .envp = environment,
                                   .cwd = "/",
                                   .out = PROC_CAPTURE,
                                   .out_buf = &out};
    assert_int_equal(proc_run(&spec, &result, NULL), 0);
    assert_string_equal(out.data, "blue\n/\n");
    buf_fini(&out);
}

static void never_invents_a_status(void **state)
{
    (void)state;
    struct proc_result result;
    struct err err = {0};
    /* With SIGCHLD ignored the system throws the status away. */
    void (*handler)(int) = signal(SIGCHLD, SIG_IGN);
    int ret = proc_run(&(struct proc_spec){.argv = SHELL("exit 7")}, &result, &err);
    (void)signal(SIGCHLD, handler);
    assert_int_equal(ret, -ECHILD);
    assert_non_null(strstr(err.text, "SIGCHLD"));
    assert_int_equal(result.wall_ns, 0);
}

static void finds_programs(void **state)
{
    (void)state;
    char *found = NULL;
    char folder[] = "/tmp/tracetax-test-proc.XXXXXX";
    char path[100], in_path[200];
    assert_int_equal(proc_find("/bin/sh", &found), 0);
    assert_string_equal(found, "/bin/sh");
    free(found);

    /* A folder and a file without the right to execute are no programs. */
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof(path), "%s/sh", folder);
    assert_int_equal(mkdir(path, 0777), 0);
    const char *path_before = getenv("PATH");
    char *old = strdup(path_before ? path_before : "/bin:/usr/bin");
    assert_non_null(old);
    (void)snprintf(in_path, sizeof(in_path), "/nowhere:%s:/bin", folder);
    assert_int_equal(setenv("PATH", in_path, 1), 0);
    assert_int_equal(proc_find("sh", &found), 0);
    assert_string_equal(found, "/bin/sh");
    free(found);
    assert_int_equal(setenv("PATH", folder, 1), 0);
    assert_int_equal(proc_find("sh", &found), -EACCES);
    assert_null(found);
    assert_int_equal(proc_find("tracetax-no-such-program", &found), -ENOENT);
    assert_int_equal(proc_find(path, &found), -EACCES);
    assert_int_equal(proc_find("", &found), -ENOENT);
    assert_int_equal(setenv("PATH", old, 1), 0);
    free(old);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void knows_its_own_folder(void **state)
{
    (void)state;
    char *folder = proc_self_dir();
    char program[4200];
    assert_non_null(folder);
    (void)snprintf(program, sizeof(program), "%s/test_proc", folder);
    assert_int_equal(access(program, X_OK), 0);
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_exit_codes),
        cmocka_unit_test(tells_signals),
        cmocka_unit_test(captures_streams),
        cmocka_unit_test(drops_what_goes_past_the_limit),
        cmocka_unit_test(kills_the_group_in_time),
        cmocka_unit_test(names_what_cannot_be_run),
        cmocka_unit_test(sets_folder_and_environment),
        cmocka_unit_test(never_invents_a_status),
        cmocka_unit_test(finds_programs),
        cmocka_unit_test(knows_its_own_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
