/* SPDX-License-Identifier: MIT */
/* Suites: the built-in ones, and files that may be anything. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/buf.h"
#include "harness/argv.h"
#include "harness/platform.h"
#include "harness/suite.h"

static const char good[] =
    "{\"schema\":\"tracetax.suite/1\",\"name\":\"mine\",\"version\":\"3\","
    "\"parameters\":{\"size\":\"10\"},"
    "\"tracker\":[\"strace\",\"-o\",\"{trace}\",\"{command}\"],"
    "\"targets\":[{\"name\":\"a\",\"operation\":\"o\",\"command\":[\"/a b/it's\",\"\",\"{dir}\"],"
    "\"prepare\":[\"true\"]},"
    "{\"name\":\"b\",\"operation\":\"o\",\"operations_count\":9,\"command\":[\"x\"],"
    "\"tracker\":[\"perf\",\"{command}\"]}]}";

static char *changed(const char *from, const char *to)
{
    const char *at = strstr(good, from);
    struct buf text;

    assert_non_null(at);
    buf_init(&text, 1u << 20);
    buf_append(&text, good, (size_t)(at - good));
    buf_puts(&text, to);
    buf_puts(&text, at + strlen(from));
    char *out = buf_take(&text);
    assert_non_null(out);
    return out;
}

static void reads_a_file(void **state)
{
    struct tt_suite suite;
    struct err err = {0};

    (void)state;
    assert_int_equal(tt_suite_parse("x", good, strlen(good), &suite, &err), 0);
    assert_string_equal(suite.name, "mine");
    assert_string_equal(suite.version, "3");
    assert_string_equal(suite.parameters[0].name, "size");
    assert_int_equal(suite.targets_count, 2);
    assert_string_equal(suite.targets[0].command[0], "/a b/it's");
    assert_string_equal(suite.targets[0].command[1], "");
    assert_null(suite.targets[0].command[3]);
    assert_string_equal(suite.targets[0].tracker[0], "strace");
    assert_string_equal(suite.targets[0].tracker[2], "{trace}");
    assert_string_equal(suite.targets[1].tracker[0], "perf");
    assert_int_equal(suite.targets[1].operations_count, 9);
    assert_null(suite.targets[1].prepare);
    tt_suite_fini(&suite);
}

static void refuses(void **state)
{
    static const struct {
        const char *from, *to;
        int ret;
        const char *text;
    } rows[] = {
        {"suite/1", "suite/2", -ENOTSUP, "newer"},
        {"suite/1", "result/1", -EPROTO, "schema"},
        {"\"version\":\"3\"", "\"version\":3", -EPROTO, "version"},
        {"\"name\":\"mine\",", "", -EPROTO, "name: missing"},
        {"\"name\":\"mine\"", "\"name\":\"mi\\tne\"", -EPROTO, "name"},
        {"\"size\":\"10\"", "\"size\":10", -EPROTO, "parameters.size"},
        {"\"size\"", "\"\"", -EPROTO, "parameters"},
        {",\"{command}\"]", "]", -EPROTO, "{command}"},
        {"{command}", "{command}\",\"{command}", -EPROTO, "{command}"},
        {"[\"perf\",\"{command}\"]", "[\"{command}\"]", -EPROTO, "targets[1].tracker"},
        {"[\"perf\",\"{command}\"]", "\"perf {command}\"", -EPROTO, "targets[1].tracker"},
        {"[\"x\"]", "[]", -EPROTO, "targets[1].command"},
        {"[\"x\"]", "[\"\"]", -EPROTO, "targets[1].command"},
        {"[\"x\"]", "[1]", -EPROTO, "targets[1].command"},
        {"\"command\":[\"x\"],", "", -EPROTO, "targets[1].command: missing"},
        {"\"operations_count\":9", "\"operations_count\":-9", -EPROTO, "operations_count"},
        {"\"operations_count\":9", "\"paths\":[\"x\"]", -EPROTO, "targets[1].paths"},
        {"\"operations_count\":9", "\"backend\":\"notify\"", -EPROTO, "targets[1].backend"},
        {"\"operations_count\":9", "\"backend\":7", -EPROTO, "targets[1].backend"},
        {"\"name\":\"b\"", "\"name\":\"a\"", -EPROTO, "twice"},
        {"\"targets\":[", "\"targets\":[],\"t\":[", -EPROTO, "targets"},
        {"\"targets\":[", "\"targets\":[null,", -EPROTO, "targets[0]"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct tt_suite suite;
        struct err err = {0};
        char *text = changed(rows[i].from, rows[i].to);
        int ret = tt_suite_parse("some.json", text, strlen(text), &suite, &err);
        if (ret != rows[i].ret || !strstr(err.text, rows[i].text) || !strstr(err.text, "some.json"))
            fail_msg("%s -> %s gave %d: %s", rows[i].from, rows[i].to, ret, err.text);
        free(text);
    }
    for (size_t length = 0; length < strlen(good); length++) {
        struct tt_suite suite;
        assert_int_equal(tt_suite_parse("x", good, length, &suite, NULL), -EPROTO);
    }
}

static void builds_its_own(void **state)
{
    struct tt_suite suite;
    struct err err;

    (void)state;
    assert_int_equal(tt_suite_builtin("default", &suite, &err), 0);
    size_t programs = tt_platform_can_inject() ? 3 : 2;
    assert_int_equal(suite.targets_count, 2 * programs);
    tt_suite_fini(&suite);
    assert_int_equal(tt_suite_builtin("full", &suite, &err), 0);
    assert_int_equal(suite.targets_count, 8 * programs);
    assert_string_equal(suite.targets[1].name, "static");
    assert_string_equal(suite.targets[1].command[0], "{bin}/workload-static");
    assert_string_equal(suite.targets[1].command[2], "{dir}");
    assert_null(suite.targets[1].tracker);
    assert_null(suite.targets[0].backend);
    assert_string_equal(suite.targets[1].backend, "notify");
    if (tt_platform_can_inject()) {
        assert_string_equal(suite.targets[2].name, "static-inject");
        assert_string_equal(suite.targets[2].command[0], "{bin}/workload-static");
        assert_string_equal(suite.targets[2].backend, "inject");
    }

    const char *const names[] = {"static"};
    assert_int_equal(tt_suite_select(&suite, names, 1, &err), 0);
    assert_int_equal(suite.targets_count, 8);
    const char *const unknown[] = {"static", "windows"};
    assert_int_equal(tt_suite_select(&suite, unknown, 2, &err), -EINVAL);
    assert_non_null(strstr(err.text, "windows"));
    tt_suite_fini(&suite);
    assert_int_equal(tt_suite_builtin("other", &suite, &err), -ENOENT);
}

/* Every target is in one shard, and only in one. */
static void shards(void **state)
{
    (void)state;
    for (uint32_t shards = 1; shards <= 20; shards++) {
        size_t total = 0;
        for (uint32_t shard = 1; shard <= shards; shard++) {
            struct tt_suite suite;
            assert_int_equal(tt_suite_builtin("full", &suite, NULL), 0);
            tt_suite_shard(&suite, shard, shards);
            total += suite.targets_count;
            tt_suite_fini(&suite);
        }
        assert_int_equal(total, tt_platform_can_inject() ? 24 : 16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_file),
        cmocka_unit_test(refuses),
        cmocka_unit_test(builds_its_own),
        cmocka_unit_test(shards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
