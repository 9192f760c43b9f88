/* SPDX-License-Identifier: MIT */
/* What an executable file is, told from images made here byte by byte. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/compiler.h"
#include "tracer/image.h"

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#define LOADER "/lib64/ld-linux-x86-64.so.2"
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#define LOADER "/lib/ld-linux-aarch64.so.1"
#endif

/** A file in memory that ends exactly where its bytes end. */
struct image {
    char *data;
    size_t size_bytes;
};

/** As pread(2), but what lies behind a short answer is filled with rubbish. */
static long read_image(void *context, void *to, size_t size_bytes, uint64_t offset)
{
    const struct image *image = context;
    memset(to, 'X', size_bytes);
    if (offset > INT64_MAX)
        return -22; /* EINVAL */
    if (offset >= image->size_bytes)
        return 0;
    size_t left = image->size_bytes - (size_t)offset;
    size_t n = size_bytes < left ? size_bytes : left;
    memcpy(to, image->data + offset, n);
    return (long)n;
}

static long read_nothing(void *context, void *to, size_t size_bytes, uint64_t offset)
{
    (void)context, (void)offset;
    memset(to, 'X', size_bytes);
    return -5; /* EIO */
}

static struct ft_image inspect_bytes(const void *data, size_t size_bytes)
{
    struct image image = {malloc(size_bytes ? size_bytes : 1), size_bytes};
    struct ft_image out;
    assert_non_null(image.data);
    if (size_bytes)
        memcpy(image.data, data, size_bytes);
    memset(&out, 0xee, sizeof(out));
    ft_image_inspect(read_image, &image, &out);
    assert_non_null(memchr(out.interpreter, '\0', sizeof(out.interpreter)));
    free(image.data);
    return out;
}

static struct ft_image inspect_text(const char *text)
{
    return inspect_bytes(text, strlen(text));
}

/* An ELF file: what a test wants to be different is changed before it is looked at. */

#define NEEDED_MAX 4
#define ADDRESS UINT64_C(0x400000)
#define STRINGS_BYTES 256

struct elf {
    Elf64_Ehdr head;
    Elf64_Phdr load, interpreter, dynamic;
    char interpreter_name[64];
    Elf64_Dyn entries[NEEDED_MAX + 3];
    char strings[STRINGS_BYTES];
};

/** A dynamic program as gcc makes it, needing these libraries. */
static struct elf make_elf(const char *loader, const char *const *needed)
{
    struct elf elf = {0};
    size_t entry = 0, text = 1;

    memcpy(elf.head.e_ident, ELFMAG, SELFMAG);
    elf.head.e_ident[EI_CLASS] = ELFCLASS64;
    elf.head.e_ident[EI_DATA] = ELFDATA2LSB;
    elf.head.e_type = ET_DYN;
    elf.head.e_machine = MACHINE;
    elf.head.e_phoff = offsetof(struct elf, load);
    elf.head.e_phentsize = sizeof(Elf64_Phdr);
    elf.head.e_phnum = 3;
    elf.load = (Elf64_Phdr){
        .p_type = PT_LOAD, .p_vaddr = ADDRESS, .p_filesz = sizeof(elf), .p_memsz = sizeof(elf)};
    elf.interpreter = (Elf64_Phdr){.p_type = PT_INTERP,
                                   .p_offset = offsetof(struct elf, interpreter_name),
                                   .p_filesz = strlen(loader) + 1};
    memcpy(elf.interpreter_name, loader, strlen(loader));
    elf.dynamic = (Elf64_Phdr){.p_type = PT_DYNAMIC,
                               .p_offset = offsetof(struct elf, entries),
                               .p_vaddr = ADDRESS + offsetof(struct elf, entries),
                               .p_filesz = sizeof(elf.entries)};
    for (; *needed; needed++) {
        elf.entries[entry++] = (Elf64_Dyn){.d_tag = DT_NEEDED, .d_un.d_val = text};
        memcpy(elf.strings + text, *needed, strlen(*needed));
        text += strlen(*needed) + 1;
    }
    /* Behind the names, as linkers do. */
    elf.entries[entry++] =
        (Elf64_Dyn){.d_tag = DT_STRTAB, .d_un.d_ptr = ADDRESS + offsetof(struct elf, strings)};
    elf.entries[entry].d_tag = DT_NULL;
    return elf;
}

static const char *const libc_only[] = {"libc.so.6", NULL};
static const char *const nothing[] = {NULL};

static void assert_way(const struct elf *elf, enum ft_way way)
{
    struct ft_image image = inspect_bytes(elf, sizeof(*elf));
    assert_int_equal(image.kind, FT_IMAGE_ELF);
    assert_int_equal(image.way, way);
}

static void preloads_into_dynamic_programs(void **state)
{
    (void)state;
    struct elf elf = make_elf(LOADER, libc_only);
    struct ft_image image = inspect_bytes(&elf, sizeof(elf));
    assert_int_equal(image.kind, FT_IMAGE_ELF);
    assert_int_equal(image.way, FT_WAY_PRELOAD);
    assert_string_equal(image.interpreter, LOADER);

    /* Not at a fixed address, the loader elsewhere, more libraries. */
    static const char *const many[] = {"libm.so.6", "libc.so.6", "libasan.txt", "mylibasan.so",
                                       NULL};
    elf = make_elf("/opt/glibc" LOADER, many);
    elf.head.e_type = ET_EXEC;
    assert_way(&elf, FT_WAY_PRELOAD);
}

static void leaves_the_rest_to_the_kernel(void **state)
{
    (void)state;
    struct elf elf = make_elf(LOADER, libc_only);
    elf.dynamic.p_type = PT_NULL; /* static */
    elf.interpreter.p_type = PT_NULL;
    assert_way(&elf, FT_WAY_KERNEL);

    elf = make_elf(LOADER, nothing); /* static-pie: PT_DYNAMIC, no interpreter */
    elf.interpreter.p_type = PT_NULL;
    assert_way(&elf, FT_WAY_KERNEL);

    elf = make_elf(LOADER, nothing); /* makes its system calls itself */
    assert_way(&elf, FT_WAY_KERNEL);

    elf = make_elf("/lib/ld-musl-x86_64.so.1", libc_only);
    struct ft_image image = inspect_bytes(&elf, sizeof(elf));
    assert_int_equal(image.way, FT_WAY_KERNEL);
    assert_string_equal(image.interpreter, "/lib/ld-musl-x86_64.so.1");

    elf = make_elf("/lib/ld-linux.so.2", libc_only);
    assert_way(&elf, FT_WAY_KERNEL);
    elf = make_elf(LOADER "x", libc_only);
    assert_way(&elf, FT_WAY_KERNEL);
    elf = make_elf(LOADER "/x", libc_only);
    assert_way(&elf, FT_WAY_KERNEL);

    static const char *const asan[] = {"libm.so.6", "libasan.so.8", "libc.so.6", NULL};
    elf = make_elf(LOADER, asan);
    assert_way(&elf, FT_WAY_KERNEL);
}

static void knows_other_machines(void **state)
{
    (void)state;
    static const uint16_t machines[] = {EM_386, EM_ARM, EM_RISCV, EM_S390, 0, 0xffff};
    for (size_t i = 0; i < ARRAY_LEN(machines); i++) {
        struct elf elf = make_elf(LOADER, libc_only);
        elf.head.e_machine = machines[i];
        assert_way(&elf, FT_WAY_KERNEL);
    }
    struct elf elf = make_elf(LOADER, libc_only);
    elf.head.e_ident[EI_CLASS] = ELFCLASS32;
    assert_way(&elf, FT_WAY_KERNEL);
    elf.head.e_machine = EM_386;
    assert_way(&elf, FT_WAY_KERNEL);

    /* A whole 32-bit head is shorter than a 64-bit one. */
    Elf32_Ehdr small = {.e_machine = EM_386, .e_phnum = 1};
    memcpy(small.e_ident, ELFMAG, SELFMAG);
    small.e_ident[EI_CLASS] = ELFCLASS32;
    assert_int_equal(inspect_bytes(&small, sizeof(small)).way, FT_WAY_KERNEL);
}

static void does_not_trust_numbers(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {0,          1,         63,         sizeof(struct elf) - 1,
                                       INT32_MAX,  INT64_MAX, UINT64_MAX, UINT64_MAX - 55,
                                       UINT32_MAX, 1u << 20};
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        struct elf elf = make_elf(LOADER, libc_only);
        elf.head.e_phoff = numbers[i];
        assert_way(&elf, FT_WAY_KERNEL);
        elf = make_elf(LOADER, libc_only);
        elf.interpreter.p_offset = numbers[i];
        assert_way(&elf, FT_WAY_KERNEL);
        elf = make_elf(LOADER, libc_only);
        elf.dynamic.p_offset = numbers[i];
        if (numbers[i]) /* the head is as good a table as any, and ld.so will say so */
            assert_way(&elf, FT_WAY_KERNEL);
        elf = make_elf(LOADER, libc_only);
        elf.entries[1].d_un.d_ptr = numbers[i]; /* the string table is nowhere in the file */
        assert_way(&elf, FT_WAY_KERNEL);
        if (numbers[i] > sizeof(elf)) {
            elf = make_elf(LOADER, libc_only);
            elf.entries[0].d_un.d_val = numbers[i]; /* nor is the library's name */
            if (numbers[i] <= INT64_MAX)
                assert_way(&elf, FT_WAY_KERNEL);
            elf = make_elf(LOADER, libc_only);
            elf.dynamic.p_filesz = numbers[i]; /* its own end is what counts, as for ld.so */
            assert_way(&elf, FT_WAY_PRELOAD);
            elf = make_elf(LOADER, libc_only);
            elf.interpreter.p_filesz = numbers[i];
            assert_way(&elf, FT_WAY_KERNEL);
        }
    }
    struct elf elf = make_elf(LOADER, libc_only);
    elf.head.e_phnum = UINT16_MAX;
    assert_way(&elf, FT_WAY_KERNEL);
    elf.head.e_phnum = 0;
    assert_way(&elf, FT_WAY_KERNEL);
    elf = make_elf(LOADER, libc_only);
    elf.head.e_phentsize = 1;
    assert_way(&elf, FT_WAY_KERNEL);
    elf = make_elf(LOADER, libc_only);
    elf.interpreter.p_filesz = 0;
    assert_way(&elf, FT_WAY_KERNEL);
}

static void ends_an_unterminated_interpreter(void **state)
{
    (void)state;
    struct elf elf = make_elf(LOADER, libc_only);
    elf.interpreter.p_filesz = strlen(LOADER); /* the kernel says ENOEXEC */
    assert_way(&elf, FT_WAY_KERNEL);

    /* As long as the room, without a NUL. */
    char large[sizeof(struct elf) + FT_INTERPRETER_MAX];
    elf = make_elf(LOADER, libc_only);
    elf.interpreter.p_offset = sizeof(elf);
    elf.interpreter.p_filesz = FT_INTERPRETER_MAX;
    memcpy(large, &elf, sizeof(elf));
    memset(large + sizeof(elf), 'i', FT_INTERPRETER_MAX);
    struct ft_image image = inspect_bytes(large, sizeof(large));
    assert_int_equal(image.way, FT_WAY_KERNEL);
    assert_int_equal(strlen(image.interpreter), FT_INTERPRETER_MAX - 1);
}

/** Cut anywhere, the same file is nothing to preload into, and nothing behind the cut is seen. */
static void takes_cut_files(void **state)
{
    (void)state;
    struct elf elf = make_elf(LOADER, libc_only);
    for (size_t cut = 0; cut <= offsetof(struct elf, strings) + 1; cut++) {
        struct ft_image image = inspect_bytes(&elf, cut);
        assert_int_equal(image.kind, cut < sizeof(elf.head) ? FT_IMAGE_OTHER : FT_IMAGE_ELF);
        assert_int_equal(image.way, FT_WAY_KERNEL);
    }
}

/** Any byte changed: whatever it says, it is looked at without harm. */
static void takes_damaged_files(void **state)
{
    (void)state;
    static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    const struct elf elf = make_elf(LOADER, libc_only);
    for (size_t at = 0; at < sizeof(elf); at++) {
        for (size_t i = 0; i < ARRAY_LEN(values); i++) {
            struct elf damaged = elf;
            ((unsigned char *)&damaged)[at] = values[i];
            struct ft_image image = inspect_bytes(&damaged, sizeof(damaged));
            assert_true(image.way == FT_WAY_KERNEL || image.kind == FT_IMAGE_ELF);
        }
    }
}

static void reads_scripts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *interpreter;
    } cases[] = {
        {"#!/bin/sh\n", "/bin/sh"},
        {"#!/bin/sh", "/bin/sh"},
        {"#! /bin/sh -e\n", "/bin/sh"},
        {"#!\t /usr/bin/env\tpython3 -u\n", "/usr/bin/env"},
        {"#!/bin/sh\r\n", "/bin/sh\r"},
        {"#!sh\n", "sh"},
        {"#!\n/bin/sh\n", ""},
        {"#!   \n", ""},
        {"#!", ""},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct ft_image image = inspect_text(cases[i].text);
        assert_int_equal(image.kind, FT_IMAGE_SCRIPT);
        assert_string_equal(image.interpreter, cases[i].interpreter);
    }
    assert_string_equal(inspect_bytes("#!/bin/s\0h\n", 11).interpreter, "/bin/s");

    /* A first line that is longer than what the kernel reads. */
    char large[1000];
    memset(large, 'p', sizeof(large));
    large[0] = '#', large[1] = '!', large[2] = '/';
    struct ft_image image = inspect_bytes(large, sizeof(large));
    assert_int_equal(image.kind, FT_IMAGE_SCRIPT);
    assert_int_equal(strlen(image.interpreter), FT_INTERPRETER_MAX - 2);
    memset(large + 2, ' ', sizeof(large) - 2);
    assert_string_equal(inspect_bytes(large, sizeof(large)).interpreter, "");
}

static void knows_what_it_does_not_know(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "#", "\177", "\177ELF", "echo hello\n", "MZ"};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct ft_image image = inspect_text(texts[i]);
        assert_int_equal(image.kind, FT_IMAGE_OTHER);
        assert_int_equal(image.way, FT_WAY_KERNEL);
        assert_string_equal(image.interpreter, "");
    }
    struct ft_image image;
    ft_image_inspect(read_nothing, NULL, &image);
    assert_int_equal(image.kind, FT_IMAGE_OTHER);
    assert_int_equal(image.way, FT_WAY_KERNEL);
    assert_string_equal(image.interpreter, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(preloads_into_dynamic_programs),
        cmocka_unit_test(leaves_the_rest_to_the_kernel),
        cmocka_unit_test(knows_other_machines),
        cmocka_unit_test(does_not_trust_numbers),
        cmocka_unit_test(ends_an_unterminated_interpreter),
        cmocka_unit_test(takes_cut_files),
        cmocka_unit_test(takes_damaged_files),
        cmocka_unit_test(reads_scripts),
        cmocka_unit_test(knows_what_it_does_not_know),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
