/* SPDX-License-Identifier: MIT */
/* What the command filetrace asks of Windows. */
#include "tracer/system.h"

#include <errno.h>
#include <stdlib.h>

#include "common/wide.h"

int ft_system_open(const char *path, FILE **out)
{
    wchar_t *wide;
    *out = NULL;
    int ret = wide_from_utf8(path, &wide);
    if (ret)
        return ret;
    *out = _wfopen(wide, L"rbN"); /* N: not inherited */
    ret = *out ? 0 : -errno;
    free(wide);
    return ret;
}

int ft_system_end_as(const struct ft_raw_summary *end)
{
    return end->exit_code; /* all of its 32 bits */
}
