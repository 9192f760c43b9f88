/* SPDX-License-Identifier: MIT */
/* Names with newlines, quotes, escapes and bytes that are not UTF-8. */
#include "case.h"
#include <fcntl.h>

int main(void)
{
    const char *const names[] = {
        "new\nline",           "\xff\xfe\x80",      "quote\"back\\slash", "tab\tin",
        "\x1b[31mred",         "\xc3\xa9t\xc3\xa9", "\xed\xa0\x80",       " ",
        "x\ny\t/etc/shadow\t-"};
    for (size_t i = 0; i < 9; i++) {
        int fd = creat(names[i], 0600);
        CHECK((fd >= 0 && close(fd) == 0) || (i == 8 && errno == ENOENT));
        if (i < 8) {
            fd = open(names[i], O_RDONLY);
            CHECK(fd >= 0 && close(fd) == 0);
        }
    }
    return done("odd_names");
}
