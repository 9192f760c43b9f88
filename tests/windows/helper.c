/* SPDX-License-Identifier: MIT */
/*
 * What the tests start where Linux has env, true, sleep and sh.
 *   helper args ARG...      print them, one a line, then "end"
 *   helper run COMMAND...   run a command as it is, end with its status
 *   helper exit STATUS      all 32 bits of it
 *   helper complain TEXT STATUS
 *   helper variable NAME    print its value
 *   helper where            print the working folder
 *   helper copy             standard input to standard output
 *   helper leftovers        names of tracetax's own folders that are there yet
 *   helper sleep            for a minute
 *   helper read FILE...     open each, and end with 1 when one cannot be
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "common/file.h"
#include "common/folder.h"
#include "common/proc.h"
#include "common/wide.h"

static int print_arguments(char **arguments)
{
    for (; *arguments; arguments++)
        (void)puts(*arguments);
    (void)puts("end");
    return 0;
}

static int run(char **command)
{
    const struct proc_spec spec = {.argv = (const char *const *)command};
    struct proc_result result;
    struct err err;

    if (!proc_run(&spec, &result, &err))
        return result.signal ? 128 + result.signal : result.exit_code;
    (void)fprintf(stderr, "helper: %s\n", err.text);
    return 127;
}

static int variable(const char *name)
{
    static wchar_t value[32768];
    wchar_t *wide = NULL;

    if (wide_from_utf8(name, &wide) || !GetEnvironmentVariableW(wide, value, ARRAY_LEN(value))) {
        free(wide);
        return 1;
    }
    free(wide);
    char *text = wide_to_utf8(value);
    (void)puts(text ? text : "");
    free(text);
    return 0;
}

static int where(void)
{
    char *here = folder_current();
    (void)puts(here ? here : "");
    free(here);
    return 0;
}

static bool is_ours(const char *name)
{
    return !strncmp(name, "tracetax.", strlen("tracetax."));
}

static int leftovers(void)
{
    char *own, **names;
    size_t count;

    if (folder_make_own("helper", &own, NULL))
        return 1;
    folder_remove(own);
    own[folder_name(own) - own] = '\0';
    int ret = folder_list(own, is_ours, &names, &count);
    for (size_t i = 0; i < count; i++)
        (void)puts(names[i]);
    folder_list_free(names, count);
    free(own);
    return ret ? 1 : 0;
}

static int copy(void)
{
    char step[4096];
    size_t n;
    while ((n = fread(step, 1, sizeof(step), stdin)) > 0)
        (void)fwrite(step, 1, n, stdout);
    return 0;
}

static int read_files(char **paths)
{
    for (; *paths; paths++) {
        struct buf bytes;
        struct err err;
        buf_init(&bytes, 1 << 20);
        int ret = file_read(*paths, &bytes, &err);
        buf_fini(&bytes);
        if (ret) {
            (void)fprintf(stderr, "helper: %s\n", err.text);
            return 1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int status = 2;

    if (!strcmp(what, "args"))
        status = print_arguments(argv + 2);
    else if (!strcmp(what, "run") && argc > 2)
        status = run(argv + 2);
    else if (!strcmp(what, "exit") && argc == 3)
        ExitProcess((UINT)strtoul(argv[2], NULL, 0));
    else if (!strcmp(what, "complain") && argc == 4)
        status = fprintf(stderr, "%s\n", argv[2]) < 0 ? 2 : (int)strtoul(argv[3], NULL, 0);
    else if (!strcmp(what, "variable") && argc == 3)
        status = variable(argv[2]);
    else if (!strcmp(what, "where"))
        status = where();
    else if (!strcmp(what, "copy"))
        status = copy();
    else if (!strcmp(what, "leftovers"))
        status = leftovers();
    else if (!strcmp(what, "sleep"))
        Sleep(60000);
    else if (!strcmp(what, "read"))
        status = read_files(argv + 2);
    return fflush(stdout) ? 2 : status;
}
