/* SPDX-License-Identifier: MIT */
/* What machine this is, on Linux: uname(2), /proc/cpuinfo, os-release(5), confstr(3). */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/buf.h"
#include "common/file.h"
#include "harness/platform_posix.h"

const char tt_platform_system[] = "linux";

#define MAX_SYSTEM_FILE_BYTES (4u << 20)

/**
 * The rest of the first line that starts with @key and @separator.
 * @return the caller's to free(); NULL when there is none
 */
static char *find_line(const struct buf *text, const char *key, char separator)
{
    const char *line = text->data;

    while (line && *line) {
        size_t length = strcspn(line, "\n");
        if (!strncmp(line, key, strlen(key))) {
            const char *c = line + strlen(key);
            while (*c == ' ' || *c == '\t')
                c++;
            if (*c == separator)
                return strndup(c + 1, length - (size_t)(c + 1 - line));
        }
        line += length;
        line += *line == '\n';
    }
    return NULL;
}

/** A line of a system's file; what cannot be read counts as empty. */
static char *read_line(const char *path, const char *key, char separator)
{
    struct buf text;

    buf_init(&text, MAX_SYSTEM_FILE_BYTES);
    char *line = file_read(path, &text, NULL) ? NULL : find_line(&text, key, separator);
    buf_fini(&text);
    return line;
}

/** PRETTY_NAME="Debian GNU/Linux 12 (bookworm)": quotes and backslashes are the shell's. */
static void unquote(char *text)
{
    char *out = text;

    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\'')
            continue;
        if (*c == '\\' && c[1])
            c++;
        *out++ = *c;
    }
    *out = '\0';
}

char *tt_platform_image(void)
{
    char *name = read_line("/etc/os-release", "PRETTY_NAME", '=');
    if (!name)
        name = read_line("/usr/lib/os-release", "PRETTY_NAME", '=');
    if (name)
        unquote(name);
    char *clean = tt_platform_clean(name ? name : "");
    free(name);
    return clean;
}

char *tt_platform_cpu(void)
{
    /* x86 and others; arm64 has only numbers, of which implementer and part name the core. */
    char *name = read_line("/proc/cpuinfo", "model name", ':');
    if (!name) {
        char *implementer = read_line("/proc/cpuinfo", "CPU implementer", ':');
        char *part = read_line("/proc/cpuinfo", "CPU part", ':');
        struct buf text;
        buf_init(&text, TT_RESULT_MAX_STRING_BYTES);
        if (implementer && part)
            buf_printf(&text, "implementer%s part%s", implementer, part);
        name = buf_take(&text);
        buf_fini(&text);
        free(implementer);
        free(part);
    }
    if (name)
        tt_platform_cut_frequency(name);
    char *clean = tt_platform_clean(name ? name : "");
    free(name);
    return clean;
}

char *tt_platform_libc(void)
{
    char text[TT_RESULT_MAX_STRING_BYTES] = "";
#ifdef _CS_GNU_LIBC_VERSION
    (void)confstr(_CS_GNU_LIBC_VERSION, text, sizeof(text));
#endif
    return tt_platform_clean(text);
}

bool tt_platform_can_inject(void)
{
    struct utsname names;
    return !uname(&names) && !strcmp(names.machine, "x86_64");
}
