/* SPDX-License-Identifier: MIT */
/* Texts about the machine, made fit for a result; the same on every system. */
#include "harness/platform.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

char *tt_platform_clean(const char *text)
{
    char *out = malloc(TT_RESULT_MAX_STRING_BYTES + 1);
    size_t used = 0;

    for (; out && *text && used < TT_RESULT_MAX_STRING_BYTES; text++) {
        unsigned char c = (unsigned char)*text;
        bool blank = c <= 0x20 || c == 0x7f;
        if (blank && (!used || out[used - 1] == ' '))
            continue;
        out[used++] = blank ? ' ' : (char)c;
    }
    if (!out)
        return NULL;
    while (used && out[used - 1] == ' ')
        used--;
    out[used] = '\0';

    json_t *value = json_string(out);
    for (char *c = out; !value && *c; c++) {
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    }
    json_decref(value);
    if (!used) {
        free(out);
        out = strdup("unknown");
    }
    return out;
}

void tt_platform_cut_frequency(char *cpu)
{
    static const char *const units[] = {"GHz", "MHz"};

    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        char *unit = strstr(cpu, units[i]);
        if (!unit)
            continue;
        char *from = unit;
        while (from > cpu && from[-1] == ' ')
            from--;
        while (from > cpu && (isdigit((unsigned char)from[-1]) || from[-1] == '.'))
            from--;
        while (from > cpu && (from[-1] == ' ' || from[-1] == '@'))
            from--;
        if (from > cpu) {
            const char *rest = unit + strlen(units[i]);
            memmove(from, rest, strlen(rest) + 1);
        }
    }
}
