/* SPDX-License-Identifier: MIT */
/* Results: what is written is read back, and nothing else is taken. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/buf.h"
#include "harness/result.h"

#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define COMMIT "ecf9e9af19c581f156188679cb2a9e8d458c9ba8"

static const char good[] =
    "{\"schema\":\"tracetax.result/1\",\"created_at\":\"2026-11-30T15:30:00Z\","
    "\"tool_version\":\"0.1.0\",\"commit\":\"" COMMIT "\",\"base_commit\":null,"
    "\"platform\":{\"id\":\"linux-x86_64\",\"os\":\"Linux\",\"image\":\"Debian GNU/Linux 12\","
    "\"kernel\":\"6.1.0\",\"libc\":\"glibc 2.36\",\"arch\":\"x86_64\",\"cpu\":\"AMD EPYC\","
    "\"cores\":2},"
    "\"ci\":{\"provider\":\"github\",\"run_id\":30028036239,\"attempt\":1},"
    "\"suite\":{\"name\":\"default\",\"version\":\"1\",\"parameters\":{\"threads\":\"4\"},"
    "\"shard\":1,\"shards\":1},"
    "\"engine\":{\"name\":\"hyperfine\",\"version\":\"1.15.0\"},\"seed\":7,\"warmup_rounds\":2,"
    "\"head_files\":[{\"name\":\"filetrace\",\"sha256\":\"" HASH "\"}],"
    "\"targets\":[{\"name\":\"dynamic\",\"operation\":\"open-close\",\"operations_count\":8192,"
    "\"void\":null,\"arms\":{\"untracked\":{\"samples_ns\":[15832000,0]},"
    "\"tracked\":{\"samples_ns\":[22848000,22849000],\"trace\":{\"expected\":8192,"
    "\"recorded_min\":8192,\"accesses_min\":8200,\"accesses_max\":8201,\"lost\":0,"
    "\"complete\":true}}},\"overhead_ratio\":1.4431,\"overhead_ratio_low\":1.44,"
    "\"overhead_ratio_high\":1.45}],\"a later key\":[1,{\"x\":2}]}";

/** @good with the first @from replaced; the caller's to free(). */
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

static void reads_every_field(void **state)
{
    struct tt_result result;
    struct err err = {0};

    (void)state;
    assert_int_equal(tt_result_parse("x", good, strlen(good), &result, &err), 0);
    assert_string_equal(result.commit, COMMIT);
    assert_null(result.base_commit);
    assert_string_equal(result.platform.id, "linux-x86_64");
    assert_string_equal(result.platform.cpu, "AMD EPYC");
    assert_int_equal(result.platform.cores, 2);
    assert_int_equal(result.ci.run_id, 30028036239);
    assert_int_equal(result.suite.parameters_count, 1);
    assert_string_equal(result.suite.parameters[0].value, "4");
    assert_string_equal(result.engine.version, "1.15.0");
    assert_int_equal(result.seed, 7);
    assert_int_equal(result.head_files_count, 1);
    assert_string_equal(result.head_files[0].sha256, HASH);
    assert_int_equal(result.targets_count, 1);
    const struct tt_target *target = &result.targets[0];
    assert_int_equal(target->operations_count, 8192);
    assert_null(target->void_reason);
    assert_int_equal(target->arm[TT_ARM_UNTRACKED].count, 2);
    assert_int_equal(target->arm[TT_ARM_UNTRACKED].ns[0], 15832000);
    assert_int_equal(target->arm[TT_ARM_TRACKED].ns[1], 22849000);
    assert_int_equal(target->arm[TT_ARM_TRACKED_BASE].count, 0);
    assert_true(target->trace[TT_ARM_TRACKED].checked);
    assert_false(target->trace[TT_ARM_TRACKED_BASE].checked);
    assert_int_equal(target->trace[TT_ARM_TRACKED].accesses_max, 8201);
    assert_true(target->overhead.known);
    assert_true(target->overhead.ratio == 1.4431);
    assert_false(target->head_base.known);
    tt_result_fini(&result);
    tt_result_fini(&result); /* fine on a zeroed one */
}

static void writes_what_it_reads(void **state)
{
    struct tt_result result, again;
    char *text, *second;

    (void)state;
    assert_int_equal(tt_result_parse("x", good, strlen(good), &result, NULL), 0);
    assert_int_equal(tt_result_format(&result, &text, NULL), 0);
    assert_non_null(strstr(text, "\"samples_ns\": [15832000,0]"));
    assert_int_equal(text[strlen(text) - 1], '\n');
    assert_int_equal(tt_result_parse("x", text, strlen(text), &again, NULL), 0);
    assert_int_equal(tt_result_format(&again, &second, NULL), 0);
    assert_string_equal(text, second);
    tt_result_fini(&result);
    tt_result_fini(&again);
    free(text);
    free(second);
}

static void never_writes_what_cannot_be_read(void **state)
{
    struct tt_result result;
    struct err err = {0};
    char *text;

    (void)state;
    assert_int_equal(tt_result_parse("x", good, strlen(good), &result, NULL), 0);

    /* 0/0 and 1/0 leave the estimate out. */
    volatile double zero = 0;
    result.targets[0].overhead.high = 1 / zero;
    assert_int_equal(tt_result_format(&result, &text, &err), 0);
    assert_null(strstr(text, "overhead_ratio"));
    free(text);
    result.targets[0].overhead.high = zero / zero;
    assert_int_equal(tt_result_format(&result, &text, &err), 0);
    assert_null(strstr(text, "overhead_ratio"));
    free(text);

    result.platform.cpu[0] = (char)0xff;
    assert_int_equal(tt_result_format(&result, &text, &err), -EINVAL);
    assert_null(text);
    assert_non_null(strstr(err.text, "UTF-8"));
    result.platform.cpu[0] = 'A';

    result.seed = UINT64_C(1) << 53;
    assert_int_equal(tt_result_format(&result, &text, &err), -EINVAL);
    assert_non_null(strstr(err.text, "seed"));
    tt_result_fini(&result);
}

static void refuses(void **state)
{
    static const struct {
        const char *from, *to;
        int ret;
        const char *text; /**< in the error */
    } rows[] = {
        {"result/1", "result/2", -ENOTSUP, "newer"},
        {"result/1", "result/0", -EPROTO, "schema"},
        {"result/1", "result/1x", -EPROTO, "schema"},
        {"tracetax.result/1", "else", -EPROTO, "schema"},
        {"\"seed\":7", "\"seed\":7,\"seed\":8", -EPROTO, "line 1"},
        {"\"seed\":7", "\"seed\":-7", -EPROTO, "seed"},
        {"\"seed\":7", "\"seed\":7.0", -EPROTO, "seed"},
        {"\"seed\":7", "\"seed\":9007199254740992", -EPROTO, "seed"},
        {"\"seed\":7", "\"seed\":99999999999999999999999", -EPROTO, "line 1"},
        {"\"seed\":7", "\"seed\":NaN", -EPROTO, "line 1"},
        {"\"seed\":7,", "", -EPROTO, "seed: missing"},
        {"15:30:00Z", "15:30:00", -EPROTO, "created_at"},
        {"2026-11-30", "2026-13-30", -EPROTO, "created_at"},
        {COMMIT, "main", -EPROTO, "commit"},
        {"linux-x86_64", "../../etc", -EPROTO, "platform.id"},
        {"linux-x86_64", "", -EPROTO, "platform.id"},
        {"AMD EPYC", "AMD\\nEPYC", -EPROTO, "platform.cpu"},
        {"AMD EPYC", "AMD\\u0000EPYC", -EPROTO, "line 1"},
        {"AMD EPYC", "AMD\xff", -EPROTO, "line 1"},
        {"\"cores\":2", "\"cores\":0", -EPROTO, "platform.cores"},
        {"\"attempt\":1", "\"attempt\":0", -EPROTO, "ci.attempt"},
        {"\"shard\":1", "\"shard\":2", -EPROTO, "suite.shard"},
        {"\"threads\":\"4\"", "\"threads\":4", -EPROTO, "suite.parameters.threads"},
        {HASH, "0123", -EPROTO, "head_files[0].sha256"},
        {"\"name\":\"dynamic\"", "\"name\":[]", -EPROTO, "targets[0].name"},
        {"[15832000,0]", "[15832000]", -EPROTO, "targets[0].arms.tracked.samples_ns"},
        {"[15832000,0]", "[-1,0]", -EPROTO, "targets[0].arms.untracked.samples_ns"},
        {"[15832000,0]", "[86400000000001,0]", -EPROTO, "samples_ns"},
        {"[15832000,0]", "[1.5,0]", -EPROTO, "samples_ns"},
        {"[15832000,0]", "[null,0]", -EPROTO, "samples_ns"},
        {"\"recorded_min\":8192", "\"recorded_min\":8193", -EPROTO, "recorded_min"},
        {"\"complete\":true", "\"complete\":1", -EPROTO, "complete"},
        {"\"overhead_ratio\":1.4431", "\"overhead_ratio\":0", -EPROTO, "overhead_ratio"},
        {"\"overhead_ratio\":1.4431", "\"overhead_ratio\":1e999", -EPROTO, "line 1"},
        {"\"overhead_ratio\":1.4431", "\"overhead_ratio\":2", -EPROTO, "interval"},
        {"\"overhead_ratio_low\":1.44,", "", -EPROTO, "overhead_ratio_low: missing"},
        {"\"void\":null", "\"void\":\"why\"", -EPROTO, "void"},
        {"\"targets\":[", "\"targets\":[1,", -EPROTO, "targets[0]"},
        {"\"targets\":[", "\"targets\":{},\"t\":[", -EPROTO, "targets"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct tt_result result;
        struct err err = {0};
        char *text = changed(rows[i].from, rows[i].to);
        int ret = tt_result_parse("some.json", text, strlen(text), &result, &err);
        if (ret != rows[i].ret || !strstr(err.text, rows[i].text) || !strstr(err.text, "some.json"))
            fail_msg("%s -> %s gave %d: %s", rows[i].from, rows[i].to, ret, err.text);
        assert_null(result.targets);
        free(text);
    }
}

static void refuses_a_target_twice(void **state)
{
    static const char target[] = "{\"name\":\"a\",\"operation\":\"b\",\"operations_count\":0,"
                                 "\"void\":\"x\",\"arms\":{}},";
    struct tt_result result;
    struct err err = {0};
    struct buf targets;

    (void)state;
    buf_init(&targets, 4096);
    buf_printf(&targets, "\"targets\":[%s", target);
    char *once = changed("\"targets\":[", targets.data);
    assert_int_equal(tt_result_parse("x", once, strlen(once), &result, &err), 0);
    assert_string_equal(result.targets[0].void_reason, "x");
    tt_result_fini(&result);
    buf_puts(&targets, target);
    char *twice = changed("\"targets\":[", targets.data);
    assert_int_equal(tt_result_parse("x", twice, strlen(twice), &result, &err), -EPROTO);
    assert_non_null(strstr(err.text, "twice"));
    free(once);
    free(twice);
    buf_fini(&targets);
}

/* A file that was cut anywhere is refused, never half taken. */
static void refuses_every_cut(void **state)
{
    (void)state;
    for (size_t length = 0; length < strlen(good); length++) {
        struct tt_result result;
        assert_int_equal(tt_result_parse("x", good, length, &result, NULL), -EPROTO);
    }
}

/* The number is looked at before the first of them. */
static void refuses_more_targets_than_the_limit(void **state)
{
    (void)state;
    for (size_t count = TT_RESULT_MAX_TARGETS; count <= TT_RESULT_MAX_TARGETS + 1; count++) {
        struct tt_result result;
        struct err err;
        struct buf text;
        const char *targets = strstr(good, "\"targets\":[");
        assert_non_null(targets);
        buf_init(&text, 1u << 20);
        buf_append(&text, good, (size_t)(targets - good) + strlen("\"targets\":["));
        for (size_t i = 0; i < count; i++)
            buf_puts(&text, i ? ",{}" : "{}");
        buf_puts(&text, "]}");
        assert_int_equal(tt_result_parse("x", text.data, text.size_bytes, &result, &err), -EPROTO);
        assert_int_equal(strstr(err.text, "targets[0]") == NULL, count > TT_RESULT_MAX_TARGETS);
        buf_fini(&text);
    }
}

static void refuses_what_is_too_deep_or_too_large(void **state)
{
    struct tt_result result;
    struct err err = {0};

    (void)state;
    char *deep = malloc(1000000);
    assert_non_null(deep);
    memset(deep, '[', 1000000);
    assert_int_equal(tt_result_parse("x", deep, 1000000, &result, &err), -EPROTO);
    free(deep);
    assert_int_equal(tt_result_parse("x", good, TT_RESULT_MAX_BYTES + 1u, &result, &err), -EPROTO);
    assert_non_null(strstr(err.text, "larger"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_field),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(never_writes_what_cannot_be_read),
        cmocka_unit_test(refuses),
        cmocka_unit_test(refuses_a_target_twice),
        cmocka_unit_test(refuses_every_cut),
        cmocka_unit_test(refuses_more_targets_than_the_limit),
        cmocka_unit_test(refuses_what_is_too_deep_or_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
