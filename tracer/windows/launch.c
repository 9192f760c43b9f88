/* SPDX-License-Identifier: MIT */
/* Starting the root command on Windows. */
#include "tracer/windows/launch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "common/wide.h"
#include "common/winargs.h"
#include "common/wtf8.h"

#define LINE_UNITS_MAX 32766u /* CreateProcessW(), without the NUL */
#define ENVIRONMENT_BYTES_MAX (1u << 20)

static int make_line(char *const *argv, wchar_t **out)
{
    struct buf line;
    *out = NULL;
    buf_init(&line, WTF8_BYTES(LINE_UNITS_MAX));
    for (size_t i = 0; argv[i]; i++)
        (void)winargs_append(&line, argv[i]);
    int ret = buf_status(&line);
    if (!ret)
        ret = wide_from_utf8(line.data, out);
    if (ret == -EFBIG || (!ret && wcslen(*out) > LINE_UNITS_MAX))
        ret = -ENAMETOOLONG;
    buf_fini(&line);
    return ret;
}

/** Its strings one after the other, each with its NUL, and one more. */
static int make_environment(char *const *envp, wchar_t **out)
{
    struct buf all;
    size_t units;
    *out = NULL;
    if (!envp)
        return 0;
    buf_init(&all, ENVIRONMENT_BYTES_MAX);
    for (size_t i = 0; envp[i]; i++)
        (void)buf_append(&all, envp[i], strlen(envp[i]) + 1);
    if (!envp[0])
        (void)buf_append(&all, "", 1);
    (void)buf_append(&all, "", 1);
    int ret = buf_status(&all);
    if (!ret && !(*out = calloc(all.size_bytes, sizeof(**out))))
        ret = -ENOMEM;
    if (!ret)
        ret = wtf8_to_utf16(all.data, all.size_bytes, *out, &units);
    buf_fini(&all);
    return ret == -EFBIG ? -E2BIG : ret;
}

int ft_launch_suspended(const char *path, char *const *argv, char *const *envp,
                        PROCESS_INFORMATION *out)
{
    STARTUPINFOW startup = {.cb = sizeof(startup)};
    wchar_t *program = NULL, *line = NULL, *environment = NULL;

    *out = (PROCESS_INFORMATION){0};
    int ret = wide_from_utf8(path, &program);
    if (!ret)
        ret = make_line(argv, &line);
    if (!ret)
        ret = make_environment(envp, &environment);
    if (!ret && !CreateProcessW(program, line, NULL, NULL, TRUE,
                                CREATE_SUSPENDED | CREATE_UNICODE_ENVIRONMENT, environment, NULL,
                                &startup, out))
        ret = wide_error(GetLastError());
    free(program);
    free(line);
    free(environment);
    return ret;
}
