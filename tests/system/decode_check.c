/* SPDX-License-Identifier: MIT */
/* Compare the lengths of our instruction decoder with a disassembler's: objdump -dw on standard
 * input. Prints what differs; exit status 1 when anything does, or nothing was read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracer/x86_decode.h"

#define LINE_MAX_BYTES 4096
#define SHOWN_MAX 20

/** The bytes of "  401000:\t48 89 e5             \tmov ...". @return their number */
static size_t read_bytes(const char *line, unsigned char *out, const char **text)
{
    size_t count = 0;
    const char *at = strchr(line, ':');
    if (!at || at[1] != '\t')
        return 0;
    at += 2;
    while (count < FT_X86_MAX_BYTES) {
        char *end;
        unsigned long byte = strtoul(at, &end, 16);
        if (end != at + 2 || *end != ' ')
            break;
        out[count++] = (unsigned char)byte;
        at = end + 1;
    }
    *text = strchr(at, '\t');
    return *text ? count : 0;
}

/** What objdump shows and no processor runs so: data among the code, or prefixes by themselves. */
static bool is_odd(const char *text)
{
    static const char *const words[] = {"(bad)", ".byte", "rex", "data16\n",
                                        "ds\n",  "cs\n",  "es\n"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strstr(text, words[i]))
            return true;
    return false;
}

int main(void)
{
    static char line[LINE_MAX_BYTES];
    unsigned long checked = 0, refused = 0, wrong = 0;

    while (fgets(line, sizeof(line), stdin)) {
        /* Behind the instruction stand other bytes, as in memory. */
        unsigned char code[2 * FT_X86_MAX_BYTES];
        struct ft_x86 instruction;
        const char *text;
        memset(code, 0x90, sizeof(code));
        size_t size = read_bytes(line, code, &text);
        if (!size || is_odd(text))
            continue;
        checked++;
        if (!ft_x86_decode(code, sizeof(code), &instruction))
            refused++;
        else if (instruction.size_bytes == size)
            continue;
        else
            wrong++;
        if (wrong + refused <= SHOWN_MAX)
            printf("%s: %s", instruction.size_bytes ? "wrong" : "refused", line);
    }
    printf("decode_check: %lu instructions, %lu refused, %lu wrong\n", checked, refused, wrong);
    return !checked || wrong || refused * 1000 > checked;
}
