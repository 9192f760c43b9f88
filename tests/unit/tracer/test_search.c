/* SPDX-License-Identifier: MIT */
/* Where ld.so looks for a library, and in which order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/compiler.h"
#include "tracer/linux/search.h"
#include "tracer/record.h"

#define OBJECTS_MAX 6

/* An object as ld.so lists it; entries that are NULL are not there. */
struct made {
    const char *path, *soname, *needed[4], *rpath, *runpath;
};

/* Process-wide, as the callbacks have no context: one test runs at a time. */
static char told[3 * FT_PATH_MAX];
static const char *program_folder_is;
static const char *there;

static struct link_map maps[OBJECTS_MAX];
static ElfW(Dyn) dynamic[OBJECTS_MAX][10];
static char strings[OBJECTS_MAX][3 * FT_PATH_MAX];

static uint32_t program_folder(char *out, uint32_t room_bytes)
{
    size_t size = program_folder_is ? strlen(program_folder_is) : 0;
    if (size >= room_bytes)
        return 0;
    if (size)
        memcpy(out, program_folder_is, size);
    return (uint32_t)size;
}

static bool tried(const struct ft_search *search, char *path, uint32_t folder_bytes, bool found)
{
    assert_int_equal(path[folder_bytes - 1], '/');
    assert_null(strchr(path + folder_bytes, '/'));
    assert_true(strlen(told) + strlen(path) + 2 < sizeof told);
    size_t used = strlen(told);
    snprintf(told + used, sizeof told - used, "%s%s%s", used ? " " : "", found ? "=" : "", path);
    return search->ask && there && strcmp(path, there) == 0;
}

static ElfW(Xword) put_string(size_t object, size_t *used, const char *text)
{
    size_t at = *used;
    assert_true(at + strlen(text) < sizeof strings[object]);
    memcpy(strings[object] + at, text, strlen(text) + 1);
    *used += strlen(text) + 1;
    return at;
}

static struct ft_search make(const struct made *list, size_t count)
{
    assert_true(count <= OBJECTS_MAX);
    told[0] = '\0';
    there = NULL;
    program_folder_is = "/opt/p";
    for (size_t i = 0; i < count; i++) {
        size_t used = 1;
        ElfW(Dyn) *entry = dynamic[i];
        for (size_t k = 0; k < ARRAY_LEN(list[i].needed) && list[i].needed[k]; k++)
            *entry++ = (ElfW(Dyn)){
                .d_tag = DT_NEEDED,
                .d_un.d_val = put_string(i, &used, list[i].needed[k]),
            };
        const struct {
            ElfW(Sxword) tag;
            const char *text;
        } texts[] = {
            {DT_SONAME, list[i].soname}, {DT_RPATH, list[i].rpath}, {DT_RUNPATH, list[i].runpath}};
        for (size_t k = 0; k < ARRAY_LEN(texts); k++)
            if (texts[k].text)
                *entry++ = (ElfW(Dyn)){
                    .d_tag = texts[k].tag,
                    .d_un.d_val = put_string(i, &used, texts[k].text),
                };
        *entry++ = (ElfW(Dyn)){.d_tag = DT_STRTAB, .d_un.d_ptr = (ElfW(Addr))strings[i]};
        *entry = (ElfW(Dyn)){.d_tag = DT_NULL};
        maps[i] = (struct link_map){
            .l_addr = i * 0x1000,
            .l_name = (char *)(uintptr_t)list[i].path,
            .l_ld = dynamic[i],
            .l_next = i + 1 < count ? &maps[i + 1] : NULL,
        };
    }
    return (struct ft_search){.first = maps, .program_folder = program_folder, .tried = tried};
}

/** Where was the last of these objects looked for? */
static void assert_tried(const struct made *list, size_t count, const char *library_path,
                         const char *expected)
{
    struct ft_search search = make(list, count);
    search.library_path = library_path;
    ft_search_object(&search, &maps[count - 1]);
    assert_string_equal(told, expected);
}

static void one_list(void **state)
{
    (void)state;
    static const struct {
        const char *runpath, *found, *expected;
    } cases[] = {
        {"/a:/b:/c", "/b/l.so", "/a/l.so =/b/l.so"},
        {"/a:/b", "/usr/lib/l.so", "/a/l.so /b/l.so"},
        {"/a//:/", "/usr/lib/l.so", "/a/l.so /l.so"},
        {"", "/usr/lib/l.so", ""},
        {":/a:", "/usr/lib/l.so", "./l.so /a/l.so ./l.so"},
        {"a;b", "/usr/lib/l.so", "a;b/l.so"},
        {"$ORIGIN/../lib:${ORIGIN}", "/opt/p/l.so", "/opt/p/../lib/l.so =/opt/p/l.so"},
        {"/x/$ORIGINAL:$ORIGI:$", "/usr/lib/l.so", "/x//opt/pAL/l.so $ORIGI/l.so $/l.so"},
        {"${ORIGIN:${ORIGINS}:${LIB", "/usr/lib/l.so", "${ORIGIN/l.so ${ORIGINS}/l.so ${LIB/l.so"},
        /* Where the C library is cannot be told, and the platform never is. */
        {"/a/$LIB:/b:/c/$PLATFORM", "/usr/lib/l.so", "/b/l.so"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct made list[] = {
            {.path = "", .needed = {"l.so"}, .runpath = cases[i].runpath},
            {.path = cases[i].found},
        };
        assert_tried(list, 2, NULL, cases[i].expected);
    }
}

static void order_of_lists(void **state)
{
    (void)state;
    /* The program needs a.so, that needs b.so. */
    struct made list[] = {
        {.path = "", .needed = {"x.so", "a.so"}, .rpath = "/p"},
        {.path = "/l/a.so", .needed = {"b.so"}, .rpath = "/a"},
        {.path = "/l/b.so"},
    };
    assert_tried(list, 3, NULL, "/a/b.so /p/b.so");
    assert_tried(list, 3, "/e;/f:/g", "/a/b.so /p/b.so /e/b.so /f/b.so /g/b.so");
    list[1].runpath = "$ORIGIN/r"; /* its DT_RPATH counts for nothing, nor do those above */
    assert_tried(list, 3, "/e", "/e/b.so /l/r/b.so");
    list[1].rpath = list[1].runpath = NULL;
    assert_tried(list, 3, "", "/p/b.so");
    list[0].runpath = "/q"; /* is for what the program itself needs */
    assert_tried(list, 3, NULL, "");
    assert_tried(list, 2, NULL, "/q/a.so");
    /* The first that needs it is the one for which it was loaded. */
    list[0] = (struct made){.path = "", .needed = {"a.so", "b.so"}, .runpath = "/q"};
    list[1].runpath = "/r";
    assert_tried(list, 3, NULL, "/q/b.so");
    /* Nobody needs it: it was loaded by a path. */
    list[0].needed[1] = list[1].needed[0] = NULL;
    assert_tried(list, 3, "/e", "");
}

static void lib_is_where_the_c_library_is(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"/lib/x86_64-linux-gnu/libc.so.6", "/s/lib/x86_64-linux-gnu/l.so"},
        {"/usr/lib64/libc.so.6", "/s/lib64/l.so"},
        {"/libc.so.6", "/s/l.so"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct made list[] = {
            {.path = "", .needed = {"libc.so.6", "l.so"}, .runpath = "/s/$LIB"},
            {.path = cases[i][0]},
            {.path = "/l.so"},
        };
        assert_tried(list, 3, NULL, cases[i][1]);
    }
}

static void preloaded(void **state)
{
    (void)state;
    const struct made list[] = {
        {.path = "", .needed = {"l.so"}, .runpath = "/r"},
        {.path = "/x/l.so"},
    };
    static const char *const cases[][2] = {
        {"/x/l.so", ""},          {"/y.so /x/l.so", ""}, {"/x/l.so:l.so", ""},
        {"/x/l.so.1", "/r/l.so"}, {"/x/l", "/r/l.so"},   {":", "/r/l.so"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct ft_search search = make(list, 2);
        search.preload = cases[i][0];
        ft_search_object(&search, &maps[1]);
        assert_string_equal(told, cases[i][1]);
    }
    /* By its name alone it is looked for, although nobody needs it. */
    const struct made unneeded[] = {{.path = "", .runpath = "/r"}, {.path = "/x/l.so"}};
    struct ft_search search = make(unneeded, 2);
    search.preload = "/y.so:l.so";
    ft_search_object(&search, &maps[1]);
    assert_string_equal(told, "/r/l.so");
}

static void by_name(void **state)
{
    (void)state;
    const struct made list[] = {
        {.path = "", .runpath = "/p"},
        {.path = "/l/a.so", .runpath = "/a:/b:/c", .soname = "a.so.1"},
        {.path = "/l/b.so"},
    };
    struct ft_search search = make(list, 3);
    ft_search_name(&search, &maps[1], "new.so", NULL);
    assert_string_equal(told, "/a/new.so /b/new.so /c/new.so");
    search = make(list, 3);
    search.ask = true;
    there = "/b/new.so";
    ft_search_name(&search, &maps[1], "new.so", NULL);
    assert_string_equal(told, "/a/new.so /b/new.so");

    assert_true(ft_search_is_loaded(&search, "a.so"));
    assert_true(ft_search_is_loaded(&search, "a.so.1"));
    assert_false(ft_search_is_loaded(&search, "a.so.2"));
    assert_true(ft_search_has_folders(&maps[1]));
    assert_false(ft_search_has_folders(&maps[2]));
    assert_ptr_equal(ft_search_holder(&search, (const void *)0xfff), &maps[0]);
    assert_ptr_equal(ft_search_holder(&search, (const void *)0x1000), &maps[1]);
    assert_ptr_equal(ft_search_holder(&search, (const void *)0x9000), &maps[2]);
    maps[0].l_addr = 0x20000; /* not the lowest */
    assert_ptr_equal(ft_search_holder(&search, (const void *)0x1800), &maps[1]);
    assert_ptr_equal(ft_search_holder(&search, (const void *)0x20010), &maps[0]);
}

/** Names up to the limit are told, longer ones are left out. */
static void long_names(void **state)
{
    (void)state;
    char list_text[2 * FT_PATH_MAX + 16];
    for (size_t size = FT_PATH_MAX - 16; size < FT_PATH_MAX + 16; size++) {
        memset(list_text, 'd', size);
        list_text[0] = '/';
        memcpy(list_text + size, ":/e", sizeof ":/e");
        const struct made list[] = {
            {.path = "", .needed = {"l.so"}, .runpath = list_text},
            {.path = "/l/l.so"},
        };
        struct ft_search search = make(list, 2);
        ft_search_object(&search, &maps[1]);
        bool fits = size + sizeof "/l.so" <= FT_PATH_MAX;
        assert_int_equal(strlen(told), fits ? size + strlen("/l.so /e/l.so") : strlen("/e/l.so"));
        assert_string_equal(told + strlen(told) - 7, "/e/l.so");
    }
    program_folder_is = NULL;
    const struct made unknown[] = {
        {.path = "", .needed = {"l.so"}, .runpath = "$ORIGIN/a:/e"},
        {.path = "./l.so"},
    };
    struct ft_search search = make(unknown, 2);
    program_folder_is = NULL;
    ft_search_object(&search, &maps[1]);
    assert_string_equal(told, "/e/l.so");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_list),
        cmocka_unit_test(order_of_lists),
        cmocka_unit_test(lib_is_where_the_c_library_is),
        cmocka_unit_test(preloaded),
        cmocka_unit_test(by_name),
        cmocka_unit_test(long_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
