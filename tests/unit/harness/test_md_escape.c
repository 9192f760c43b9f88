/* SPDX-License-Identifier: MIT */
/* Foreign strings do nothing in Markdown and on a terminal. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "harness/md_escape.h"

typedef int escape_fn(struct buf *out, const char *text, size_t max_chars);

static void expect(escape_fn *escape, const char *text, size_t max_chars, const char *wanted)
{
    struct buf out;
    buf_init(&out, 65536);
    assert_int_equal(escape(&out, text, max_chars), 0);
    assert_string_equal(out.data ? out.data : "", wanted);
    buf_fini(&out);
}

static void markdown_is_inert(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted;
    } rows[] = {
        {"dynamic", "dynamic"},
        {"", ""},
        {NULL, ""},
        {"linux-x86_64", "linux-x86_64"},
        {"glibc 2.36", "glibc 2.36"},
        {"Debian GNU/Linux 12 (bookworm)", "Debian GNU/Linux 12 (bookworm)"},
        {"a|b", "a&#124;b"},
        {"`x`", "&#96;x&#96;"},
        {"<b>&amp;", "&#60;b&#62;&#38;amp;"},
        {"*a* _b_ ~c~", "&#42;a&#42; &#95;b&#95; &#126;c&#126;"},
        {"[x](y)", "&#91;x&#93;(y)"},
        {"![x](y)", "&#33;&#91;x&#93;(y)"},
        {"@user", "<span>&#64;</span>user"},
        {"a@b.example", "a<span>&#64;</span>b.example"},
        {"#12", "<span>&#35;</span>12"},
        {"o/r#12", "o/r<span>&#35;</span>12"},
        {"GH-12", "GH<span>&#45;</span>12"},
        {"gh-12", "gh<span>&#45;</span>12"},
        {"www.example", "www<span>&#46;</span>example"},
        {"http://x", "http<span>&#58;</span>//x"},
        {":tada: a", "<span>&#58;</span>tada: a"},
        {"word: text", "word: text"},
        {"$x$", "<span>&#36;</span>x<span>&#36;</span>"},
        {"deadbeef", "<span>d</span>eadbe<span>e</span>f"},
        {"run 30028036239", "run <span>3</span>00280<span>3</span>6239"},
        /* the rest of a word is a commit's name, too, when the text is cut there or begins anew */
        {"deadbee5x", "<span>d</span>eadbe<span>e</span>5x"},
        {"xdeadbee5", "xdeadbee5"},
        {"\xFF"
         "abcdef",
         "<span>U+FFFD</span>abcdef"},
        {"    code", "&#32;   code"},
        {"- a", "<span>&#45;</span> a"},
        {"+ a", "&#43; a"},
        {"1. a", "1<span>&#46;</span> a"},
        {"1) a", "1&#41; a"},
        {"===", "&#61;=="},
        {"\\*", "&#92;&#42;"},
        {"a\nb\r\tc", "a b  c"},
        {"\n    code", "&#32;    code"},
        /* NOLINTNEXTLINE(misc-misleading-bidirectional): what is tested */
        {"a\xE2\x80\xAE"
         "b",
         "a<span>U+202E</span>b"}, /* right-to-left override */
        {"a\xE2\x80\x8B"
         "b",
         "a<span>U+200B</span>b"}, /* zero width space */
        {"a\xEF\xBB\xBF"
         "b",
         "a<span>U+FEFF</span>b"},
        {"a\xF3\xA0\x81\x81"
         "b",
         "a<span>U+E0041</span>b"}, /* a tag */
        {"a\x1B[31m", "a<span>U+001B</span>&#91;31m"},
        {"a\x7F", "a<span>U+007F</span>"},
        {"\xC3\xA9t\xC3\xA9", "\xC3\xA9t\xC3\xA9"},
        {"\xC3", "<span>U+FFFD</span>"},                        /* cut */
        {"\xC0\xAF", "<span>U+FFFD</span><span>U+FFFD</span>"}, /* overlong */
        {"\xED\xA0\x80",
         "<span>U+FFFD</span><span>U+FFFD</span><span>U+FFFD</span>"}, /* surrogate */
        {"\xF4\x90\x80\x80",
         "<span>U+FFFD</span><span>U+FFFD</span><span>U+FFFD</span><span>U+FFFD</span>"},
        {"<!-- tracetax:benchmark -->",
         "&#60;&#33;<span>&#45;</span><span>&#45;</span> tracetax<span>&#58;</span>benchmark "
         "<span>&#45;</span><span>&#45;</span>&#62;"},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        expect(tt_md_escape, rows[i].text, TT_TEXT_MAX_CHARS, rows[i].wanted);
}

static void plain_text_moves_no_cursor(void **state)
{
    (void)state;
    expect(tt_plain_escape, "a|b @c", TT_TEXT_MAX_CHARS, "a|b @c");
    expect(tt_plain_escape, "a\x1B]0;t\x07\nb", TT_TEXT_MAX_CHARS, "aU+001B]0;tU+0007 b");
    expect(tt_plain_escape,
           "\xC2\x9B"
           "31m",
           TT_TEXT_MAX_CHARS, "U+009B31m");
}

/* "##[" anywhere in a line is a command to GitHub's runner; escaped twice it is as escaped once. */
static void begins_no_command(void **state)
{
    (void)state;
    expect(tt_plain_escape, "a ##[error]b", TT_TEXT_MAX_CHARS, "a # #[error]b");
    expect(tt_plain_escape, "###[##[", TT_TEXT_MAX_CHARS, "## #[# #[");
    expect(tt_plain_escape, "# #[# #[", TT_TEXT_MAX_CHARS, "# #[# #[");
    expect(tt_plain_escape, "#\n#[", TT_TEXT_MAX_CHARS, "# #[");
    expect(tt_md_escape, "##[", TT_TEXT_MAX_CHARS, "<span>&#35;</span> <span>&#35;</span>&#91;");
}

static void long_texts_are_cut_between_characters(void **state)
{
    (void)state;
    expect(tt_md_escape, "abc", 3, "abc");
    expect(tt_md_escape, "abcd", 3, "abc…");
    expect(tt_md_escape, "\xC3\xA9\xC3\xA9\xC3\xA9", 2, "\xC3\xA9\xC3\xA9…");
    expect(tt_plain_escape, "abcd", 0, "…");
}

/* No byte sequence of two ASCII characters leaves anything active at the start of a line. */
static void no_pair_of_characters_gets_through(void **state)
{
    (void)state;
    for (unsigned a = 1; a < 128; a++) {
        for (unsigned b = 1; b < 128; b++) {
            const char text[] = {(char)a, (char)b, '\0'};
            struct buf out;
            buf_init(&out, 1024);
            assert_int_equal(tt_md_escape(&out, text, TT_TEXT_MAX_CHARS), 0);
            for (const char *c = out.data; *c; c++) {
                assert_null(strchr("|`*[]\\~@$!\"{}^", *c));
                assert_true(*c != '<' || !strncmp(c, "<span>", 6) || !strncmp(c, "</span>", 7));
                assert_true(*c != '&' || c[1] == '#');
                assert_true(*c != '#' || c[-1] == '&');
                assert_true((unsigned char)*c >= ' ');
            }
            buf_fini(&out);
        }
    }
}

static void a_full_buffer_is_told(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, 4);
    assert_int_equal(tt_md_escape(&out, "abcdef", 80), -EFBIG);
    buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markdown_is_inert),
        cmocka_unit_test(plain_text_moves_no_cursor),
        cmocka_unit_test(begins_no_command),
        cmocka_unit_test(long_texts_are_cut_between_characters),
        cmocka_unit_test(no_pair_of_characters_gets_through),
        cmocka_unit_test(a_full_buffer_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
