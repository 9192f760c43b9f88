/* SPDX-License-Identifier: MIT */
/* What can be inserted into on macOS, told from Mach-O files made here byte by byte, and the first
 * lines of scripts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/buf.h"
#include "common/compiler.h"
#include "tracer/macos/insert.h"
#include "tracer/macos/macho.h"
#include "tracer/macos/script.h"

#define LIMIT_BYTES (1u << 20)
#define ARM64 0x0100000cu
#define X86_64 0x01000007u
#define ADHOC 0x2u
#define VARIABLES "com.apple.security.cs.allow-dyld-environment-variables"
#define LIBRARIES "com.apple.security.cs.disable-library-validation"

/* Making files. */

static void put_little(struct buf *buf, uint32_t value)
{
    unsigned char bytes[] = {(unsigned char)value, (unsigned char)(value >> 8),
                             (unsigned char)(value >> 16), (unsigned char)(value >> 24)};
    assert_int_equal(buf_append(buf, bytes, sizeof(bytes)), 0);
}

static void put_big(struct buf *buf, uint32_t value)
{
    put_little(buf, __builtin_bswap32(value));
}

static void put_zeros(struct buf *buf, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(buf_append(buf, "", 1), 0);
}

static void put_name(struct buf *buf, const char *name)
{
    assert_int_equal(buf_append(buf, name, strlen(name)), 0);
    put_zeros(buf, 16 - strlen(name));
}

/** What a file is made of. */
struct made {
    uint32_t type, subtype;
    uint32_t file_type; /* 0: a program */
    bool no_loader, restrict_section;
    bool no_signature;
    uint32_t code_flags;
    unsigned char platform;
    const char *entitlements;
};

static void put_signature(struct buf *buf, const struct made *made)
{
    const char *list = made->entitlements;
    uint32_t directory_bytes = 44, list_bytes = list ? 8 + (uint32_t)strlen(list) : 0;
    uint32_t head_bytes = list ? 28 : 20;

    put_big(buf, 0xfade0cc0);
    put_big(buf, head_bytes + directory_bytes + list_bytes);
    put_big(buf, list ? 2 : 1);
    put_big(buf, 0);
    put_big(buf, head_bytes);
    if (list) {
        put_big(buf, 5);
        put_big(buf, head_bytes + directory_bytes);
    }
    put_big(buf, 0xfade0c02);
    put_big(buf, directory_bytes);
    put_big(buf, 0x20400);
    put_big(buf, made->code_flags);
    put_zeros(buf, 22);
    assert_int_equal(buf_append(buf, &made->platform, 1), 0);
    put_zeros(buf, directory_bytes - 39);
    if (list) {
        put_big(buf, 0xfade7171);
        put_big(buf, list_bytes);
        assert_int_equal(buf_puts(buf, list), 0);
    }
}

/** One slice; the signature follows the commands. */
static void put_slice(struct buf *buf, const struct made *made)
{
    struct buf commands;
    uint32_t count = 1, commands_bytes = 72;

    buf_init(&commands, LIMIT_BYTES);
    put_little(&commands, 0x19);
    put_little(&commands, 72);
    put_name(&commands, "__TEXT");
    put_zeros(&commands, 48);
    if (made->restrict_section) {
        put_little(&commands, 0x19);
        put_little(&commands, 152);
        put_name(&commands, "__RESTRICT");
        put_zeros(&commands, 40);
        put_little(&commands, 1);
        put_little(&commands, 0);
        put_name(&commands, "__restrict");
        put_name(&commands, "__RESTRICT");
        put_zeros(&commands, 48);
        commands_bytes += 152;
        count++;
    }
    if (!made->no_loader) {
        put_little(&commands, 0xe);
        put_little(&commands, 32);
        put_little(&commands, 12);
        assert_int_equal(buf_append(&commands, "/usr/lib/dyld\0\0\0\0\0\0", 20), 0);
        commands_bytes += 32;
        count++;
    }
    if (!made->no_signature) {
        struct buf signature;
        buf_init(&signature, LIMIT_BYTES);
        put_signature(&signature, made);
        put_little(&commands, 0x1d);
        put_little(&commands, 16);
        put_little(&commands, 32 + commands_bytes + 16);
        put_little(&commands, (uint32_t)signature.size_bytes);
        commands_bytes += 16;
        count++;
        assert_int_equal(buf_append(&commands, signature.data, signature.size_bytes), 0);
        buf_fini(&signature);
    }
    put_little(buf, 0xfeedfacf);
    put_little(buf, made->type);
    put_little(buf, made->subtype);
    put_little(buf, made->file_type ? made->file_type : 2);
    put_little(buf, count);
    put_little(buf, commands_bytes);
    put_zeros(buf, 8);
    assert_int_equal(buf_append(buf, commands.data, commands.size_bytes), 0);
    buf_fini(&commands);
}

/** A file of several slices. */
static void put_fat(struct buf *buf, const struct made *made, size_t count, bool wide)
{
    struct buf slices;
    size_t head_bytes = 8 + count * (wide ? 32 : 20);

    buf_init(&slices, LIMIT_BYTES);
    put_big(buf, wide ? 0xcafebabf : 0xcafebabe);
    put_big(buf, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        size_t before = slices.size_bytes;
        put_slice(&slices, &made[i]);
        put_big(buf, made[i].type);
        put_big(buf, made[i].subtype);
        if (wide)
            put_big(buf, 0);
        put_big(buf, (uint32_t)(head_bytes + before));
        if (wide)
            put_big(buf, 0);
        put_big(buf, (uint32_t)(slices.size_bytes - before));
        put_zeros(buf, wide ? 8 : 4);
    }
    assert_int_equal(buf_append(buf, slices.data, slices.size_bytes), 0);
    buf_fini(&slices);
}

/** As pread(2), but what lies behind a short answer is filled with rubbish. */
static long read_buf(void *context, void *to, size_t size_bytes, uint64_t offset)
{
    const struct buf *buf = context;
    memset(to, 0xee, size_bytes);
    if (offset > INT64_MAX)
        return -22; /* EINVAL */
    if (offset >= buf->size_bytes)
        return 0;
    size_t left = buf->size_bytes - (size_t)offset;
    size_t n = size_bytes < left ? size_bytes : left;
    memcpy(to, buf->data + offset, n);
    return (long)n;
}

static const struct ft_insert_facts plain = {
    .mode = 0100755,
    .user = 501,
    .user_group = 20,
    .own = FT_CPU_ARM64,
    .library = FT_CPU_ARM64 | FT_CPU_X86_64,
};

static enum ft_reason verdict_of(const struct made *made, size_t count,
                                 const struct ft_insert_facts *facts)
{
    struct buf file;
    buf_init(&file, LIMIT_BYTES);
    if (count == 1)
        put_slice(&file, made);
    else
        put_fat(&file, made, count, false);
    enum ft_reason reason = ft_can_insert(read_buf, &file, facts);
    buf_fini(&file);
    return reason;
}

#define VERDICT(reason, facts, ...)                                                                \
    do {                                                                                           \
        const struct made made_here[] = {__VA_ARGS__};                                             \
        assert_int_equal(verdict_of(made_here, ARRAY_LEN(made_here), facts), reason);              \
    } while (0)

/* The verdicts. */

static void takes_plain_programs(void **state)
{
    (void)state;
    VERDICT(FT_REASON_NONE, &plain, {.type = ARM64, .code_flags = ADHOC});
    VERDICT(FT_REASON_NONE, &plain, {.type = ARM64, .code_flags = 0x20002}); /* by the linker */
    VERDICT(FT_REASON_NONE, &plain, {.type = X86_64, .subtype = 3, .no_signature = true});
    VERDICT(FT_REASON_NONE, &plain, {.type = X86_64, .subtype = 0x80000003, .no_signature = true});
}

static void leaves_protected_programs(void **state)
{
    struct ft_insert_facts facts = plain;
    (void)state;
    facts.flags = 0x00080000;
    VERDICT(FT_REASON_PROTECTED, &facts, {.type = ARM64, .subtype = 2});
    VERDICT(FT_REASON_PROTECTED, &facts, {.type = ARM64, .code_flags = ADHOC});
    /* A copy of one elsewhere. */
    VERDICT(FT_REASON_PROTECTED, &plain, {.type = ARM64, .platform = 13});
    /* Switched off: the slice decides, and on Intel's there is nothing against it. */
    facts.protection_off = true;
    VERDICT(FT_REASON_NO_SLICE, &facts, {.type = X86_64}, {.type = ARM64, .subtype = 0x80000002});
    facts.own = FT_CPU_X86_64;
    VERDICT(FT_REASON_NONE, &facts, {.type = X86_64, .platform = 13},
            {.type = ARM64, .subtype = 0x80000002, .platform = 13});
    VERDICT(FT_REASON_NONE, &facts, {.type = X86_64, .platform = 13, .code_flags = 0x2000});
}

static void leaves_those_that_gain_rights(void **state)
{
    struct ft_insert_facts facts = plain;
    (void)state;
    facts.mode = 0104755;
    VERDICT(FT_REASON_SETUID, &facts, {.type = ARM64});
    facts.owner = facts.user; /* it is ourselves already */
    VERDICT(FT_REASON_NONE, &facts, {.type = ARM64});
    facts.mode = 0102755;
    VERDICT(FT_REASON_SETUID, &facts, {.type = ARM64});
    facts.group = facts.user_group;
    VERDICT(FT_REASON_NONE, &facts, {.type = ARM64});
}

static void reads_signatures(void **state)
{
    static const char both[] = "<plist><dict><key>" VARIABLES "</key><true/>\n\t<key>" LIBRARIES
                               "</key>\n\t<true/></dict></plist>";
    static const char one[] = "<dict><key>" VARIABLES "</key><true/></dict>";
    static const char no[] =
        "<dict><key>" VARIABLES "</key><false/><key>" LIBRARIES "</key><true/></dict>";
    static const char fake[] =
        "<dict><string>" VARIABLES "</string><true/><key>" LIBRARIES "</key><true/></dict>";
    (void)state;
    VERDICT(FT_REASON_HARDENED, &plain, {.type = ARM64, .code_flags = 0x10000});
    VERDICT(FT_REASON_NONE, &plain, {.type = ARM64, .code_flags = 0x10000, .entitlements = both});
    VERDICT(FT_REASON_HARDENED, &plain,
            {.type = ARM64, .code_flags = 0x10000, .entitlements = one});
    VERDICT(FT_REASON_HARDENED, &plain, {.type = ARM64, .code_flags = 0x10000, .entitlements = no});
    VERDICT(FT_REASON_HARDENED, &plain,
            {.type = ARM64, .code_flags = 0x10000, .entitlements = fake});
    VERDICT(FT_REASON_HARDENED, &plain, {.type = ARM64, .code_flags = 0x2000});
    VERDICT(FT_REASON_NONE, &plain, {.type = ARM64, .code_flags = 0x2000, .entitlements = both});
    VERDICT(FT_REASON_HARDENED, &plain, {.type = ARM64, .code_flags = 0x10});
    VERDICT(FT_REASON_RESTRICTED, &plain,
            {.type = ARM64, .code_flags = 0x800, .entitlements = both});
    VERDICT(FT_REASON_RESTRICTED, &plain, {.type = ARM64, .restrict_section = true});
}

/** Entitlements that cross the reader's window at every place. */
static void reads_long_entitlements(void **state)
{
    (void)state;
    for (size_t padding = 0; padding < 2100; padding += 7) {
        struct buf list;
        buf_init(&list, LIMIT_BYTES);
        for (size_t i = 0; i < padding; i++)
            assert_int_equal(buf_puts(&list, ">"), 0);
        assert_int_equal(
            buf_puts(&list, "<key>" VARIABLES "</key> <true/><key>" LIBRARIES "</key><true/>"), 0);
        VERDICT(FT_REASON_NONE, &plain,
                {.type = ARM64, .code_flags = 0x10000, .entitlements = list.data});
        buf_fini(&list);
    }
}

static void chooses_the_slice_that_runs(void **state)
{
    const struct made intel = {.type = X86_64, .code_flags = 0x10000},
                      arm = {.type = ARM64, .code_flags = ADHOC},
                      arm64e = {.type = ARM64, .subtype = 2, .code_flags = ADHOC},
                      other = {.type = 7, .code_flags = ADHOC};
    struct ft_insert_facts facts = plain;
    (void)state;
    VERDICT(FT_REASON_NONE, &facts, intel, arm);
    VERDICT(FT_REASON_NONE, &facts, arm, intel);
    VERDICT(FT_REASON_NO_SLICE, &facts, intel, arm, arm64e);
    VERDICT(FT_REASON_HARDENED, &facts, other, intel); /* through the translator */
    facts.own = FT_CPU_X86_64;
    VERDICT(FT_REASON_HARDENED, &facts, arm, intel);
    VERDICT(FT_REASON_NONE, &facts, arm, other);
    facts.own = FT_CPU_ARM64;
    facts.library = FT_CPU_X86_64;
    VERDICT(FT_REASON_NO_SLICE, &facts, intel, arm);
    facts.library = FT_CPU_ARM64 | FT_CPU_ARM64E;
    VERDICT(FT_REASON_NONE, &facts, arm, arm64e);
}

static void knows_what_is_no_program(void **state)
{
    (void)state;
    VERDICT(FT_REASON_NOT_ENTERED, &plain, {.type = ARM64, .file_type = 6}); /* a library */
    VERDICT(FT_REASON_NOT_ENTERED, &plain, {.type = ARM64, .no_loader = true});
    VERDICT(FT_REASON_NOT_ENTERED, &plain, {.type = 7});
    struct buf file;
    buf_init(&file, LIMIT_BYTES);
    assert_int_equal(ft_can_insert(read_buf, &file, &plain), FT_REASON_NOT_ENTERED);
    /* A class file of Java. */
    assert_int_equal(buf_append(&file, "\xca\xfe\xba\xbe\0\0\0\x41\0\0\0\0\0\0\0\0", 16), 0);
    assert_int_equal(ft_can_insert(read_buf, &file, &plain), FT_REASON_NOT_ENTERED);
    buf_fini(&file);
}

static void finds_slices_beyond_4_gib_headers(void **state)
{
    const struct made made[] = {{.type = X86_64, .code_flags = 0x10000}, {.type = ARM64}};
    struct ft_macho macho;
    struct buf file;
    (void)state;
    buf_init(&file, LIMIT_BYTES);
    put_fat(&file, made, 2, true);
    ft_macho_inspect(read_buf, &file, FT_CPU_ARM64, &macho);
    assert_int_equal(macho.cpus, FT_CPU_ARM64 | FT_CPU_X86_64);
    assert_int_equal(macho.cpu, FT_CPU_ARM64);
    assert_int_equal(macho.code_flags, 0);
    ft_macho_inspect(read_buf, &file, FT_CPU_X86_64, &macho);
    assert_int_equal(macho.code_flags, 0x10000);
    assert_true(macho.has_loader && macho.is_program);
    buf_fini(&file);
}

/** Cut at every length, and with every byte changed: never a crash, and a cut one is never inserted
 * into. */
static void bears_damaged_files(void **state)
{
    const struct made made[] = {
        {.type = X86_64, .code_flags = 0x10000, .entitlements = "<key>" VARIABLES "</key><true/>"},
        {.type = ARM64,
         .code_flags = 0x10000,
         .entitlements = "<key>" VARIABLES "</key><true/><key>" LIBRARIES "</key><true/>"}};
    struct buf file;
    (void)state;
    buf_init(&file, LIMIT_BYTES);
    put_fat(&file, made, 2, false);
    size_t whole_bytes = file.size_bytes;
    assert_int_equal(ft_can_insert(read_buf, &file, &plain), FT_REASON_NONE);
    for (file.size_bytes = 0; file.size_bytes < whole_bytes; file.size_bytes++)
        assert_int_not_equal(ft_can_insert(read_buf, &file, &plain), FT_REASON_NONE);
    for (size_t i = 0; i < whole_bytes; i++) {
        char kept = file.data[i];
        static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
        for (size_t k = 0; k < sizeof(values); k++) {
            file.data[i] = (char)values[k];
            (void)ft_can_insert(read_buf, &file, &plain);
        }
        file.data[i] = kept;
    }
    buf_fini(&file);
}

/* Scripts. */

static void expect_words(const char *head, size_t size_bytes, const char *const *words)
{
    struct ft_script script;
    memset(&script, 0xee, sizeof(script));
    assert_int_equal(ft_script_read(head, size_bytes, &script), words[0] != NULL);
    uint32_t count = 0;
    for (; words[count]; count++) {
        assert_true(count < script.count);
        assert_string_equal(ft_script_word(&script, count), words[count]);
    }
    assert_int_equal(script.count, count);
}

#define WORDS(text, ...) expect_words(text, sizeof(text) - 1, (const char *const[]){__VA_ARGS__})

static void splits_first_lines(void **state)
{
    (void)state;
    WORDS("#!/bin/sh\n", "/bin/sh", NULL);
    WORDS("#! \t/bin/sh -e  -u\t-x \nfile\n", "/bin/sh", "-e", "-u", "-x", NULL);
    WORDS("#!/bin/sh -e# comment\n", "/bin/sh", "-e", NULL);
    WORDS("#!/usr/bin/env perl\n", "/usr/bin/env", "perl", NULL);
    WORDS("#!/bin/sh", NULL); /* without an end */
    WORDS("#!\n/bin/sh\n", NULL);
    WORDS("#!   \n", NULL);
    WORDS("#!#/bin/sh\n", NULL);
    WORDS("#!/bin/\0sh\n", NULL);
    WORDS("#/bin/sh\n", NULL);
    WORDS("#", NULL);
    WORDS("", NULL);
}

static void keeps_to_the_kernels_limit(void **state)
{
    char line[FT_SCRIPT_LINE_MAX + 8];
    struct ft_script script;
    (void)state;
    memset(line, 'x', sizeof(line));
    line[0] = '#', line[1] = '!';
    line[FT_SCRIPT_LINE_MAX] = '\n';
    assert_false(ft_script_read(line, sizeof(line), &script));
    line[FT_SCRIPT_LINE_MAX - 1] = '\n';
    assert_true(ft_script_read(line, sizeof(line), &script));
    assert_int_equal(strlen(ft_script_word(&script, 0)), FT_SCRIPT_LINE_MAX - 3);
    /* As many words as fit, of one letter each. */
    for (size_t i = 2; i < FT_SCRIPT_LINE_MAX - 1; i++)
        line[i] = i % 2 ? ' ' : 'x';
    assert_false(ft_script_read(line, sizeof(line), &script));
    line[2 + 2 * FT_SCRIPT_WORDS_MAX] = '\n';
    assert_true(ft_script_read(line, sizeof(line), &script));
    assert_int_equal(script.count, FT_SCRIPT_WORDS_MAX);
}

static bool is_env(const char *line)
{
    struct ft_script script;
    assert_true(ft_script_read(line, strlen(line), &script));
    return ft_script_is_env(&script);
}

static void knows_env_and_shells(void **state)
{
    (void)state;
    assert_true(is_env("#!/usr/bin/env perl -w\n"));
    assert_false(is_env("#!/usr/bin/env\n"));
    assert_false(is_env("#!/usr/bin/env -S perl -w\n"));
    assert_false(is_env("#!/usr/bin/env A=b perl\n"));
    assert_false(is_env("#!/opt/bin/env perl\n"));
    assert_true(ft_script_is_shell("/bin/sh") && ft_script_is_shell("/bin/bash"));
    assert_false(ft_script_is_shell("/bin/zsh") || ft_script_is_shell("/bin/shx") ||
                 ft_script_is_shell("sh") || ft_script_is_shell(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_plain_programs),
        cmocka_unit_test(leaves_protected_programs),
        cmocka_unit_test(leaves_those_that_gain_rights),
        cmocka_unit_test(reads_signatures),
        cmocka_unit_test(reads_long_entitlements),
        cmocka_unit_test(chooses_the_slice_that_runs),
        cmocka_unit_test(knows_what_is_no_program),
        cmocka_unit_test(finds_slices_beyond_4_gib_headers),
        cmocka_unit_test(bears_damaged_files),
        cmocka_unit_test(splits_first_lines),
        cmocka_unit_test(keeps_to_the_kernels_limit),
        cmocka_unit_test(knows_env_and_shells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
