/* SPDX-License-Identifier: MIT */
/* The small GitHub around one command, with its state in a file between commands.
     stand-in STATE COMMAND [ARG...]
   COMMAND finds GITHUB_API_URL set. Afterwards STATE holds what it changed. The
   exit status is COMMAND's; 125 when it could not be run, or asked for something that GitHub would
   not take. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "common/file.h"
#include "common/proc.h"
#include "stand_in.h"

#define STATE_MAX_BYTES (16u << 20)
#define EXIT_BROKEN 125

extern char **environ;

static int complain(const char *text)
{
    (void)fprintf(stderr, "stand-in: %s\n", text);
    return EXIT_BROKEN;
}

/* The caller's environment with @url in front: an array to free(), whose strings are borrowed. */
static const char **make_environment(const char *url)
{
    size_t count = 0;
    while (environ[count])
        count++;
    const char **out = calloc(count + 2, sizeof(*out));
    size_t used = 0;
    if (!out)
        return NULL;
    out[used++] = url;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], "GITHUB_API_URL=", 15) != 0)
            out[used++] = environ[i];
    }
    return out;
}

/* @return COMMAND's exit status, or EXIT_BROKEN */
static int run(struct stand_in *server, const char *const *argv)
{
    char url[128];
    struct proc_result result;
    struct err err = {0};
    (void)snprintf(url, sizeof(url), "GITHUB_API_URL=%s", stand_in_url(server));
    const char **environment = make_environment(url);
    if (!environment)
        return complain("out of memory");
    struct proc_spec spec = {.argv = argv, .envp = environment, .in = PROC_NULL};
    int ret = proc_run(&spec, &result, &err);
    free(environment);
    if (ret)
        return complain(err.text);
    return result.exit_code < 0 ? complain("the command was killed") : result.exit_code;
}

static int save(struct stand_in *server, const char *path)
{
    struct err err = {0};
    json_t *state = stand_in_state(server);
    char *text = json_dumps(state, JSON_INDENT(1) | JSON_SORT_KEYS);
    bool has_text = text != NULL;
    int ret = text ? file_write(path, text, strlen(text), &err) : -1;
    free(text);
    json_decref(state);
    return ret ? complain(has_text ? err.text : "out of memory") : 0;
}

int main(int argc, char **argv)
{
    struct buf state;
    struct err err = {0};
    if (argc < 3) {
        (void)fputs("usage: stand-in STATE COMMAND [ARG...]\n", stderr);
        return EXIT_BROKEN;
    }
    buf_init(&state, STATE_MAX_BYTES);
    struct stand_in *server = NULL;
    if (file_read(argv[1], &state, &err))
        (void)complain(err.text);
    else
        server = stand_in_start(state.data ? state.data : "");
    buf_fini(&state);
    if (!server)
        return complain("could not start");

    int status = run(server, (const char *const *)&argv[2]);
    const char *violations = stand_in_violations(server);
    if (violations) {
        (void)fprintf(stderr, "stand-in: requests that GitHub would not take:\n%s", violations);
        status = EXIT_BROKEN;
    }
    if (save(server, argv[1]))
        status = EXIT_BROKEN;
    stand_in_stop(server);
    return status;
}
